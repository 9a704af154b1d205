import BowerbirdCore

/// Finished pictures on their way to the disk, behind the answers that they were: one is encoded and stored at a time,
/// in order, and in no place that decoding could have.
///
/// Each is found here until it can be found on the disk. What is forgotten meanwhile does not come back: after `drop` has
/// returned, nothing of it is stored any more.
final class PendingStores: Sendable {
    private let executor: any TaskExecutor
    private let lane = WorkQueue(limit: 1)
    /// Pictures wait in memory, and a slow format must not fill it.
    private let room: WorkQueue
    private let state = Lock(State())

    /// For the pixels of what waits, in bytes: a screen full of thumbnails, or a large photograph.
    static let defaultByteLimit = max(32 << 20, MemoryAvailability.processLimit / 64)

    init(byteLimit: Int = defaultByteLimit, executor: any TaskExecutor) {
        room = WorkQueue(limit: .max, costLimit: byteLimit)
        self.executor = executor
    }

    /// How many there are.
    var count: Int { state.withLock { $0.count } }

    /// The picture that is to be stored under `key`.
    func picture(for key: CacheKey) -> ProducedImage? { state.withLock { $0.picture(for: key) } }

    /// The keys under which pictures of a source are to be stored.
    func keys(ofSource source: String) -> [CacheKey] { state.withLock { $0.keys(ofSource: source) } }

    /// Waits until what waits here leaves room for so many bytes more; nil where the task is cancelled first.
    func reserve(_ byteCount: Int, priority: PriorityRelay) async -> Reservation? {
        let ticket = room.takeTicket()
        guard await room.enter(ticket, priority: priority, cost: byteCount) else { return nil }
        return Reservation(room: room, ticket: ticket)
    }

    /// Encodes and stores a picture, in place of one that is still to be stored under the same key. Returns at once.
    func add(_ picture: ProducedImage, for key: CacheKey, _ reservation: Reservation, _ steps: Steps) {
        let (id, handle, replaced) = state.withLock { $0.add(picture, key) }
        replaced?.cancel()
        // Owned by the entry, whose handle cancels it when it is dropped.
        Task(executorPreference: executor) { [self] in
            await handle.run { await store(key, id, steps) }
            reservation.giveBack()
            for waiter in state.withLock({ $0.end(key, id) }) { waiter.resume() }
        }
    }

    /// What is done with one picture.
    struct Steps: Sendable {
        /// Nil where it cannot be written down.
        let encode: @Sendable () async -> CacheEntry?
        let store: @Sendable (CacheEntry) async -> Void
    }

    private func store(_ key: CacheKey, _ id: UInt64, _ steps: Steps) async {
        let ticket = lane.takeTicket()
        guard await lane.enter(ticket, priority: PriorityRelay()) else { return }
        defer { lane.leave(ticket) }
        guard let entry = await steps.encode(), state.withLock({ $0.beginStoring(key, id) }) else { return }
        await steps.store(entry)
    }

    /// Forgets what is to be stored of a source; of everything without one.
    func drop(source: String? = nil) async {
        let dropped = state.withLock { $0.drop(source: source) }
        for handle in dropped.handles { handle.cancel() }
        for id in dropped.storing {
            await withCheckedContinuation { waiter in
                if state.withLock({ $0.isEnded(id, orWake: waiter) }) { waiter.resume() }
            }
        }
    }

    /// The same for those who cannot wait: what is in the middle of being stored may still come.
    func cancelAll() {
        for handle in state.withLock({ $0.drop(source: nil).handles }) { handle.cancel() }
    }

    /// Waits until everything that was added before is stored or dropped.
    func waitUntilIdle() async {
        for id in state.withLock({ $0.running }) {
            await withCheckedContinuation { waiter in
                if state.withLock({ $0.isEnded(id, orWake: waiter) }) { waiter.resume() }
            }
        }
    }

    /// Room for one picture. To be given to `add`, or back.
    struct Reservation: Sendable {
        fileprivate let room: WorkQueue
        fileprivate let ticket: WorkQueue.Ticket

        func giveBack() { room.leave(ticket) }
    }
}
