internal import CGTK

/// A top-level window. GTK keeps it while it is open.
public final class Window: Widget {
    private var mayClose: (@MainActor () -> Bool)?
    private var closed: (@MainActor () -> Void)?
    private var isDestroyed = false

    /// - Parameters:
    ///   - width: In logical pixels; nil leaves it to the content.
    ///   - height: In logical pixels; nil leaves it to the content.
    public init(title: String, width: Int? = nil, height: Int? = nil) {
        super.init(retaining: gtk_window_new())
        self.title = title
        setDefaultSize(width: width, height: height)
        connect("close-request") { [weak self] arguments in
            self?.closeIfAllowed()
            arguments.setResult(true)
        }
    }

    /// What the title bar says.
    public var title: String {
        get { gtk_window_get_title(cast()).map { String(cString: $0) } ?? "" }
        set { gtk_window_set_title(cast(), newValue) }
    }

    /// The size in logical pixels in which it is first shown, and to which it changes when it is shown already.
    public func setDefaultSize(width: Int?, height: Int?) {
        gtk_window_set_default_size(cast(), Int32(clamping: width ?? -1), Int32(clamping: height ?? -1))
    }

    /// What the window shows.
    public var child: Widget? {
        get { Widget.peer(of: gtk_window_get_child(cast())) }
        set { gtk_window_set_child(cast(), newValue?.cast()) }
    }

    /// Replaces the title bar that the desktop or GTK draws.
    public func setTitleBar(_ widget: Widget) {
        gtk_window_set_titlebar(cast(), widget.cast())
    }

    /// Shows it, in front of others.
    public func present() {
        gtk_window_present(cast())
    }

    /// Asks to close, as its close button does.
    public func close() {
        gtk_window_close(cast())
    }

    /// Closes it for good: what is inside is taken out and, unless somebody holds it, freed. Nothing happens twice.
    public func destroy() {
        guard !isDestroyed else { return }
        isDestroyed = true
        gtk_window_destroy(cast())
        // GTK takes a window apart only when nobody holds it, but Swift may hold this.
        g_object_run_dispose(cast())
        closed?()
        (mayClose, closed) = (nil, nil)
    }

    /// Asks `handler` before the window closes on the user's wish; false keeps it open. The last handler set is asked.
    public func onCloseRequest(_ handler: @escaping @MainActor () -> Bool) {
        mayClose = handler
    }

    /// Calls `handler` once, after the window was closed. The last handler set is called.
    public func onClosed(_ handler: @escaping @MainActor () -> Void) {
        closed = handler
    }

    /// Lets `handler` see keys that no widget inside used; it answers whether it used them.
    public func onKeyPressed(_ handler: @escaping @MainActor (KeyPress) -> Bool) {
        addController(KeyController(onPressed: handler))
    }

    private func closeIfAllowed() {
        guard mayClose?() ?? true else { return }
        destroy()
    }
}
