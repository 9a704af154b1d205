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
    private var trim: Trim?

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

    /// Writes down everything that is staged now, then keeps the cache within its limits.
    func writeStaged() async {
        writeDown()
        await finishTrim()
    }

    /// Writes down everything that is staged now, and sees what is too much then: that is left to `trimFurther`.
    func writeDown() {
        let writes = staged.withLock { $0.begin() }
        let accesses = accesses.take()
        let hasRemoved = writeRemovals()
        guard !writes.isEmpty || !accesses.isEmpty || hasRemoved || isOpen else { return }
        for batch in writes.batches(ofCount: settings.batchCount, byteCount: settings.batchByteCount) {
            attempt { store throws(DiskFault) in try store.write(batch) }
            staged.withLock { $0.finish(batch) }
        }
        attempt { store throws(DiskFault) in
            try store.remove(expired: accesses.expired)
            try store.touch(accesses.times)
        }
        sweepOnce()
        beginTrimWhenOverLimit()
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
    private var isOpen: Bool { if case .open = state { true } else { false } }

    private func sweepOnce() {
        guard !hasSwept else { return }
        hasSwept = true
        attempt { store throws(DiskFault) in try store.sweep() }
    }

    /// Removes what is too much. Returns when all is within the limits.
    func keepLimits() async {
        beginTrimWhenOverLimit()
        await finishTrim()
    }

    private func beginTrimWhenOverLimit() {
        guard isOpen else { return }
        attempt { store throws(DiskFault) in
            if let excess = try store.trimWhenOverLimit() { trim = excess.joined(with: trim) }
        }
    }

    /// Removes the oldest until no more is left than `goal` asks for.
    func trim(to goal: Trim) async {
        await writeStaged()
        trim = goal.joined(with: trim)
        await finishTrim()
    }

    /// Between two steps everybody else who waits for the writer gets it; whoever waits for the trim takes its next step.
    private func finishTrim() async {
        while trimFurther() { await settings.pauseInTrim() }
    }

    /// One step; false when there is nothing more to do.
    func trimFurther() -> Bool {
        guard var next = trim else { return false }
        var isDone = true
        attempt { store throws(DiskFault) in isDone = try !store.step(&next) }
        trim = isDone ? nil : next
        return !isDone
    }

    /// Returns how many were too old.
    func removeExpired() async -> Int {
        await writeStaged()
        var count = 0
        var next: Int64? = 0
        while let row = next {
            next = nil
            attempt { store throws(DiskFault) in
                let pass = try store.removeExpiredStep(after: row)
                (count, next) = (count + pass.removedCount, pass.next)
            }
            if next != nil { await settings.pauseInTrim() }
        }
        return count
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
