import BowerbirdCore

/// The writing side of a disk cache: its one connection that writes, and its files. Everything here blocks.
final class DiskStore {
    let folder: CacheFolder
    let bodies: BodyFiles
    let database: Database
    let settings: DiskCacheSettings
    let identity: FileIdentity
    /// In bytes; the sum of the lengths of all entries.
    let maximumByteCount: Int
    private let statements: WriteStatements
    private let log: LogKeeper

    /// Opens the database of a folder that is there; makes it where there is none.
    init(_ folder: CacheFolder, _ settings: DiskCacheSettings) throws(DiskFault) {
        self.folder = folder
        self.settings = settings
        bodies = BodyFiles(folder: folder.bodies)
        maximumByteCount = settings.maximumByteCount ?? Self.defaultByteCount(onVolumeOf: folder.volumeByteCount ?? 0)
        do throws(SQLiteError) {
            database = try Database(path: folder.database, access: .readWrite, busyTimeout: settings.busyTimeout)
            try Schema.prepare(database, settings.durability)
            statements = try WriteStatements(database)
        } catch {
            throw DiskFault(error)
        }
        log = LogKeeper(path: folder.database, settings)
        guard let identity = folder.databaseIdentity else { throw DiskFault(.last, path: folder.database) }
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
        var files: [Int64] = []
        do throws(DiskFault) {
            let bodies = try writes.map { write throws(DiskFault) in try body(of: write, noting: &files) }
            if settings.durability == .power { try self.bodies.sync(files) }
            try commit(bodies)
        } catch {
            self.bodies.remove(files)
            throw error
        }
    }

    /// One entry, with its bytes already in a file when they are large.
    private struct Body {
        let write: StagedWrites.Write
        let file: Int64?
    }

    private func body(of write: StagedWrites.Write, noting files: inout [Int64]) throws(DiskFault) -> Body {
        let count = write.entry.data.count
        guard count > settings.inlineByteLimit, count <= maximumByteCount else { return Body(write: write, file: nil) }
        let file = try bodies.write(write.entry.data)
        files.append(file)
        return Body(write: write, file: file)
    }

    private func commit(_ bodies: [Body]) throws(DiskFault) {
        var obsolete: [Int64] = []
        try transaction { () throws(SQLiteError) in
            for body in bodies { try replace(with: body, noting: &obsolete) }
        }
        self.bodies.remove(obsolete)
    }

    /// An entry larger than the whole cache is not kept; the one it was to replace is gone all the same.
    private func replace(with body: Body, noting obsolete: inout [Int64]) throws(SQLiteError) {
        let key = DiskKey(body.write.key.text)
        obsolete += try statements.deleteKey.files([.bytes(key.digest)])
        let data = body.write.entry.data
        guard data.count <= maximumByteCount else { return }
        try statements.insertEntry.run(Self.values(of: body, key))
        guard body.file == nil else { return }
        try statements.insertBlob.run([.integer(database.lastInsertedRow), .image(data)])
    }

    private static func values(of body: Body, _ key: DiskKey) -> [SQLiteValue] {
        let entry = body.write.entry
        let source = body.write.key.source
        let count = entry.data.count
        return [
            .bytes(key.digest), .text(key.text), .text(source == key.text ? nil : source),
            .integer(sourceDigest(source)), .text(entry.url == source ? nil : entry.url), .text(entry.mediaType),
            .integer(entry.storedAt.microseconds), .integer(body.write.time), .integer(entry.expiry?.lifetime),
            .integer(entry.expiry?.isSliding == true ? 1 : 0), .integer(entry.expiry?.end(from: body.write.time)),
            .integer(count), .integer(count), .integer(entry.data.checksum), .integer(body.file), .integer(0),
            .bytes(entry.userInfo),
        ] + FreshnessRecord.values(of: entry.freshness)
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

    func remove(_ keys: some Sequence<DiskKey>) throws(DiskFault) {
        bodies.remove(
            try transaction { () throws(SQLiteError) in
                var files: [Int64] = []
                for key in keys { files += try statements.deleteKey.files([.bytes(key.digest)]) }
                return files
            })
    }

    func remove(source: String) throws(DiskFault) {
        let values: [SQLiteValue] = [.integer(Self.sourceDigest(source)), .text(source)]
        bodies.remove(try transaction { () throws(SQLiteError) in try statements.deleteSource.files(values) })
    }

    /// Removes the row, unless it has been written anew.
    func remove(_ row: EntryRow) throws(DiskFault) {
        let values: [SQLiteValue] = [.integer(row.id), .integer(row.checksum)]
        bodies.remove(try transaction { () throws(SQLiteError) in try statements.deleteDamaged.files(values) })
    }

    /// Removes everything, and gives the room back to the volume where nobody else is using the database just now.
    func removeAll() throws(DiskFault) {
        bodies.remove(try transaction { () throws(SQLiteError) in try statements.deleteAll.files() })
        try? database.execute("VACUUM; PRAGMA wal_checkpoint(TRUNCATE)")
    }

    func totals() throws(DiskFault) -> DiskTotals {
        try translatingErrors { () throws(SQLiteError) in try statements.totals.totals() }
    }

    func transaction<R>(_ body: () throws(SQLiteError) -> R) throws(DiskFault) -> R {
        let result = try translatingErrors { () throws(SQLiteError) in try database.transaction(.write, body) }
        log.hasGrown(to: database.logPageCount)
        return result
    }
}

/// What a cache holds on the disk.
struct DiskTotals: Sendable {
    var count = 0
    var byteCount = 0
}

/// The statements that write, prepared once.
private struct WriteStatements: ~Copyable {
    let insertEntry, insertBlob, touch, renew, deleteKey, deleteSource, deleteDamaged, deleteAll, totals: Statement
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
            deleteKey: try database.prepare("DELETE FROM entries WHERE digest = ? RETURNING file"),
            deleteSource: try database.prepare(
                "DELETE FROM entries WHERE source_digest = ? AND coalesce(source, key) = ? RETURNING file"),
            deleteDamaged: try database.prepare("DELETE FROM entries WHERE id = ? AND checksum = ? RETURNING file"),
            deleteAll: try database.prepare("DELETE FROM entries RETURNING file"),
            totals: try database.prepare("SELECT sum(entries), sum(bytes) FROM totals"))
    }
}

extension Statement {
    /// Runs a statement whose rows are numbers of files, or NULL.
    func files(_ values: [SQLiteValue] = []) throws(SQLiteError) -> [Int64] {
        var files: [Int64] = []
        try run(values) { row in
            if let file = row.integer(0) { files.append(file) }
        }
        return files
    }

    /// Runs a statement whose row is the number of entries and of bytes.
    func totals() throws(SQLiteError) -> DiskTotals {
        var totals = DiskTotals()
        try run { row in totals = DiskTotals(count: row.count(0), byteCount: row.count(1)) }
        return totals
    }
}
