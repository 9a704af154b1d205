import Glibc

/// A thread that somebody waits for or lets go.
public struct OwnThread: Sendable {
    private let thread: pthread_t

    /// Begins at once.
    public init(_ body: @escaping @Sendable () -> Void) {
        let context = unsafe Unmanaged.passRetained(Body(run: body)).toOpaque()
        var thread = pthread_t()
        let failure = unsafe pthread_create(&thread, nil, runBody, context)
        precondition(failure == 0, "no thread is left")
        self.thread = thread
    }

    /// Returns when it has ended. To be called once.
    public func join() { pthread_join(thread, nil) }

    /// Nobody will wait for it. Instead of `join()`.
    public func detach() { pthread_detach(thread) }
}

private final class Body: Sendable {
    let run: @Sendable () -> Void

    init(run: @escaping @Sendable () -> Void) { self.run = run }
}

private func runBody(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let context = unsafe context else { return nil }
    unsafe Unmanaged<Body>.fromOpaque(context).takeRetainedValue().run()
    return nil
}
