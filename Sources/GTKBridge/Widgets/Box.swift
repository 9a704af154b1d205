internal import CGTK

/// Widgets in a row or a column.
open class Box: Widget {
    /// - Parameter spacing: between two children, in logical pixels.
    public init(_ axis: Axis, spacing: Int = 0) {
        super.init(retaining: gtk_box_new(axis.gtk, Int32(clamping: spacing)))
    }

    /// Adds `child` at the end.
    public func append(_ child: Widget) {
        gtk_box_append(cast(), child.cast())
    }

    /// Adds `child` at the start.
    public func prepend(_ child: Widget) {
        gtk_box_prepend(cast(), child.cast())
    }

    /// Takes out `child`, which must be one of its children.
    public func remove(_ child: Widget) {
        gtk_box_remove(cast(), child.cast())
    }
}
