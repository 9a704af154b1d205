import BowerbirdCore

/// The writing side of a disk cache: its one connection that writes, and its files. Everything here blocks.
final class DiskStore {
    let folder: CacheFolder
    let place: StoreFolder
    let session: WriterSession
    let bodies: BodyFiles
    let database: Database
    let settings: DiskCacheSettings
    let identity: FileIdentity
    /// What the entries may take of this volume, in bytes, where nobody has said otherwise.
    let defaultByteCount: Int
    let statements: WriteStatements
    private let log: LogKeeper
    let eviction: EvictionStatements
    /// Whose names are in `obsolete_files` for no more reason.
    var unlinkedFiles: [(row: Int64, generation: Int64)] = []

    /// Opens the present store of a folder.
    convenience init(_ folder: CacheFolder, _ settings: DiskCacheSettings) throws(DiskFault) {
        guard let place = folder.currentStore else { throw DiskFault(reason: .removed, detail: folder.link) }
        try self.init(folder, place, settings)
    }

    init(_ folder: CacheFolder, _ place: StoreFolder, _ settings: DiskCacheSettings) throws(DiskFault) {
        self.folder = folder
        self.place = place
        self.settings = settings
        session = try WriterSession(in: place)
        bodies = BodyFiles(folder: place.bodies)
        defaultByteCount = Self.defaultByteCount(onVolumeOf: folder.volumeByteCount ?? 0)
        do throws(SQLiteError) {
            database = try Database(path: place.database, access: .readWrite, busyTimeout: settings.busyTimeout)
            try Schema.prepare(database, settings.durability)
            statements = try WriteStatements(database)
            eviction = try EvictionStatements(database)
            try Self.advance(settings.clock, database)
        } catch {
            throw DiskFault(error)
        }
        log = LogKeeper(path: place.database, settings)
        guard let identity = place.databaseIdentity else { throw DiskFault(.last, path: place.database) }
        self.identity = identity
    }

    private static func advance(_ clock: WallClock, _ database: borrowing Database) throws(SQLiteError) {
        let latest = try database.integer("SELECT max(accessed_at) FROM entries WHERE is_pinned = 0")
        if let latest { clock.advance(past: latest) }
    }

    /// Whether the file that is open here is still the one that others find in the folder.
    var isInPlace: Bool { folder.databaseIdentity == identity }

    /// Writes all of `writes`, or none of them.
    func write(_ writes: some Collection<StagedWrites.Write>) throws(DiskFault) {
        var entries = try writes.map { write throws(DiskFault) in try placed(write) }
        let files = entries.compactMap(\.file)
        try announce(files)
        do throws(DiskFault) {
            try writeFiles(of: &entries)
            try commit(entries)
        } catch {
            bodies.remove(files)
            throw error
        }
    }

    /// One entry, with the place where its bytes will be: a file when they are large, else the database.
    private struct PlacedEntry: Sendable {
        let facts: EntryFacts
        let data: EncodedImage
        let key: DiskKey
        let file: BodyName?
        /// What the bytes take of the volume; nil where the entry is too large to be kept.
        var allocated: Int?
    }

    private func placed(_ write: StagedWrites.Write) throws(DiskFault) -> PlacedEntry {
        let key = DiskKey(write.key.text)
        let data = write.entry.data
        let isKept = fits(data.count) ? true : try staysPinned(key, data.count)
        let isFile = isKept && data.count > settings.inlineByteLimit
        return PlacedEntry(
            facts: EntryFacts(write, settings.clock), data: data, key: key,
            file: isFile ? BodyName(newFor: key.digest) : nil,
            allocated: isKept ? Schema.allocatedByteCount(ofInline: data.count) : nil)
    }

    /// All at once, as far as the machine can: making a file is work that file systems do side by side.
    private func writeFiles(of entries: inout [PlacedEntry]) throws(DiskFault) {
        guard entries.contains(where: { $0.file != nil }) else { return }
        let (bodies, waitsForDisk) = (bodies, settings.durability == .power)
        entries = try entries.concurrentlyMapped { entry throws(DiskFault) in
            guard let file = entry.file else { return entry }
            var entry = entry
            entry.allocated = try bodies.write(entry.data, entry.facts, as: file, waitsForDisk: waitsForDisk)
            return entry
        }
    }

    private func commit(_ entries: [PlacedEntry]) throws(DiskFault) {
        try changing { () throws(SQLiteError) in
            for entry in entries { try replace(with: entry) }
            try forgetAnnounced()
        }
    }

    /// An entry larger than the whole cache is not kept; the one it was to replace is gone all the same.
    private func replace(with entry: PlacedEntry) throws(SQLiteError) {
        try statements.deleteKey.run([.bytes(entry.key.digest)])
        guard let allocated = entry.allocated else { return }
        let row = try insert(entry.facts, entry.key, file: entry.file?.generation, allocated)
        if entry.file == nil { try statements.insertBlob.run([.integer(row), .image(entry.data)]) }
    }

