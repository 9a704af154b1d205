internal import CGTK
internal import CGTKWidgets
internal import Dispatch

/// Lets GLib's main loop run Swift's main actor.
///
/// On Linux the main actor's work waits in libdispatch's main queue, which nobody drains while a GLib loop runs. The
/// bridge makes that queue a source of GLib's default main context.
public enum MainContextBridge {
    private static var isAttached = false

    /// Attaches the main queue, once and for the life of the process; further calls do nothing.
    public static func attach() {
        guard !isAttached else { return }
        isAttached = true
        let descriptor = _dispatch_get_main_queue_handle_4CF()
        // With any other priority a busy main actor starves the frames, or frames starve the main actor.
        g_unix_fd_add_full(GDK_PRIORITY_REDRAW, descriptor, G_IO_IN, drainMainQueue, nil, nil)
    }
}

private nonisolated func drainMainQueue(_ descriptor: Int32, _: GIOCondition, _: gpointer?) -> gboolean {
    // In this order: work that is queued while draining makes the descriptor readable again.
    bowerbird_main_queue_consume_wakeup(descriptor)
    CallbackMeter.enter(.mainQueue) { _dispatch_main_queue_callback_4CF(nil) }
    return 1  // G_SOURCE_CONTINUE
}
