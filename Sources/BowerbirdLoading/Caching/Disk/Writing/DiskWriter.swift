import BowerbirdCore
import Dispatch

/// The one who changes a disk cache, on a queue of its own because it blocks. It never fails: what does not work is
/// reported, tried once more where that has a chance, and then left.
actor DiskWriter {
    private let executor = QueueExecutor(label: "bowerbird.disk-cache.writer", quality: .utility)
    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

    let settings: DiskCacheSettings
    private let staged: StagedQueue
    private let accesses: AccessLog
    let keeper: StoreKeeper
    private var isTakingOver = false
    /// What is to go; `DiskWriter+Trimming` does it.
    var trim: Trim?

    init(
        folder: CacheFolder, settings: DiskCacheSettings, staged: StagedQueue, accesses: AccessLog,
        warnings: WarningReporter, storeChanged: @escaping @Sendable () -> Void = {}
    ) {
        self.settings = settings
        self.staged = staged
        self.accesses = accesses
        keeper = StoreKeeper(folder: folder, settings: settings, warnings: warnings, storeChanged: storeChanged)
    }

    /// Does `body` on the queue of the writer and blocks this thread until it is done. Not to be called on that queue.
    nonisolated func wait<R: Sendable>(for body: @Sendable (isolated DiskWriter) -> R) -> R {
        executor.wait { assumeIsolated { body($0) } }
    }

    /// Opens the database, so that others can read it. False when there is none to be had.
    func prepare() -> Bool {
        defer { takeOverBehind() }
        return keeper.openStore() != nil
    }

    /// Writes down everything that is staged now, then keeps the cache within its limits.
    func writeStaged() async {
        writeDown()
        await finishTrim()
    }

    /// Writes down everything that is staged now, and sees what is too much then: that is left to `trimFurther`.
    func writeDown() {
        let (writes, removals) = staged.withLock { $0.begin() }
        let accesses = accesses.take()
        guard !writes.isEmpty || !accesses.isEmpty || !removals.isEmpty || isOpen else { return }
        write(removals)
        for batch in writes.batches(ofCount: settings.batchCount, byteCount: settings.batchByteCount) {
            keeper.write(batch)
            staged.withLock { $0.finish(batch) }
        }
        attempt { store throws(DiskFault) in
            try store.remove(expired: accesses.expired)
            try store.touch(accesses.times)
        }
        takeOverBehind()
        beginTrimWhenOverLimit()
    }

    private func write(_ removals: [CacheKey: Int]) {
        guard !removals.isEmpty else { return }
        keeper.takeOverAll()
        let keys = removals.keys.map { DiskKey($0.text) }
        for start in stride(from: 0, to: keys.count, by: settings.batchCount) {
            let batch = keys[start..<min(start + settings.batchCount, keys.count)]
            attempt { store throws(DiskFault) in try store.remove(batch) }
        }
        staged.withLock { $0.finish(removals) }
    }

    /// A cache that was never used is left alone: not even its folder is made.
    var isOpen: Bool { keeper.isOpen }

    func attempt(_ work: (DiskStore) throws(DiskFault) -> Void) { keeper.attempt(work) }

    /// What earlier stores have left comes bit by bit, so that others get their turn. The task ends by itself when all is
    /// here.
    private func takeOverBehind() {
        guard keeper.hasPredecessors, !isTakingOver else { return }
        isTakingOver = true
        Task {
            while keeper.takeOverSome() { await Task.yield() }
            isTakingOver = false
        }
    }

    /// An entry that is staged is written with the new facts; one that is down has only its row changed.
    func renew(_ freshness: Freshness, for key: CacheKey) {
        guard !staged.withLock({ $0.renew(freshness, for: key) }) else { return }
        attempt { store throws(DiskFault) in try store.renew(freshness, for: DiskKey(key.text)) }
    }

    func remove(source: String) {
        staged.withLock { $0.remove(source: source) }
        keeper.takeOverAll()
        attempt { store throws(DiskFault) in try store.remove(source: source) }
    }

    func removeAll() {
        staged.withLock { $0.removeAll() }
        keeper.clear()
    }

    /// Removes an entry whose bytes are not what was stored.
    func removeDamaged(_ row: EntryRow, _ key: String) { keeper.removeDamaged(row, key) }

    func totals() -> DiskTotals {
        var totals = DiskTotals()
        write(staged.withLock { $0.removals })
        attempt { store throws(DiskFault) in totals = try store.totals() }
        return totals
    }

    /// Begins anew because a reader found the database damaged; not when that has been done since.
    func rebuild(_ damaged: FileIdentity, after fault: DiskFault) { keeper.rebuild(damaged, after: fault) }

    /// Returns when all is done that goes on behind: taking over what an earlier store has left, deleting what was cleared.
    func settle() async {
        keeper.takeOverAll()
        while isTakingOver { await Task.yield() }
        await keeper.trash.isEmptied()
    }
}
