internal import CGTK

/// One widget with others on top, placed by their alignments.
open class Overlay: Widget {
    /// - Parameter child: the widget at the bottom.
    public init(child: Widget? = nil) {
        super.init(retaining: gtk_overlay_new())
        self.child = child
    }

    /// The widget at the bottom, which decides the size.
    public var child: Widget? {
        get { Widget.peer(of: gtk_overlay_get_child(opaque)) }
        set { gtk_overlay_set_child(opaque, newValue?.cast()) }
    }

    /// Puts `widget` on top of all others.
    public func addOverlay(_ widget: Widget) {
        gtk_overlay_add_overlay(opaque, widget.cast())
    }

    /// Takes off `widget`, which must have been added.
    public func removeOverlay(_ widget: Widget) {
        gtk_overlay_remove_overlay(opaque, widget.cast())
    }
}
