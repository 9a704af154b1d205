import BowerbirdCore
import Dispatch

/// The one who changes a disk cache, on a queue of its own because it blocks. It never fails: what does not work is
/// reported, tried once more where that has a chance, and then left.
actor DiskWriter {
    private enum State {
        case unopened
        case open(DiskStore)
        /// The folder cannot be used; it is not tried again.
        case off
    }

    private let executor = QueueExecutor(label: "bowerbird.disk-cache.writer", quality: .utility)
    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

    private let folder: CacheFolder
    private let settings: DiskCacheSettings
    private let staged: StagedQueue
    private let accesses: AccessLog
    private let warnings: WarningReporter
    private var state = State.unopened
    private var hasRebuilt = false
    private var hasSwept = false

    init(
        folder: CacheFolder, settings: DiskCacheSettings, staged: StagedQueue, accesses: AccessLog,
        warnings: WarningReporter
    ) {
        self.folder = folder
        self.settings = settings
        self.staged = staged
        self.accesses = accesses
        self.warnings = warnings
    }

    /// Does `body` on the queue of the writer and blocks this thread until it is done. Not to be called on that queue.
    nonisolated func wait<R: Sendable>(for body: @Sendable (isolated DiskWriter) -> R) -> R {
        executor.wait { assumeIsolated { body($0) } }
    }

    /// Opens the database, so that others can read it. False when there is none to be had.
    func prepare() -> Bool { openStore() != nil }

    /// Writes down everything that is staged now, then keeps the cache within its limit.
    func writeStaged() {
        let writes = staged.withLock { $0.begin() }
        let accesses = accesses.take()
        let hasRemoved = writeRemovals()
        guard !writes.isEmpty || !accesses.isEmpty || mayHaveOrphans || hasRemoved else { return }
        for batch in writes.batches(ofCount: settings.batchCount, byteCount: settings.batchByteCount) {
            attempt { store throws(DiskFault) in try store.write(batch) }
            staged.withLock { $0.finish(batch) }
        }
        keepHouse(after: accesses)
    }

    /// What was removed since the last time. False when there was nothing.
    private func writeRemovals() -> Bool {
        let removals = staged.withLock { $0.removals }
        guard !removals.isEmpty else { return false }
        let keys = removals.keys.map { DiskKey($0.text) }
        for start in stride(from: 0, to: keys.count, by: settings.batchCount) {
            let batch = keys[start..<min(start + settings.batchCount, keys.count)]
            attempt { store throws(DiskFault) in try store.remove(batch) }
        }
        staged.withLock { $0.finish(removals) }
        return true
    }

    /// A cache that was never used is left alone: not even its folder is made.
    private var mayHaveOrphans: Bool {
        if case .open = state { !hasSwept } else { false }
    }

    private func keepHouse(after accesses: [Int64: Int64]) {
        attempt { store throws(DiskFault) in
            try store.touch(accesses)
            try store.trimWhenOverLimit()
        }
        guard !hasSwept else { return }
        hasSwept = true
        attempt { store throws(DiskFault) in try store.sweep() }
    }

    /// An entry that is staged is written with the new facts; one that is down has only its row changed.
    func renew(_ freshness: Freshness, for key: CacheKey) {
        guard !staged.withLock({ $0.renew(freshness, for: key) }) else { return }
        attempt { store throws(DiskFault) in try store.renew(freshness, for: DiskKey(key.text)) }
    }

    func remove(source: String) {
        staged.withLock { $0.remove(source: source) }
        attempt { store throws(DiskFault) in try store.remove(source: source) }
    }

    func removeAll() {
        staged.withLock { $0.removeAll() }
        attempt { store throws(DiskFault) in try store.removeAll() }
    }

    /// Removes an entry whose bytes are not what was stored.
    func removeDamaged(_ row: EntryRow) {
        attempt { store throws(DiskFault) in try store.remove(row) }
    }

    func totals() -> DiskTotals {
        var totals = DiskTotals()
        _ = writeRemovals()
        attempt { store throws(DiskFault) in totals = try store.totals() }
        return totals
    }

    /// Begins anew because a reader found the database damaged; not when that has been done since.
    func rebuild(_ damaged: FileIdentity, after fault: DiskFault) {
        guard let store = openStore(), store.identity == damaged else { return }
        rebuild(store, after: fault)
    }
}

// MARK: Bad days

extension DiskWriter {
    /// Does `work`; when it fails for a reason that can be mended, mends it and tries once more.
    private func attempt(_ work: (DiskStore) throws(DiskFault) -> Void) {
        guard let store = openStore() else { return }
        do throws(DiskFault) {
            try work(store)
        } catch {
            guard mend(store, after: error), let store = openStore() else { return }
            do throws(DiskFault) { try work(store) } catch { warnings.report(error) }
        }
    }

    /// Whether it is worth another try.
    private func mend(_ store: DiskStore, after fault: DiskFault) -> Bool {
        switch fault.reason {
        case .full: store.makeRoom()
        case .corrupt: rebuild(store, after: fault)
        default:
            warnings.report(fault)
            return false
        }
        return true
    }

    /// The store, opened when that has not been done; opened anew when its folder was removed meanwhile.
    private func openStore() -> DiskStore? {
        switch state {
        case .off: return nil
        case .open(let store) where store.isInPlace: return store
        case .open(let store): warnings.report(.removed(store.folder))
        case .unopened: break
        }
        return open()
    }

    private func open(replacing damaged: FileIdentity? = nil) -> DiskStore? {
        do throws(DiskFault) {
            try folder.make()
            let store = try folder.whileLocked(timeout: settings.busyTimeout) { () throws(DiskFault) in
                if let damaged, folder.databaseIdentity == damaged { folder.removeDatabase() }
                return try openOrRebuild()
            }
            state = .open(store)
            return store
        } catch {
            warnings.report(error)
            state = .off
            return nil
        }
    }

    /// Called under the folder's lock, so that two processes never rebuild what the other has just built.
    private func openOrRebuild() throws(DiskFault) -> DiskStore {
        do throws(DiskFault) {
            return try DiskStore(folder, settings)
        } catch {
            guard error.reason == .corrupt, !hasRebuilt else { throw error }
            hasRebuilt = true
            warnings.report(error)
            folder.removeDatabase()
            return try DiskStore(folder, settings)
        }
    }

    /// Once; a database that is damaged again lies on a disk that is not to be trusted.
    private func rebuild(_ store: DiskStore, after fault: DiskFault) {
        warnings.report(fault)
        guard !hasRebuilt else {
            state = .off
            return
        }
        hasRebuilt = true
        _ = open(replacing: store.identity)
    }
}

extension DiskFault {
    fileprivate static func removed(_ folder: CacheFolder) -> DiskFault {
        DiskFault(reason: .removed, detail: folder.database)
    }
}
