import BowerbirdCore
import Dispatch
import Synchronization

/// A few threads for calls that block, so that none of them holds a thread of Swift's pool. Who comes first is served
/// first; who leaves before it was served costs nothing.
final class ReadLanes: Sendable {
    fileprivate typealias Job = @Sendable () -> Void

    private let queue = DispatchQueue(
        label: "bowerbird.disk-cache.readers", qos: .userInitiated, attributes: .concurrent)
    private let state: InlinedLock<State>

    fileprivate struct State {
        let width: Int
        var busyCount = 0
        var line: [Job?] = []
        /// How many at the front of the line have been served.
        var served = 0
    }

    /// `width` is how many calls go on at once.
    init(width: Int) {
        state = InlinedLock(State(width: width))
    }

    /// What `work` returns; nil when the task was cancelled before it began.
    func run<R: Sendable>(_ work: @escaping @Sendable () -> R) async -> R? {
        let caller = Caller<R>()
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                guard caller.wait(with: continuation) else { return continuation.resume() }
                enqueue { caller.serve(work) }
            }
        } onCancel: {
            caller.leave()?.resume()
        }
        return caller.result
    }

    private func enqueue(_ job: @escaping Job) {
        let wantsThread = state.withLock { $0.add(job) }
        if wantsThread { queue.async { self.serve() } }
    }

    private func serve() {
        while let job = state.withLock({ $0.next() }) { job() }
    }
}

extension ReadLanes.State {
    /// Whether another thread is to come.
    fileprivate mutating func add(_ job: @escaping ReadLanes.Job) -> Bool {
        line.append(job)
        defer { compact() }
        guard busyCount < width else { return false }
        busyCount += 1
        return true
    }

    /// Nil when nothing is left: then the thread that asked goes.
    fileprivate mutating func next() -> ReadLanes.Job? {
        guard served < line.count else {
            busyCount -= 1
            return nil
        }
        defer { served += 1 }
        return line[served].take()
    }

    private mutating func compact() {
        guard served > 64, served > line.count / 2 else { return }
        line.removeFirst(served)
        served = 0
    }
}

/// One who waits in a line, and leaves it once: served, or cancelled. The result is handed over under a lock.
private final class Caller<R: Sendable>: Sendable {
    private typealias Continuation = CheckedContinuation<Void, Never>
    private let state = InlinedLock(State.coming)

    private enum State {
        case coming
        case waiting(Continuation)
        case left
        case served(R)
    }

    /// Nil for one that left before it was served.
    var result: R? {
        state.withLock { if case .served(let result) = $0 { result } else { nil } }
    }

    /// False when it has left already.
    func wait(with continuation: CheckedContinuation<Void, Never>) -> Bool {
        state.withLock { state in
            guard case .coming = state else { return false }
            state = .waiting(continuation)
            return true
        }
    }

    func serve(_ work: () -> R) {
        guard let continuation = leave() else { return }
        let result = work()
        state.withLock { $0 = .served(result) }
        continuation.resume()
    }

    /// Nil for one that does not wait any more, or not yet.
    func leave() -> CheckedContinuation<Void, Never>? {
        state.withLock { state in
            if case .served = state { return nil }
            defer { state = .left }
            if case .waiting(let continuation) = state { return continuation }
            return nil
        }
    }
}
