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
    /// In bytes; the sum of the lengths of all entries.
    let maximumByteCount: Int
    let statements: WriteStatements
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
        maximumByteCount = settings.maximumByteCount ?? Self.defaultByteCount(onVolumeOf: folder.volumeByteCount ?? 0)
        do throws(SQLiteError) {
            database = try Database(path: place.database, access: .readWrite, busyTimeout: settings.busyTimeout)
            try Schema.prepare(database)
            statements = try WriteStatements(database)
            settings.clock.advance(past: try statements.lastAccess.integers().first ?? 0)
        } catch {
            throw DiskFault(error)
        }
        guard let identity = place.databaseIdentity else { throw DiskFault(.last, path: place.database) }
        self.identity = identity
    }

    /// Whether the file that is open here is still the one that others find in the folder.
    var isInPlace: Bool { folder.databaseIdentity == identity }

    /// 2 % of the volume, as coil does, but within 64 MB (some hundred pictures of a web page: less is no cache) and
    /// 1 GB (where listing, trimming and a user's patience with a full home folder end).
    static func defaultByteCount(onVolumeOf byteCount: Int) -> Int {
        min(max(byteCount / 50, 64 << 20), 1 << 30)
    }

    /// Writes all of `writes`, or none of them.
    func write(_ writes: some Collection<StagedWrites.Write>) throws(DiskFault) {
        let entries = writes.map(placed)
        let files = entries.compactMap(\.file)
        try announce(files)
        do throws(DiskFault) {
            for entry in entries {
                guard let file = entry.file else { continue }
                try bodies.write(entry.data, entry.facts, as: file)
            }
            try commit(entries)
        } catch {
            bodies.remove(files)
            throw error
        }
    }

    /// One entry, with the place where its bytes will be: a file when they are large, else the database.
    private struct PlacedEntry {
        let facts: EntryFacts
        let data: EncodedImage
        let key: DiskKey
        let file: BodyName?
    }

    private func placed(_ write: StagedWrites.Write) -> PlacedEntry {
        let key = DiskKey(write.key.text)
        let data = write.entry.data
        let isFile = data.count > settings.inlineByteLimit && data.count <= maximumByteCount
        return PlacedEntry(
            facts: EntryFacts(write), data: data, key: key, file: isFile ? BodyName(newFor: key.digest) : nil)
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
        guard entry.data.count <= maximumByteCount else { return }
        let row = try insert(entry.facts, entry.key, file: entry.file?.generation)
        guard entry.file == nil else { return }
        try statements.insertBlob.run([.integer(row), .image(entry.data)])
    }

    /// Returns the number of the new row.
    func insert(_ facts: EntryFacts, _ key: DiskKey, file: Int64?) throws(SQLiteError) -> Int64 {
        try statements.insertEntry.run(Self.values(of: facts, key, file: file))
        return database.lastInsertedRow
    }

    private static func values(of facts: EntryFacts, _ key: DiskKey, file: Int64?) -> [SQLiteValue] {
        [
            .bytes(key.digest), .text(facts.key), .text(facts.source == facts.key ? nil : facts.source),
            .integer(sourceDigest(facts.source)), .text(facts.url == facts.source ? nil : facts.url),
            .text(facts.mediaType), .integer(facts.storedAt), .integer(facts.writtenAt),
            .integer(facts.expiry?.lifetime), .integer(facts.expiry?.isSliding == true ? 1 : 0),
            .integer(facts.expiry?.end(from: facts.writtenAt)), .integer(facts.length), .integer(facts.length),
            .integer(facts.checksum), .integer(file), .integer(0), .bytes(facts.userInfo),
        ] + FreshnessRecord.values(of: facts.freshness)
    }

    /// 64 bits that stand for a source in lookups; the text is compared all the same.
    static func sourceDigest(_ source: String) -> Int64 {
        DiskKey(source).digest.prefix(8).reduce(0) { $0 << 8 | Int64($1) }
    }

    /// Gives the entry other facts of freshness, unless it has other bytes by now than those that were confirmed.
    func renew(_ freshness: Freshness, for key: DiskKey) throws(DiskFault) {
        let record = FreshnessRecord(freshness)
        let values = record.values + [.bytes(key.digest), .text(record.entityTag), .text(record.lastModified)]
        try transaction { () throws(SQLiteError) in try statements.renew.run(values) }
    }

    /// Notes when rows were last used.
    func touch(_ accesses: [Int64: Int64]) throws(DiskFault) {
        guard !accesses.isEmpty else { return }
        try transaction { () throws(SQLiteError) in
            for (row, time) in accesses { try statements.touch.run([.integer(time), .integer(row)]) }
        }
    }

    func remove(_ key: DiskKey) throws(DiskFault) {
        try changing { () throws(SQLiteError) in try statements.deleteKey.run([.bytes(key.digest)]) }
    }

    func remove(source: String) throws(DiskFault) {
        let values: [SQLiteValue] = [.integer(Self.sourceDigest(source)), .text(source)]
        try changing { () throws(SQLiteError) in try statements.deleteSource.run(values) }
    }

    /// Removes the row, unless it has been written anew; then it returns false.
    func remove(_ row: EntryRow) throws(DiskFault) -> Bool {
        let values: [SQLiteValue] = [.integer(row.id), .integer(row.checksum)]
        return try changing { () throws(SQLiteError) in
            var isRemoved = false
            try statements.deleteDamaged.run(values) { _ in isRemoved = true }
            return isRemoved
        }
    }

    func totals() throws(DiskFault) -> DiskTotals {
        try translatingErrors { () throws(SQLiteError) in try statements.totals.totals() }
    }

    func transaction<R>(_ body: () throws(SQLiteError) -> R) throws(DiskFault) -> R {
        try translatingErrors { () throws(SQLiteError) in try database.transaction(.write, body) }
    }
}

