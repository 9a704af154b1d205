import BowerbirdCore

/// The priority of a job while it runs. Those who ask for the job set it; what the job waits for follows it.
final class PriorityRelay: Sendable {
    /// Is told that the priority has changed, not to what: calls from two threads may overtake each other. It looks at
    /// `current` under the lock that guards what it changes, and so the newest wins.
    typealias Listener = @Sendable () -> Void

    private struct State {
        var priority: WorkPriority
        var listeners: [UInt64: Listener] = [:]
        var lastID: UInt64 = 0
    }

    private let state: Lock<State>

    init(_ priority: WorkPriority = WorkPriority()) {
        state = Lock(State(priority: priority))
    }

    var current: WorkPriority { state.withLock { $0.priority } }

    /// Changes the priority and tells everybody who follows it, on this thread, in the order of subscribing.
    func set(_ priority: WorkPriority) {
        for listener in change(to: priority) { listener() }
    }

    /// Changes the priority; whom to tell, once the caller holds no lock. Nobody where it is what it was.
    func change(to priority: WorkPriority) -> [Listener] {
        state.withLock { state in
            guard state.priority != priority else { return [] }
            state.priority = priority
            return state.listeners.sorted { $0.key < $1.key }.map(\.value)
        }
    }

    /// Calls `listener` at each change until the subscription is cancelled; a change on another thread at that very
    /// moment may still reach it.
    func subscribe(_ listener: @escaping Listener) -> Subscription {
        state.withLock { state in
            state.lastID += 1
            state.listeners[state.lastID] = listener
            return Subscription(relay: self, id: state.lastID)
        }
    }

    /// How many follow it.
    var listenerCount: Int { state.withLock { $0.listeners.count } }

    struct Subscription: Sendable {
        fileprivate let relay: PriorityRelay
        fileprivate let id: UInt64

        /// May be called again.
        func cancel() {
            relay.state.withLock { $0.listeners[id] = nil }
        }
    }
}
