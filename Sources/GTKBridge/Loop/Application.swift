internal import CGTK

/// A GTK program: connects to the display and runs the main loop.
///
/// It is made in `main.swift`, on the process's main thread. Never under an `async` main: Swift then moves the main
/// actor away from that thread. It needs no session bus, and any number of instances may run at once.
///
/// ```swift
/// let application = try Application(id: "org.example.Viewer")
/// application.run { application in
///     let window = Window(title: "Viewer")
///     window.onClosed { application.quit() }
///     window.present()
/// }
/// ```
@MainActor  // the default, but when inferred it is lost in other modules (Swift 6.3), and isolated deinit fails
public final class Application {
    private let loop: OpaquePointer

    /// Connects to the display, and lets the main loop run Swift's main actor.
    /// - Parameter id: a name in reverse domain form, by which desktops match windows with programs.
    public init(id: String) throws(ApplicationError) {
        g_set_prgname(id)
        // Asked a second time, GTK says yes even without a display.
        guard gtk_init_check() != 0, gdk_display_get_default() != nil else { throw .noDisplay }
        guard let loop = g_main_loop_new(nil, 0) else { throw .noDisplay }
        self.loop = loop
        MainContextBridge.attach()
    }

    isolated deinit {
        g_main_loop_unref(loop)
    }

    /// Calls `start`, then runs the main loop until `quit()`. Returns at once when `start` has already quit.
    public func run(_ start: @MainActor (Application) throws -> Void) rethrows {
        isQuitting = false
        try start(self)
        guard !isQuitting else { return }
        g_main_loop_run(loop)
    }

    /// Ends `run`. Windows stay as they are.
    public func quit() {
        isQuitting = true
        g_main_loop_quit(loop)
    }

    private var isQuitting = false
}

/// Why a program cannot show windows.
public nonisolated enum ApplicationError: Error, Equatable, CustomStringConvertible {
    /// Neither `WAYLAND_DISPLAY` nor `DISPLAY` leads to a display.
    case noDisplay

    /// One line, for the user.
    public var description: String { "no display: neither WAYLAND_DISPLAY nor DISPLAY leads to one" }
}
