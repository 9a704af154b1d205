import BowerbirdCore

/// The writing side of a disk cache: its one connection that writes, and its files. Everything here blocks.
final class DiskStore {
    let folder: CacheFolder
    let bodies: BodyFiles
    let database: Database
    let settings: DiskCacheSettings
    let identity: FileIdentity
    /// What the entries may take of this volume, in bytes, where nobody has said otherwise.
    let defaultByteCount: Int
    private let statements: WriteStatements
    private let log: LogKeeper
    let eviction: EvictionStatements

    /// Opens the database of a folder that is there; makes it where there is none.
    init(_ folder: CacheFolder, _ settings: DiskCacheSettings) throws(DiskFault) {
        self.folder = folder
        self.settings = settings
        bodies = BodyFiles(folder: folder.bodies)
        defaultByteCount = Self.defaultByteCount(onVolumeOf: folder.volumeByteCount ?? 0)
        do throws(SQLiteError) {
            database = try Database(path: folder.database, access: .readWrite, busyTimeout: settings.busyTimeout)
            try Schema.prepare(database, settings.durability)
            statements = try WriteStatements(database)
            eviction = try EvictionStatements(database)
            try Self.advance(settings.clock, database)
        } catch {
            throw DiskFault(error)
        }
        log = LogKeeper(path: folder.database, settings)
        guard let identity = folder.databaseIdentity else { throw DiskFault(.last, path: folder.database) }
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
        /// What the bytes take of the volume; nil where the entry is too large to be kept.
        let allocated: Int?
    }

    private func body(of write: StagedWrites.Write, noting files: inout [Int64]) throws(DiskFault) -> Body {
        let count = write.entry.data.count
        guard count <= maximumByteCount, limits.count > 0 else { return Body(write: write, file: nil, allocated: nil) }
        guard count > settings.inlineByteLimit else {
            return Body(write: write, file: nil, allocated: Schema.allocatedByteCount(ofInline: count))
        }
        let file = try bodies.write(write.entry.data)
        files.append(file)
        return Body(write: write, file: file, allocated: bodies.allocatedByteCount(of: file) ?? count)
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
        guard let allocated = body.allocated else { return }
        try statements.insertEntry.run(values(of: body, key, allocated))
        guard body.file == nil else { return }
        try statements.insertBlob.run([.integer(database.lastInsertedRow), .image(body.write.entry.data)])
    }

    private func values(of body: Body, _ key: DiskKey, _ allocated: Int) -> [SQLiteValue] {
        let entry = body.write.entry
        let source = body.write.key.source
        let storedAt = entry.storedAt.microseconds
        let expiresAt = entry.expiry?.end(storedAt: storedAt, usedAt: min(body.write.time, settings.clock.now))
        return [
            .bytes(key.digest), .text(key.text), .text(source == key.text ? nil : source),
            .integer(Self.sourceDigest(source)), .text(entry.url == source ? nil : entry.url), .text(entry.mediaType),
            .integer(storedAt), .integer(settings.clock.settled(body.write.time)), .integer(entry.expiry?.lifetime),
            .integer(entry.expiry?.isSliding == true ? 1 : 0), .integer(expiresAt), .integer(entry.data.count),
            .integer(allocated), .integer(entry.data.checksum), .integer(body.file), .integer(0),
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
    func remove(_ row: EntryRow) throws(DiskFault) { try remove(row.id, withChecksum: row.checksum) }

    func remove(_ row: Int64, withChecksum checksum: Int64) throws(DiskFault) {
        let values: [SQLiteValue] = [.integer(row), .integer(checksum)]
        bodies.remove(try transaction { () throws(SQLiteError) in try statements.deleteDamaged.files(values) })
    }

    /// Removes everything, and gives the room back to the volume where nobody else is using the database just now.
    func removeAll() throws(DiskFault) {
        bodies.remove(try transaction { () throws(SQLiteError) in try statements.deleteAll.files() })
        try? database.execute("VACUUM; PRAGMA wal_checkpoint(TRUNCATE)")
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
private struct WriteStatements: ~Copyable {
    let insertEntry, insertBlob, renew, deleteKey, deleteSource, deleteDamaged, deleteAll, totals: Statement
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
            deleteKey: try database.prepare("DELETE FROM entries WHERE digest = ? RETURNING file"),
            deleteSource: try database.prepare(
                "DELETE FROM entries WHERE source_digest = ? AND coalesce(source, key) = ? RETURNING file"),
            deleteDamaged: try database.prepare("DELETE FROM entries WHERE id = ? AND checksum = ? RETURNING file"),
            deleteAll: try database.prepare("DELETE FROM entries RETURNING file"),
            totals: try database.prepare(DiskTotals.query))
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
}