    /// Returns the number of the new row.
    func insert(
        _ facts: EntryFacts, _ key: DiskKey, file: Int64?, _ allocated: Int
    ) throws(SQLiteError) -> Int64 {
        try statements.insertEntry.run(values(of: facts, key, file: file, allocated))
        let row = database.lastInsertedRow
        try pinNew(row, key, allocated)
        try tag(row, Set(facts.tags))
        return row
    }

    private func values(of facts: EntryFacts, _ key: DiskKey, file: Int64?, _ allocated: Int) -> [SQLiteValue] {
        // The clock that orders may run ahead of the system's, by which entries grow old.
        let usedAt = min(facts.writtenAt, settings.clock.now)
        let expiresAt = facts.expiry?.end(storedAt: facts.storedAt, usedAt: usedAt)
        return [
            .bytes(key.digest), .text(facts.key), .text(facts.source == facts.key ? nil : facts.source),
            SourceRows.digest(of: facts), .text(facts.url == facts.source ? nil : facts.url),
            .text(facts.mediaType), .integer(facts.storedAt), .integer(facts.writtenAt),
            .integer(facts.expiry?.lifetime), .integer(facts.expiry?.isSliding == true ? 1 : 0), .integer(expiresAt),
            .integer(facts.length), .integer(allocated), .integer(facts.checksum), .integer(file), .integer(0),
            .bytes(facts.userInfo),
        ] + FreshnessRecord.values(of: facts.freshness)
    }

    /// Gives the entry other facts of freshness, unless it has other bytes by now than those that were confirmed.
    func renew(_ freshness: Freshness, for key: DiskKey) throws(DiskFault) {
        let record = FreshnessRecord(freshness)
        let values = record.values + [.bytes(key.digest), .text(record.entityTag), .text(record.lastModified)]
        try transaction { () throws(SQLiteError) in try statements.renew.run(values) }
    }

    func remove(_ keys: some Sequence<DiskKey>) throws(DiskFault) {
        try changing { () throws(SQLiteError) in
            for key in keys { try statements.deleteKey.run([.bytes(key.digest)]) }
        }
    }

    func remove(source: String) throws(DiskFault) {
        try changing { () throws(SQLiteError) in try statements.deleteSource.run(SourceRows.values(source)) }
    }

    /// Removes the row, unless it has been written anew; then it returns false.
    func remove(_ row: EntryRow) throws(DiskFault) -> Bool { try remove(row.id, withChecksum: row.checksum) }

    func remove(_ row: Int64, withChecksum checksum: Int64) throws(DiskFault) -> Bool {
        let values: [SQLiteValue] = [.integer(row), .integer(checksum)]
        return try changing { () throws(SQLiteError) in
            var isRemoved = false
            try statements.deleteDamaged.run(values) { _ in isRemoved = true }
            return isRemoved
        }
    }

    func totals() throws(DiskFault) -> DiskTotals {
        var totals = DiskTotals()
        try translatingErrors { () throws(SQLiteError) in try statements.totals.run { totals.add($0) } }
        return totals
    }

    func transaction<R>(_ body: () throws(SQLiteError) -> R) throws(DiskFault) -> R {
        let result = try translatingErrors { () throws(SQLiteError) in try database.transaction(.write, body) }
        log.hasGrown(to: database.logPageCount)
        return result
    }
}

/// The statements that write, prepared once.
struct WriteStatements: ~Copyable {
    let insertEntry, insertBlob, renew, deleteKey, deleteSource, deleteDamaged, totals: Statement
    let announce, forgetSession, forgetFile, obsolete: Statement
}

extension WriteStatements {
    init(_ database: borrowing Database) throws(SQLiteError) {
        self.init(
            insertEntry: try database.prepare(
                """
                INSERT INTO entries (digest, key, source, source_digest, url, media_type, stored_at, accessed_at,
                                     lifetime, is_sliding, expires_at, length, allocated, checksum, file, is_pinned,
                                     user_info, \(FreshnessRecord.columns))
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """),
            insertBlob: try database.prepare("INSERT INTO blobs (id, bytes) VALUES (?, ?)"),
            renew: try database.prepare(
                """
                UPDATE entries SET (\(FreshnessRecord.columns)) = (?, ?, ?, ?, ?, ?)
                WHERE digest = ? AND received_at IS NOT NULL AND entity_tag IS ? AND last_modified IS ?
                """),
            deleteKey: try database.prepare("DELETE FROM entries WHERE digest = ?"),
            deleteSource: try database.prepare("DELETE FROM entries WHERE \(SourceRows.condition)"),
            deleteDamaged: try database.prepare("DELETE FROM entries WHERE id = ? AND checksum = ? RETURNING id"),
            totals: try database.prepare(DiskTotals.query),
            announce: try database.prepare(
                "INSERT INTO obsolete_files (digest, generation, session) VALUES (?, ?, ?)"),
            forgetSession: try database.prepare("DELETE FROM obsolete_files WHERE session = ?"),
            forgetFile: try database.prepare("DELETE FROM obsolete_files WHERE id = ? AND generation = ?"),
            obsolete: try database.prepare("SELECT id, digest, generation FROM obsolete_files WHERE session = 0"))
    }
}
