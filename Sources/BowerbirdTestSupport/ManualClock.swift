import BowerbirdCore
public import FoundationEssentials

/// A clock that stands still until the test moves it.
///
/// Any thread may use it. Whoever sleeps is woken by the call that moves the clock, in the order of the deadlines; those
/// with the same deadline in the order of coming.
public final class ManualClock: Clock {
    /// A moment, by how long after the making of the clock it is.
    public struct Instant: InstantProtocol {
        /// Since the clock was made.
        public var offset: Duration

        /// The moment that comes `offset` after the making of the clock.
        public init(offset: Duration) { self.offset = offset }

        public func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        public func duration(to other: Instant) -> Duration { other.offset - offset }
        public static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
    }

    private typealias Sleeper = CheckedContinuation<Void, any Error>
    private typealias Watcher = CheckedContinuation<Void, Never>

    private struct State {
        var now = Instant(offset: .zero)
        /// By deadline, then by coming.
        var sleepers: [(id: UInt64, deadline: Instant, sleeper: Sleeper)] = []
        var watchers: [(count: Int, watcher: Watcher)] = []
        private var lastID: UInt64 = 0

        mutating func nextID() -> UInt64 {
            lastID += 1
            return lastID
        }

        /// Who waited for so many; nil where the deadline has passed, so that there is nothing to wait for.
        mutating func add(_ sleeper: Sleeper, until deadline: Instant, _ id: UInt64) -> [Watcher]? {
            guard deadline > now else { return nil }
            let index = sleepers.firstIndex { $0.deadline > deadline } ?? sleepers.endIndex
            sleepers.insert((id, deadline, sleeper), at: index)
            let count = sleepers.count
            defer { watchers.removeAll { $0.count <= count } }
            return watchers.filter { $0.count <= count }.map(\.watcher)
        }

        mutating func remove(_ id: UInt64) -> Sleeper? {
            sleepers.firstIndex { $0.id == id }.map { sleepers.remove(at: $0).sleeper }
        }

        mutating func move(to instant: Instant) -> [Sleeper] {
            now = max(now, instant)
            let awake = sleepers.prefix { $0.deadline <= now }.map(\.sleeper)
            sleepers.removeFirst(awake.count)
            return awake
        }
    }

    private let start: Date
    private let state = Lock(State())

    /// A clock whose date is `date`; by default the first second of 2001.
    public init(date: Date = Date(timeIntervalSinceReferenceDate: 0)) {
        start = date
    }

    /// Where the clock stands.
    public var now: Instant { state.withLock { $0.now } }
    public var minimumResolution: Duration { .zero }

    /// What a clock on the wall would show.
    public var date: Date {
        let (seconds, attoseconds) = now.offset.components
        return start.addingTimeInterval(Double(seconds) + Double(attoseconds) * 1e-18)
    }

    /// How many sleep.
    public var sleeperCount: Int { state.withLock { $0.sleepers.count } }

    /// Waits until `count` sleep, so that moving the clock wakes them for certain. Cannot be cancelled.
    public func waitForSleepers(_ count: Int = 1) async {
        await withCheckedContinuation { watcher in
            let areThere = state.withLock { state in
                if state.sleepers.count >= count { return true }
                state.watchers.append((count, watcher))
                return false
            }
            if areThere { watcher.resume() }
        }
    }

    /// Moves the clock; never back. Whoever is woken and sleeps again counts from the time at which the clock stands
    /// then.
    public func advance(by duration: Duration) {
        let awake = state.withLock { $0.move(to: $0.now.advanced(by: duration)) }
        for sleeper in awake { sleeper.resume() }
    }

    /// Moves the clock to the earliest deadline, and wakes those who have it. False, and nothing happens, where nobody
    /// sleeps. A loop of this, and of running what was woken, plays a story to its end.
    @discardableResult
    public func advanceToNextDeadline() -> Bool {
        let awake = state.withLock { state in state.sleepers.first.map { state.move(to: $0.deadline) } }
        awake?.forEach { $0.resume() }
        return awake != nil
    }

    /// Sleeps until the test has moved the clock there; not at all where it is there already. Throws `CancellationError`
    /// at once when the task is cancelled. `tolerance` is not looked at.
    public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
        let id = state.withLock { $0.nextID() }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { sleeper in
                let watchers = state.withLock { state in
                    Task.isCancelled ? nil : state.add(sleeper, until: deadline, id)
                }
                watchers?.forEach { $0.resume() }
                if watchers == nil { sleeper.resume(with: Result { try Task.checkCancellation() }) }
            }
        } onCancel: {
            state.withLock { $0.remove(id) }?.resume(throwing: CancellationError())
        }
    }
}
