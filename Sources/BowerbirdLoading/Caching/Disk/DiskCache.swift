public import BowerbirdCore
import Synchronization

/// The original bytes of pictures on the disk, kept from one run of the program to the next.
///
/// Facts and small bodies lie in an SQLite database, larger bodies in files. `store` returns before anything is
/// written; `flush` waits for it, and a program calls it before it ends. Every entry that is found is whole: its length
/// and checksum are verified, also after the process was killed while it wrote. Several processes may use one folder.
///
/// Nothing here throws. When the folder cannot be used, the cache holds nothing, and says so once. A call that
/// has begun is not cut short when its task is cancelled: a read takes microseconds, `flush` as long as what is staged
/// takes to write. `synchronous` has the same calls for code that is not asynchronous.
public final class DiskCache: DataCache {
    /// Where it lies.
    public let folder: String

    let settings: DiskCacheSettings
    let staged = StagedQueue()
    let accesses = AccessLog()
    let writer: DiskWriter
    let reader: DiskReader
    let catalogue: DiskCatalogue
    /// Of folders that are not ours.
    let extras: [DiskReader]
    let lanes: ReadLanes

    /// Touches no disk yet; that happens with the first use.
    ///
    /// - Parameters:
    ///   - folder: Made, for the user alone, where it is not there.
    ///   - maximumByteCount: What all entries may take of the volume, in bytes. When it is passed, the entries used
    ///     longest ago go, down to 80 % of it. By default 2 % of the volume, at least 64 MB and at most 1 GB. A larger
    ///     body is not kept.
    ///   - onWarning: Told of each kind of trouble once, on a queue of the cache.
    public convenience init(
        folder: String = DiskCache.defaultFolder(), maximumByteCount: Int? = nil,
        onWarning: @escaping @Sendable (DiskCacheWarning) -> Void = { _ in }
    ) {
        self.init(
            Configuration(folder: folder, limits: Limits(byteCount: maximumByteCount)), onWarning: onWarning)
    }

    /// Touches no disk yet; that happens with the first use.
    ///
    /// - Parameters:
    ///   - configuration: Where the cache lies and how it works.
    ///   - onWarning: Told of each kind of trouble once, on a queue of the cache.
    public convenience init(
        _ configuration: Configuration, onWarning: @escaping @Sendable (DiskCacheWarning) -> Void = { _ in }
    ) {
        self.init(folder: configuration.folder, settings: DiskCacheSettings(configuration), onWarning: onWarning)
    }

    init(
        folder: String, settings: DiskCacheSettings, onWarning: @escaping @Sendable (DiskCacheWarning) -> Void
    ) {
        self.folder = folder
        self.settings = settings
        let warnings = WarningReporter(folder: folder, handler: onWarning)
        let place = CacheFolder(path: folder, isMarkedAsCache: settings.isMarkedAsCache)
        let reader = DiskReader(folder: place, settings: settings)
        self.reader = reader
        writer = DiskWriter(
            folder: place, settings: settings, staged: staged, accesses: accesses, warnings: warnings,
            storeChanged: { reader.checkSoon() })
        catalogue = DiskCatalogue(folder: place, settings: settings)
        extras = settings.readOnlyFolders.map { DiskReader(readOnly: $0, settings: settings) }
        lanes = ReadLanes(width: settings.readerCount)
    }

    /// The entry as it was stored, which becomes the one used last; nil when there is none, when it has grown too old, or
    /// when its bytes are damaged: then it is removed. Never waits for a write. Nil as well for a task that is cancelled
    /// before its turn has come.
    public func entry(for key: CacheKey) async -> CacheEntry? {
        switch stagedFinding(for: key) {
        case .entry(let entry): entry
        case .removed where extras.isEmpty: nil
        case .removed: await lanes.run { self.extraEntry(DiskKey(key.text)) } ?? nil
        case .unknown: await lanes.run { self.read(key) } ?? nil
        }
    }

    /// Whether there is an entry, without reading its bytes. Never waits for a write. False as well for a task that is
    /// cancelled before its turn has come.
    public func contains(_ key: CacheKey) async -> Bool {
        switch stagedFinding(for: key) {
        case .entry: true
        case .removed where extras.isEmpty: false
        case .removed: await lanes.run { self.hasExtraEntry(DiskKey(key.text)) } ?? false
        case .unknown: await lanes.run { self.find(key) } ?? false
        }
    }

    /// Keeps `entry` in memory, where `entry(for:)` finds it, until it is written. Waits only while more than 64 MB are
    /// to be written. An entry without bytes is no picture: it is not kept, and what is there stays.
    public func store(_ entry: CacheEntry, for key: CacheKey) async {
        if stage(entry, for: key) { await flush() } else { callWriter() }
    }