/// What a cache holds on the disk.
struct DiskTotals: Sendable {
    var count = 0
    var byteCount = 0
}

/// The statements that write, prepared once.
struct WriteStatements: ~Copyable {
    let insertEntry, insertBlob, touch, renew, deleteKey, deleteSource, deleteDamaged, totals, lastAccess: Statement
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
            touch: try database.prepare("UPDATE entries SET accessed_at = ? WHERE id = ?"),
            renew: try database.prepare(
                """
                UPDATE entries SET (\(FreshnessRecord.columns)) = (?, ?, ?, ?, ?, ?)
                WHERE digest = ? AND received_at IS NOT NULL AND entity_tag IS ? AND last_modified IS ?
                """),
            deleteKey: try database.prepare("DELETE FROM entries WHERE digest = ?"),
            deleteSource: try database.prepare(
                "DELETE FROM entries WHERE source_digest = ? AND coalesce(source, key) = ?"),
            deleteDamaged: try database.prepare("DELETE FROM entries WHERE id = ? AND checksum = ? RETURNING id"),
            totals: try database.prepare("SELECT sum(entries), sum(bytes) FROM totals"),
            lastAccess: try database.prepare("SELECT max(accessed_at) FROM entries WHERE is_pinned = 0"),
            announce: try database.prepare(
                "INSERT INTO obsolete_files (digest, generation, session) VALUES (?, ?, ?)"),
            forgetSession: try database.prepare("DELETE FROM obsolete_files WHERE session = ?"),
            forgetFile: try database.prepare("DELETE FROM obsolete_files WHERE id = ? AND generation = ?"),
            obsolete: try database.prepare("SELECT id, digest, generation FROM obsolete_files WHERE session = 0"))
    }
}

extension Statement {
    /// Runs a statement whose row is the number of entries and of bytes.
    func totals() throws(SQLiteError) -> DiskTotals {
        var totals = DiskTotals()
        try run { row in totals = DiskTotals(count: row.count(0), byteCount: row.count(1)) }
        return totals
    }
}
