internal import CGTK

/// The wheel, and scrolling on a touchpad.
public final class ScrollController: EventController {
    /// - Parameter onScroll: gets the distance, in wheel clicks or fractions of them (down and right are positive), and
    ///   answers whether it used it, so that nobody else gets it.
    public init(onScroll: @escaping @MainActor (_ horizontal: Double, _ vertical: Double) -> Bool) {
        super.init(adopting: gtk_event_controller_scroll_new(GTK_EVENT_CONTROLLER_SCROLL_BOTH_AXES))
        connect("scroll") { $0.setResult(onScroll($0.double(0), $0.double(1))) }
    }
}
