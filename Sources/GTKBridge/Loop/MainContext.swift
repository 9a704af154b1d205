internal import CGTK

/// GLib's default main context, by hand: for tests and for programs with a loop of their own.
public enum MainContext {
    /// Runs the sources that are ready.
    /// - Parameter mayBlock: sleep until one is ready.
    /// - Returns: whether any ran.
    @discardableResult
    public static func iterate(mayBlock: Bool = false) -> Bool {
        g_main_context_iteration(nil, mayBlock ? 1 : 0) != 0
    }
}
