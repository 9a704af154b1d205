import BowerbirdCore

/// A point that code under test reaches and waits at until the test opens it: the way to put things in an order without
/// sleeping.
public final class Gate: Sendable {
    private let state = Lock(State())

    private struct State {
        var isOpen = false
        var arrivals = 0
        var waiting: [UInt64: CheckedContinuation<Void, Never>] = [:]
        var watchers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
        var lastID: UInt64 = 0
    }

    /// A closed gate, or an open one.
    public init(isOpen: Bool = false) {
        state.withLock { $0.isOpen = isOpen }
    }

    /// Lets through everybody who waits and everybody to come.
    public func open() {
        let waiting = state.withLock { state in
            state.isOpen = true
            defer { state.waiting = [:] }
            return state.waiting
        }
        for continuation in waiting.values { continuation.resume() }
    }

    /// How many have come to the gate so far.
    public var arrivals: Int { state.withLock { $0.arrivals } }

    /// Waits until `count` have come to the gate.
    public func waitForArrivals(_ count: Int = 1) async {
        await withCheckedContinuation { continuation in
            let isThere = state.withLock { state in
                if state.arrivals >= count { return true }
                state.watchers.append((count, continuation))
                return false
            }
            if isThere { continuation.resume() }
        }
    }

    /// Comes to the gate and waits until it is open. Returns at once when the task is cancelled, unless
    /// `ignoresCancellation`, as a call into C would.
    public func pass(ignoresCancellation: Bool = false) async {
        let id = arrive()
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let mayPass = state.withLock { state in
                    if state.isOpen || (Task.isCancelled && !ignoresCancellation) { return true }
                    state.waiting[id] = continuation
                    return false
                }
                if mayPass { continuation.resume() }
            }
        } onCancel: {
            if !ignoresCancellation { state.withLock { $0.waiting.removeValue(forKey: id) }?.resume() }
        }
    }

    private func arrive() -> UInt64 {
        let (id, ready) = state.withLock { state in
            state.arrivals += 1
            state.lastID += 1
            let arrivals = state.arrivals
            let ready = state.watchers.filter { $0.count <= arrivals }
            state.watchers.removeAll { $0.count <= arrivals }
            return (state.lastID, ready)
        }
        for watcher in ready { watcher.continuation.resume() }
        return id
    }
}
