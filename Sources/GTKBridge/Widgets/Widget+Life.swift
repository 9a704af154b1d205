internal import CGTK

extension Widget {
    /// Whether it is on the screen: it and all around it visible, in a window that is shown.
    public var isMapped: Bool { gtk_widget_get_mapped(cast()) != 0 }

    /// Whether it is part of a window, or is one.
    public var isInWindow: Bool { gtk_widget_get_root(cast()) != nil }

    /// Calls `handler` each time the widget comes onto the screen.
    @discardableResult
    public func onMap(_ handler: @escaping @MainActor () -> Void) -> SignalToken {
        connect("map") { _ in handler() }
    }

    /// Calls `handler` each time the widget leaves the screen.
    @discardableResult
    public func onUnmap(_ handler: @escaping @MainActor () -> Void) -> SignalToken {
        connect("unmap") { _ in handler() }
    }

    /// Calls `handler` once, when the widget is taken apart: its window was closed, or nobody holds it any more.
    @discardableResult
    public func onDestroy(_ handler: @escaping @MainActor () -> Void) -> SignalToken {
        connect("destroy") { _ in handler() }
    }
}
