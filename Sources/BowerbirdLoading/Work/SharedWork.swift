import BowerbirdCore

/// One job for each key however many ask: the first asker starts it, the others join, and it is cancelled when the last
/// one leaves. It is as urgent as the most urgent of them.
///
/// A job is known by an identity of its own, not by its key alone: one that was abandoned and ends late answers nobody,
/// and does not touch the job that somebody has started under the same key since.
final class SharedWork<Key: Hashable & Sendable, Update: Mergeable, Value: Sendable>: Sendable {
    typealias Outcome = Result<Value, ImageError>
    typealias Member = any Asker<Update, Outcome>
    typealias Job = @Sendable (JobContext<Update>) async -> Outcome

    private let executor: (any TaskExecutor)?
    private let state = Lock(State())

    /// Jobs prefer `executor`; without one they run on Swift's own threads. Nothing of this type runs anywhere else but
    /// in the calls of its askers.
    init(executor: (any TaskExecutor)? = nil) {
        self.executor = executor
    }

    /// How many jobs somebody waits for.
    var runningCount: Int { state.withLock { $0.runningCount } }

    /// Whether somebody waits for a job under `key`.
    func isRunning(_ key: Key) -> Bool { state.withLock { $0.isRunning(key) } }

    /// Waits until no job runs, not even one that was abandoned and is on its way out.
    func waitUntilIdle() async {
        await withCheckedContinuation { waiter in
            let isIdle = state.withLock { $0.isIdle(orWake: waiter) }
            if isIdle { waiter.resume() }
        }
    }

    /// Joins the job under `key`, or starts `job` where there is none. The asker hears of it until it leaves.
    func join(_ key: Key, _ asker: Member, priority: WorkPriority, _ job: @escaping Job) -> Membership {
        let place = state.withLock { $0.takePlace() }
        take(place, of: key, asker, job) { priority }
        return Membership { [weak self] wish in
            switch wish {
            case .leave: self?.leave(key, place)
            case .setPriority(let priority): self?.setPriority(key, place) { priority }
            }
        }
    }

    /// The outcome of the job under `key`, which this joins or starts; nil when the task is cancelled before, or when
    /// `news` leaves. The job is at least as urgent as `priority`, also when that changes.
    ///
    /// A task that is cancelled has left when the call that cancels it returns, even if it had not come to join yet: who
    /// asks again right after must not find the job that is left.
    func outcome(
        of key: Key, priority: PriorityRelay, whileHungry news: (Update) -> Appetite, _ job: @escaping Job
    ) async -> Outcome? {
        let mailbox = Mailbox<Update, Outcome>()
        let place = state.withLock { $0.takePlace() }
        let subscription = priority.subscribe { [self] in setPriority(key, place) { priority.current } }
        defer { subscription.cancel() }
        return await withTaskCancellationHandler {
            take(place, of: key, mailbox, job) { Task.isCancelled ? nil : priority.current }
            let outcome = await mailbox.outcome(whileHungry: news)
            if outcome == nil { leave(key, place) }
            return outcome
        } onCancel: {
            leave(key, place)
        }
    }

    /// The same for a reader who stays to the end.
    func outcome(
        of key: Key, priority: PriorityRelay, telling news: (Update) -> Void, _ job: @escaping Job
    ) async -> Outcome? {
        let staying: (Update) -> Appetite = { update in
            news(update)
            return .hungry
        }
        return await outcome(of: key, priority: priority, whileHungry: staying, job)
    }

    /// Cancels every job and answers everybody who waits for one with `.cancelled`. Who comes after starts anew.
    func cancelAll() {
        for abandoned in state.withLock({ $0.removeAll() }) {
            abandoned.handle.cancel()
            for asker in abandoned.askers { asker.finish(.failure(.cancelled)) }
        }
    }

    /// `priority` is asked for under the lock, where nothing can come between it and the place; nil is no wish to join
    /// any more.
    private func take(
        _ place: UInt64, of key: Key, _ asker: Member, _ job: @escaping Job, priority: () -> WorkPriority?
    ) {
        let joined: State.Joined? = state.withLock { state in
            priority().map { state.join(key, asker, $0, at: place) }
        }
        guard let joined else { return }
        if joined.isFirst { start(job, key, joined) }
        for listener in joined.listeners { listener() }
        if let news = joined.latest { asker.receive(older: news) }
    }

    /// The task is owned by the entry, whose handle cancels it when the last asker leaves.
    private func start(_ job: @escaping Job, _ key: Key, _ joined: State.Joined) {
        let entry = joined.entry
        let context = JobContext(priority: joined.relay) { update in self.publish(update, key, entry) }
        Task(executorPreference: executor) { [self] in
            await joined.handle.run { finish(await job(context), key, entry) }
            for waiter in state.withLock({ $0.end() }) { waiter.resume() }
        }
    }

    private func publish(_ update: Update, _ key: Key, _ entry: UInt64) {
        for asker in state.withLock({ $0.publish(update, key, entry) }) { asker.receive(update) }
    }

    private func finish(_ outcome: Outcome, _ key: Key, _ entry: UInt64) {
        for asker in state.withLock({ $0.finish(key, entry) }) { asker.finish(outcome) }
    }

    private func setPriority(_ key: Key, _ place: UInt64, _ priority: () -> WorkPriority) {
        for listener in state.withLock({ $0.setPriority(key, place, priority()) }) { listener() }
    }

    private func leave(_ key: Key, _ place: UInt64) {
        let departure = state.withLock { $0.leave(key, place) }
        departure.abandoned?.cancel()
        for listener in departure.listeners { listener() }
    }
}

/// What a job is given.
struct JobContext<Update: Sendable>: Sendable {
    /// As urgent as the most urgent asker.
    let priority: PriorityRelay
    /// Tells every asker. Of several that nobody has read yet the newest counts.
    let report: @Sendable (Update) -> Void
}
