import BowerbirdCore

/// One job for each key however many ask: the first asker starts it, the others join, and it is cancelled when the last
/// one leaves.
///
/// A job is known by an identity of its own, not by its key alone: one that was abandoned and ends late answers nobody,
/// and does not touch the job that somebody has started under the same key since.
final class SharedWork<Key: Hashable & Sendable, Update: Mergeable, Value: Sendable>: Sendable {
    typealias Outcome = Result<Value, ImageError>
    typealias Member = any Asker<Update, Outcome>
    typealias Job = @Sendable (_ report: @escaping @Sendable (Update) -> Void) async -> Outcome

    private let executor: (any TaskExecutor)?
    private let state = Lock(State())

    /// Jobs prefer `executor`; without one they run on Swift's own threads.
    init(executor: (any TaskExecutor)? = nil) {
        self.executor = executor
    }

    /// Waits until no job runs, not even one that was abandoned and is on its way out.
    func waitUntilIdle() async {
        await withCheckedContinuation { waiter in
            let isIdle = state.withLock { $0.isIdle(orWake: waiter) }
            if isIdle { waiter.resume() }
        }
    }

    /// Joins the job under `key`, or starts `job` where there is none. The asker hears of it until it leaves.
    func join(_ key: Key, _ asker: Member, _ job: @escaping Job) -> Membership {
        let place = state.withLock { $0.reserve() }
        take(place, of: key, asker, job)
        return Membership { [weak self] in self?.leave(key, place) }
    }

    /// The outcome of the job under `key`, which this joins or starts; nil when the task is cancelled before.
    ///
    /// A task that is cancelled has left when the call that cancels it returns, even if it had not come to join yet: who
    /// asks again right after must not find the job that is left.
    func outcome(of key: Key, telling news: (Update) -> Void, _ job: @escaping Job) async -> Outcome? {
        let mailbox = Mailbox<Update, Outcome>()
        let place = state.withLock { $0.reserve() }
        return await withTaskCancellationHandler {
            take(place, of: key, mailbox, job)
            return await mailbox.outcome(telling: news)
        } onCancel: {
            leave(key, place)
        }
    }

    private func take(_ place: UInt64, of key: Key, _ asker: Member, _ job: @escaping Job) {
        let joined = state.withLock { state in
            let joined = state.join(key, asker, at: place)
            if let joined { start(job, key, joined, &state) }
            return joined
        }
        if let news = joined?.latest { asker.receive(older: news) }
    }

    /// The task is made under the lock, so that nobody can leave a job before it can be cancelled.
    private func start(_ job: @escaping Job, _ key: Key, _ joined: State.Joined, _ state: inout State) {
        guard joined.isFirst else { return }
        state.attach(task(job, key, joined.entry), key, joined.entry)
    }

    /// Owned by the entry, which cancels it when the last asker leaves.
    private func task(_ job: @escaping Job, _ key: Key, _ entry: UInt64) -> Task<Void, Never> {
        Task(executorPreference: executor) { [self] in
            let outcome = await job { update in self.publish(update, key, entry) }
            finish(outcome, key, entry)
            for waiter in state.withLock({ $0.end() }) { waiter.resume() }
        }
    }

    private func publish(_ update: Update, _ key: Key, _ entry: UInt64) {
        for asker in state.withLock({ $0.publish(update, key, entry) }) { asker.receive(update) }
    }

    private func finish(_ outcome: Outcome, _ key: Key, _ entry: UInt64) {
        for asker in state.withLock({ $0.finish(key, entry) }) { asker.finish(outcome) }
    }

    private func leave(_ key: Key, _ place: UInt64) {
        state.withLock { $0.leave(key, place) }?.cancel()
    }

    /// What happens to the jobs, as a value.
    struct State {
        struct Entry {
            let id: UInt64
            var members: [UInt64: Member] = [:]
            var latest: Update?
            var task: Task<Void, Never>?
        }

        private var entries: [Key: Entry] = [:]
        /// Places that are not taken yet. One that is left before is missing here, and cannot be taken any more.
        private var reserved: Set<UInt64> = []
        private var runningCount = 0
        private var idleWaiters: [CheckedContinuation<Void, Never>] = []
        private var lastID: UInt64 = 0

        typealias Joined = (entry: UInt64, member: UInt64, isFirst: Bool, latest: Update?)

        mutating func reserve() -> UInt64 {
            let place = nextID()
            reserved.insert(place)
            return place
        }

        /// Nil where the place was left before.
        mutating func join(_ key: Key, _ asker: Member, at place: UInt64) -> Joined? {
            guard reserved.remove(place) != nil else { return nil }
            return join(key, asker, as: place)
        }

        mutating func join(_ key: Key, _ asker: Member) -> Joined { join(key, asker, as: nextID()) }

        private mutating func join(_ key: Key, _ asker: Member, as member: UInt64) -> Joined {
            let isFirst = entries[key] == nil
            if isFirst { runningCount += 1 }
            var entry = entries[key] ?? Entry(id: nextID())
            entry.members[member] = asker
            entries[key] = entry
            return (entry.id, member, isFirst, entry.latest)
        }

        /// False when everybody has left before the task could be noted.
        @discardableResult
        mutating func attach(_ task: Task<Void, Never>, _ key: Key, _ entry: UInt64) -> Bool {
            guard entries[key]?.id == entry else { return false }
            entries[key]?.task = task
            return true
        }

        mutating func publish(_ update: Update, _ key: Key, _ entry: UInt64) -> [Member] {
            guard entries[key]?.id == entry else { return [] }
            if entries[key]?.latest == nil {
                entries[key]?.latest = update
            } else {
                entries[key]?.latest?.merge(newer: update)
            }
            return entries[key].map { Array($0.members.values) } ?? []
        }

        mutating func finish(_ key: Key, _ entry: UInt64) -> [Member] {
            guard entries[key]?.id == entry else { return [] }
            return entries.removeValue(forKey: key).map { Array($0.members.values) } ?? []
        }

        /// The task to cancel, when the member was the last one.
        mutating func leave(_ key: Key, _ entry: UInt64, _ member: UInt64) -> Task<Void, Never>? {
            guard entries[key]?.id == entry else { return nil }
            entries[key]?.members[member] = nil
            guard entries[key]?.members.isEmpty == true else { return nil }
            return entries.removeValue(forKey: key)?.task
        }

        /// Gives up a place, taken or not.
        mutating func leave(_ key: Key, _ place: UInt64) -> Task<Void, Never>? {
            if reserved.remove(place) != nil { return nil }
            guard let entry = entries[key], entry.members[place] != nil else { return nil }
            return leave(key, entry.id, place)
        }

        /// Whom to tell that nothing runs any more.
        mutating func end() -> [CheckedContinuation<Void, Never>] {
            runningCount -= 1
            guard runningCount == 0 else { return [] }
            defer { idleWaiters = [] }
            return idleWaiters
        }

        mutating func isIdle(orWake waiter: CheckedContinuation<Void, Never>) -> Bool {
            if runningCount > 0 { idleWaiters.append(waiter) }
            return runningCount == 0
        }

        private mutating func nextID() -> UInt64 {
            lastID += 1
            return lastID
        }
    }
}

/// A place among the askers of a job. Leaving is the only verb; leaving twice, or after the end, does nothing.
struct Membership: Sendable {
    let leave: @Sendable () -> Void
}