    /// Writes the new facts into the row of the entry, and returns when that is done: after what is being written just
    /// now. The bytes are not written again.
    public func renew(_ freshness: Freshness, for key: CacheKey) async { await writer.renew(freshness, for: key) }

    /// From now on nobody finds the entry; it is removed from the disk a little later, with others. `flush` waits for
    /// that.
    public func remove(for key: CacheKey) async { stageRemoval(of: key) }

    /// Removes every entry of the source, from memory and from the disk, and returns when that is done.
    public func remove(source: String) async { await writer.remove(source: source) }

    /// Removes every entry and gives the room back.
    public func removeAll() async { await writer.removeAll() }

    /// Returns when nothing goes on behind.
    func settle() async {
        await flush()
        await writer.settle()
    }

    /// Returns when everything that was stored or read before is written down.
    public func flush() async { await writer.writeStaged() }

    /// The sum of all bodies on the disk, in bytes; without what is yet to be written.
    public var totalByteCount: Int { get async { await writer.totals().byteCount } }
    /// How many entries are on the disk; without what is yet to be written.
    public var count: Int { get async { await writer.totals().count } }
}

// MARK: On the thread that asks

extension DiskCache {
    /// One that has grown too old counts as removed.
    func stagedFinding(for key: CacheKey) -> StagedWrites.Finding {
        let finding = staged.withLock { $0.find(key) }
        if case .entry(let entry) = finding, isOver(entry) { return .removed }
        return finding
    }

    /// The entry from the disk.
    func read(_ key: CacheKey) -> CacheEntry? {
        let diskKey = DiskKey(key.text)
        guard case .hit(let entry, let row) = answer(key, { reader.read(diskKey) }), !dropIfOver(row) else {
            return extraEntry(diskKey)
        }
        noteAccess(to: row)
        return entry
    }

    /// Whether the entry is on the disk.
    func find(_ key: CacheKey) -> Bool {
        let diskKey = DiskKey(key.text)
        guard case .present(let row) = answer(key, { reader.find(diskKey) }), !dropIfOver(row) else {
            return hasExtraEntry(diskKey)
        }
        return true
    }

    /// What the reader says, after what was wrong is mended as far as it can be.
    func answer(_ key: CacheKey, _ ask: () -> DiskReader.Answer) -> DiskReader.Answer {
        var answer = ask()
        if case .unavailable = answer, writer.wait(for: { $0.prepare() }) { answer = ask() }
        switch answer {
        case .damaged(let row): writer.wait { $0.removeDamaged(row, key.text) }
        case .corrupt(let identity, let fault, let connection):
            withExtendedLifetime(connection) {
                writer.wait { $0.rebuild(identity, after: fault) }
            }
            reader.checkSoon()
        case .hit, .present, .miss, .unavailable: break
        }
        return answer
    }

    private func noteAccess(to row: EntryRow) {
        let count = accesses.note(row.id, at: settings.clock.next())
        if count >= settings.accessCount { callWriter() }
    }

    func isOver(_ entry: CacheEntry) -> Bool {
        let general = settings.limits.value.expiry
        guard entry.expiry ?? general != .never else { return false }
        return entry.isOver(at: settings.clock.now, by: general)
    }

    /// Whether the entry has grown too old; then it is removed behind.
    private func dropIfOver(_ row: EntryRow) -> Bool {
        guard isOver(row, by: settings.limits.value.expiry, lastUse: accesses.lastUse) else { return false }
        accesses.noteExpired(row)
        callWriter()
        return true
    }

    func isOver(
        _ row: EntryRow, by general: CacheExpiry, lastUse: (Int64) -> Int64? = { _ in nil }
    ) -> Bool {
        guard row.lifespan.expiry ?? general != .never else { return false }
        return row.lifespan.isOver(at: settings.clock.now, by: general, lastUse: lastUse(row.id))
    }

    /// True when so much waits to be written that the caller has to wait as well.
    func stage(_ entry: CacheEntry, for key: CacheKey) -> Bool {
        guard !entry.data.isEmpty else { return false }
        return staged.withLock { staged in
            staged.add(entry, for: key, at: settings.clock.next())
            return staged.byteCount > settings.stagedByteLimit
        }
    }

    func stageRemoval(of key: CacheKey) {
        staged.withLock { $0.remove(key) }
        callWriter()
    }

    /// The task ends by itself when everything is written; it keeps the writer, and so the database, until then.
    func callWriter() {
        guard staged.withLock({ $0.shouldCallWriter() }) else { return }
        Task { [writer] in await writer.writeStaged() }
    }
}

/// What is staged, shared by the front and the writer.
final class StagedQueue: Sendable {
    private let writes = InlinedLock(StagedWrites())

    func withLock<R: Sendable>(_ body: (inout StagedWrites) -> R) -> R { writes.withLock { body(&$0) } }
}
