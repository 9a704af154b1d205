internal import CGTK

/// Something to press.
public final class Button: Widget {
    /// - Parameter label: what the button says.
    public init(_ label: String) {
        super.init(retaining: gtk_button_new_with_label(label))
    }

    /// Nil when the button shows another widget.
    public var label: String? {
        get { gtk_button_get_label(cast()).map { String(cString: $0) } }
        set { gtk_button_set_label(cast(), newValue ?? "") }
    }

    /// Calls `handler` on each click, also by keyboard.
    @discardableResult
    public func onClicked(_ handler: @escaping @MainActor () -> Void) -> SignalToken {
        connect("clicked") { _ in handler() }
    }

    /// Clicks it.
    public func click() {
        gtk_widget_activate(cast())
    }
}
