internal import CGTK

/// A view onto something larger.
public final class ScrolledWindow: Widget {
    /// - Parameter child: what is scrolled.
    public init(child: Widget? = nil) {
        super.init(retaining: gtk_scrolled_window_new())
        self.child = child
    }

    /// What is scrolled. A child that cannot scroll itself is given back inside GTK's viewport: then this is nil.
    public var child: Widget? {
        get { Widget.peer(of: gtk_scrolled_window_get_child(opaque)) }
        set { gtk_scrolled_window_set_child(opaque, newValue?.cast()) }
    }

    /// Whether it scrolls sideways too. Default true; false gives the child the width of the view.
    public var scrollsHorizontally: Bool = true {
        didSet {
            let policy = scrollsHorizontally ? GTK_POLICY_AUTOMATIC : GTK_POLICY_NEVER
            gtk_scrolled_window_set_policy(opaque, policy, GTK_POLICY_AUTOMATIC)
        }
    }

    /// Where the view is, from top to bottom.
    public var vertical: Adjustment { Adjustment(retaining: gtk_scrolled_window_get_vadjustment(opaque)) }

    /// Where the view is, from start to end.
    public var horizontal: Adjustment { Adjustment(retaining: gtk_scrolled_window_get_hadjustment(opaque)) }
}

/// The position of a view along one direction, in logical pixels.
public final class Adjustment: Object {
    /// Where the view begins. Setting it scrolls; it is clamped to `0 ... upper - pageSize`.
    public var value: Double {
        get { gtk_adjustment_get_value(cast()) }
        set { gtk_adjustment_set_value(cast(), newValue) }
    }

    /// How long all of it is. Estimated by lists, and 0 before the first layout.
    public var upper: Double { gtk_adjustment_get_upper(cast()) }

    /// How much of it the view shows.
    public var pageSize: Double { gtk_adjustment_get_page_size(cast()) }

    /// Scrolls to a fraction of the way: 0 is the beginning, 1 the end. A list wants a frame between two such jumps to
    /// lay itself out: without one it may land elsewhere.
    public func scroll(toFraction fraction: Double) {
        value = min(max(fraction, 0), 1) * max(upper - pageSize, 0)
    }

    /// Calls `handler` whenever the view has moved.
    @discardableResult
    public func onValueChanged(_ handler: @escaping @MainActor () -> Void) -> SignalToken {
        connect("value-changed") { _ in handler() }
    }
}
