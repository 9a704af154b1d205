internal import CGTK

/// A title bar with widgets in it.
public final class HeaderBar: Widget {
    /// A bar that shows the window's title and buttons.
    public init() {
        super.init(retaining: gtk_header_bar_new())
    }

    /// In the middle, in place of the window's title.
    public var titleWidget: Widget? {
        get { Widget.peer(of: gtk_header_bar_get_title_widget(opaque)) }
        set { gtk_header_bar_set_title_widget(opaque, newValue?.cast()) }
    }

    /// Adds `widget` after the others at the start.
    public func packStart(_ widget: Widget) {
        gtk_header_bar_pack_start(opaque, widget.cast())
    }

    /// Adds `widget` before the others at the end.
    public func packEnd(_ widget: Widget) {
        gtk_header_bar_pack_end(opaque, widget.cast())
    }
}
