/// Has the store open for the one who writes, and gets it back when something is wrong with it: what can be mended is
/// mended and tried once more; what cannot is reported, and tried again after a pause. No trouble is for ever.
final class StoreKeeper {
    private enum State {
        case unopened
        case open(DiskStore)
        /// It could not be opened. It is not tried again before this time.
        case resting(until: Duration)
    }

    let folder: CacheFolder
    let trash: Trash
    private let settings: DiskCacheSettings
    private let warnings: WarningReporter
    /// Called before anything is written to another store than before.
    private let storeChanged: () -> Void
    private var state = State.unopened {
        didSet { storeChanged() }
    }
    /// What is still to be taken over into the store.
    private var predecessors: [any Predecessor] = []
    /// Before this time a damaged database is not made anew once more, and a full volume not given room.
    private var nextRebuild = Duration.zero
    private var nextRoom = Duration.zero

    init(
        folder: CacheFolder, settings: DiskCacheSettings, warnings: WarningReporter, storeChanged: @escaping () -> Void
    ) {
        self.folder = folder
        self.settings = settings
        self.warnings = warnings
        self.storeChanged = storeChanged
        trash = Trash(folder: folder)
    }

    var isOpen: Bool { if case .open = state { true } else { false } }

    /// Does `work`; when it fails for a reason that can be mended, mends it and tries once more. False when nothing was
    /// done.
    @discardableResult
    func attempt(_ work: (DiskStore) throws(DiskFault) -> Void) -> Bool {
        guard let store = openStore() else { return false }
        do throws(DiskFault) {
            try work(store)
            return true
        } catch {
            guard mend(store, after: error), let store = openStore() else { return false }
            return tryAgain(with: store, work)
        }
    }

    private func tryAgain(with store: DiskStore, _ work: (DiskStore) throws(DiskFault) -> Void) -> Bool {
        do throws(DiskFault) {
            try work(store)
            return true
        } catch {
            if error.reason == .full { nextRoom = settings.uptime() + settings.pause }
            warnings.report(error)
            return false
        }
    }

    /// Writes entries. Where they do not fit all together, each is tried by itself.
    func write(_ writes: ArraySlice<StagedWrites.Write>) {
        guard let store = openStore() else { return }
        do throws(DiskFault) {
            try store.write(writes)
            warnings.endSpell()
        } catch {
            if error.reason == .full, writes.count > 1 {
                write(writes.prefix(writes.count / 2))
                write(writes.dropFirst(writes.count / 2))
            } else if mend(store, after: error), let store = openStore() {
                if tryAgain(with: store, { store throws(DiskFault) in try store.write(writes) }) { warnings.endSpell() }
            }
        }
    }

    /// Whether it is worth another try.
    private func mend(_ store: DiskStore, after fault: DiskFault) -> Bool {
        guard store.isInPlace else { return true }
        switch fault.reason {
        case .full where settings.uptime() >= nextRoom: store.makeRoom()
        case .corrupt: return rebuild(store, after: fault)
        case .locked:
            warnings.report(fault)
            rest()
            return false
        default:
            warnings.report(fault)
            return false
        }
        return true
    }

    private func rest() { state = .resting(until: settings.uptime() + settings.pause) }

    /// The store, opened when that has not been done; another when it was cleared, set aside or removed meanwhile.
    func openStore() -> DiskStore? {
        switch state {
        case .unopened: break
        case .open(let store) where store.isInPlace: return store
        case .open(let store):
            if folder.databaseIdentity == nil { warnings.report(.removed(store.place)) }
        case .resting(let end):
            guard settings.uptime() >= end else { return nil }
        }
        return open()
    }

    private func open(replacing damaged: DiskStore? = nil) -> DiskStore? {
        do throws(DiskFault) {
            try folder.make()
            let store = try folder.whileLocked(timeout: settings.busyTimeout) { () throws(DiskFault) in
                folder.discardLeftovers()
                if let damaged, folder.databaseIdentity == damaged.identity { folder.setAside(damaged.place) }
                let store = try openOrRebuild()
                findPredecessors()
                return store
            }
            state = .open(store)
            trash.empty()
            try? store.clearUpAfterTheDead()
            return store
        } catch {
            warnings.report(error)
            rest()
            return nil
        }
    }

