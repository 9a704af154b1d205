import BowerbirdCore

/// One call of `ImagePrefetcher.prefetch`: how far it is, and the way to end it.
public final class Prefetch: Sendable {
    /// How far a prefetch is.
    public struct Progress: Hashable, Sendable {
        /// Pictures that were loaded.
        public internal(set) var completed = 0
        /// Pictures that were there already.
        public internal(set) var skipped = 0
        /// Pictures that could not be loaded.
        public internal(set) var failed = 0
        /// Pictures in all.
        public let total: Int

        /// How many are dealt with, in whichever way.
        public var finished: Int { completed + skipped + failed }
        /// From 0 to 1; 1 where there was nothing to do.
        public var fraction: Double { total == 0 ? 1 : Double(finished) / Double(total) }
    }

    enum Outcome { case completed, skipped, failed }

    private struct State {
        var progress: Progress
        var task: Task<Void, Never>?
        var isCancelled = false
        var isEnded: Bool
        var listeners: [Mailbox<Progress, Progress?>] = []
    }

    private let state: Lock<State>

    init(count: Int) {
        state = Lock(State(progress: Progress(total: count), isEnded: count == 0))
    }

    /// How far it is now.
    public var progress: Progress { state.withLock { $0.progress } }

    /// How far it is at its end; nil where it was cancelled. When the waiting task is cancelled, nil at once, and the
    /// prefetch goes on. A picture that `ImagePipeline.cancelAll()` stopped counts as failed.
    public var result: Progress? {
        get async { await wait { _ in } }
    }

    /// The same, telling of each step; the newest wins where the closure is slow.
    public func wait(_ news: (Progress) -> Void) async -> Progress? {
        let mailbox = Mailbox<Progress, Progress?>()
        let end = state.withLock { state -> Progress?? in
            guard !state.isEnded else { return .some(state.isCancelled ? nil : state.progress) }
            state.listeners.append(mailbox)
            return nil
        }
        if let end { return end }
        // Pictures end on several threads, whose news may overtake each other.
        var newest = 0
        return await mailbox.outcome { progress in
            guard progress.finished > newest else { return }
            newest = progress.finished
            news(progress)
        } ?? nil
    }

    /// Ends it: what nobody else wants is stopped, and nothing more is begun or counted.
    public func cancel() {
        let task = state.withLock { state in
            if !state.isEnded { state.isCancelled = true }
            return state.task
        }
        task?.cancel()
    }

    /// Where it has been cancelled meanwhile, the task is too.
    func attach(_ task: Task<Void, Never>) {
        let isCancelled = state.withLock { state in
            if !state.isEnded { state.task = task }
            return state.isCancelled
        }
        if isCancelled { task.cancel() }
    }

    /// Nothing where it was cancelled.
    func note(_ outcome: Outcome) {
        let (progress, listeners) = state.withLock { state -> (Progress, [Mailbox<Progress, Progress?>]) in
            guard !state.isCancelled else { return (state.progress, []) }
            state.progress.note(outcome)
            return (state.progress, state.listeners)
        }
        for listener in listeners { listener.receive(progress) }
    }

    func end() {
        let (result, listeners) = state.withLock { state in
            defer {
                state.isEnded = true
                state.listeners = []
                state.task = nil
            }
            return (state.isCancelled ? nil : state.progress, state.listeners)
        }
        for listener in listeners { listener.finish(result) }
    }
}

extension Prefetch.Progress: Mergeable {
    mutating func merge(newer: Self) { if newer.finished > finished { self = newer } }

    fileprivate mutating func note(_ outcome: Prefetch.Outcome) {
        switch outcome {
        case .completed: completed += 1
        case .skipped: skipped += 1
        case .failed: failed += 1
        }
    }
}
