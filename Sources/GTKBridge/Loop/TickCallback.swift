internal import CGTK

/// Calls a function once a frame while its widget is on the screen. Letting go of this ends it.
///
/// The widget owns the function until then: capture the widget, or an owner of this, weakly.
@MainActor  // the default, but when inferred it is lost in other modules (Swift 6.3), and isolated deinit fails
public final class TickCallback {
    private weak var widget: Widget?
    private var identifier: UInt32 = 0

    /// - Parameter handler: gets the frame's time in microseconds (of the frame clock: monotonic, from an unknown
    ///   origin) and answers whether to go on.
    public init(on widget: Widget, _ handler: @escaping @MainActor (_ frameTime: Int64) -> Bool) {
        self.widget = widget
        let handler = TickHandler { [weak self] time in
            let goesOn = handler(time)
            if !goesOn { self?.identifier = 0 }
            return goesOn
        }
        identifier = gtk_widget_add_tick_callback(
            widget.cast(), callTickHandler, Unmanaged.passRetained(handler).toOpaque(), releaseTickHandler)
    }

    isolated deinit {
        guard identifier != 0, let widget else { return }
        gtk_widget_remove_tick_callback(widget.cast(), identifier)
    }
}

private nonisolated final class TickHandler: Sendable {
    let call: @MainActor (Int64) -> Bool

    init(_ call: @escaping @MainActor (Int64) -> Bool) { self.call = call }
}

private nonisolated func callTickHandler(
    _: UnsafeMutablePointer<GtkWidget>?, _ clock: OpaquePointer?, _ context: gpointer?
) -> gboolean {
    guard let context else { return 0 }
    let time = Int64(gdk_frame_clock_get_frame_time(clock))
    let handler = Unmanaged<TickHandler>.fromOpaque(context).takeUnretainedValue()
    return CallbackMeter.enter(.tick) { handler.call(time) } ? 1 : 0
}

private nonisolated func releaseTickHandler(_ context: gpointer?) {
    guard let context else { return }
    Unmanaged<TickHandler>.fromOpaque(context).release()
}