    /// Called under the folder's lock, so that two processes never rebuild what the other has just built.
    private func openOrRebuild() throws(DiskFault) -> DiskStore {
        guard let place = folder.currentStore else {
            if let rest = folder.linkedStore { folder.setAside(rest) }
            return try beginStore()
        }
        do throws(DiskFault) {
            return try DiskStore(folder, place, settings)
        } catch {
            guard error.reason == .corrupt, mayRebuild(after: error) else { throw error }
            folder.setAside(place)
            return try beginStore()
        }
    }

    private func beginStore() throws(DiskFault) -> DiskStore {
        try DiskStore(folder, try folder.beginStore(busyTimeout: settings.busyTimeout), settings)
    }

    private func findPredecessors() {
        predecessors = folder.damagedStores.map { DamagedStore(folder, $0) }
        do throws(DiskFault) {
            let old = try Migration.predecessor(in: folder, busyTimeout: settings.busyTimeout)
            predecessors += old.map { [$0] } ?? []
        } catch {
            warnings.report(error)
        }
    }

    var hasPredecessors: Bool { !predecessors.isEmpty }

    /// Takes over a part of what earlier stores have left. False when nothing is left, or when it cannot be done now:
    /// then the next who opens the cache goes on with it.
    func takeOverSome() -> Bool {
        guard !predecessors.isEmpty else { return false }
        var isMore = false
        let isDone = attempt { store throws(DiskFault) in
            guard !predecessors.isEmpty else { return }
            isMore = try predecessors[0].takeOverSome(into: store)
        }
        if !isDone {
            predecessors = []
        } else if !isMore, !predecessors.isEmpty {
            predecessors.removeFirst().discard()
            trash.empty()
        }
        return !predecessors.isEmpty
    }

    /// Before entries are removed: what is not here yet would come back.
    func takeOverAll() { while takeOverSome() {} }

    /// Where the database was damaged by what a reader says; not when it has been made anew since.
    func rebuild(_ damaged: FileIdentity, after fault: DiskFault) {
        guard let store = openStore(), store.identity == damaged else { return }
        _ = rebuild(store, after: fault)
    }

    private func rebuild(_ store: DiskStore, after fault: DiskFault) -> Bool {
        guard mayRebuild(after: fault) else {
            rest()
            return false
        }
        return open(replacing: store) != nil
    }

    /// A database that is damaged again at once lies on a disk that is not to be trusted: no two within a pause.
    private func mayRebuild(after fault: DiskFault) -> Bool {
        warnings.report(fault)
        guard settings.uptime() >= nextRebuild else { return false }
        nextRebuild = settings.uptime() + settings.pause
        return true
    }

    /// Lets an empty store take the place of the present one, which is deleted behind. This opens no database but the new
    /// one, so it works whatever is wrong with the old.
    func clear() {
        guard folder.currentStore != nil || FileIdentity(ofFile: folder.flatDatabase) != nil else { return }
        do throws(DiskFault) {
            let store = try folder.whileLocked(timeout: settings.busyTimeout) { () throws(DiskFault) in
                for store in folder.damagedStores { folder.discard(store) }
                folder.discardFlatStore()
                predecessors = []
                return try DiskStore(folder, replaceStore(), settings)
            }
            state = .open(store)
        } catch {
            warnings.report(error)
            state = .unopened
        }
        trash.empty()
    }

    private func replaceStore() throws(DiskFault) -> StoreFolder {
        let old = folder.currentStore
        do throws(DiskFault) {
            let new = try folder.beginStore(busyTimeout: settings.busyTimeout)
            if let old { folder.discard(old) }
            return new
        } catch {
            guard error.reason == .full, let old else { throw error }
            // There is no room for both.
            folder.discard(old)
            trash.emptyNow()
            return try folder.beginStore(busyTimeout: settings.busyTimeout)
        }
    }

    /// Removes an entry whose bytes are not what was stored.
    func removeDamaged(_ row: EntryRow, _ key: String) {
        attempt { store throws(DiskFault) in
            guard try store.remove(row) else { return }
            warnings.report(DiskFault(reason: .damagedEntry, detail: key))
        }
    }
}

extension DiskFault {
    fileprivate static func removed(_ store: StoreFolder) -> DiskFault {
        DiskFault(reason: .removed, detail: store.database)
    }
}
