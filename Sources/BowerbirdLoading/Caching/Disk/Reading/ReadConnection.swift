import BowerbirdCore
import CSQLite

/// A connection that only reads.
///
/// Invariant of the `@unchecked Sendable`: it is used by the one thread that took it out of the pool of its `DiskReader`,
/// until that puts it back.
final class ReadConnection: @unchecked Sendable {
    let identity: FileIdentity
    private let database: Database
    private let bodies: BodyFiles
    private let find, facts, tags: Statement

    init(_ folder: CacheFolder, _ settings: DiskCacheSettings) throws(SQLiteError) {
        // Asked before opening: a database that is replaced in between is then seen as replaced.
        guard let place = folder.currentStore, let identity = place.databaseIdentity else {
            throw SQLiteError(code: SQLITE_CANTOPEN, message: "there is no database")
        }
        self.identity = identity
        bodies = BodyFiles(folder: place.bodies)
        database = try Database(
            path: place.database, access: place.readAccess(settings), busyTimeout: settings.busyTimeout)
        try Schema.check(database)
        // 8 MB. In the 2 MB of the default the facts of 10,000 entries make room for bytes that pass through once.
        try database.execute("PRAGMA cache_size = -8000")
        // The bytes last: they are not looked for where a file has them.
        find = try database.prepare(
            """
            SELECT \(EntryRow.columns), bytes
            FROM entries LEFT JOIN blobs ON blobs.id = entries.id AND file IS NULL WHERE digest = ? AND key = ?
            """)
        facts = try database.prepare("SELECT \(EntryRow.columns) FROM entries WHERE digest = ? AND key = ?")
        tags = try database.prepare("SELECT tag FROM tags WHERE entry = ?")
    }

    func beginView() throws(SQLiteError) { try database.beginView() }
    func endView() { database.endView() }
    var logPageCount: Int? { database.sharedLogPageCount }

    /// Whether a statement of it has been begun and not ended: then it holds the log up.
    var isBusy: Bool { database.isBusy }

    func row(_ key: DiskKey) throws(SQLiteError) -> EntryRow? {
        var found: EntryRow?
        try facts.run(key) { found = EntryRow($0, key: key.text) }
        if let row = found { found?.tags = try texts(ofTagsOf: row) }
        return found
    }

    /// A file that is missing may have been replaced, with its row, between two looks; one that is missing twice under
    /// the same number is lost.
    func read(_ key: DiskKey) throws(SQLiteError) -> DiskReader.Answer {
        var missing: EntryRow?
        while true {
            guard let (row, inline) = try lookUp(key) else { return .miss }
            guard let file = row.file else { return answer(row, inline) }
            switch bodies.read(BodyName(digest: key.digest, generation: file), count: row.length) {
            case .complete(let data): return answer(row, data)
            case .missing where missing?.file != file: missing = row
            case .missing, .damaged: return .damaged(row)
            }
        }
    }

    private func answer(_ row: EntryRow, _ data: EncodedImage?) -> DiskReader.Answer {
        guard let data, let entry = row.entry(with: data) else { return .damaged(row) }
        return .hit(entry, row)
    }

    /// The row and, where the database has them, its bytes: in one statement, which is one view of the data.
    private func lookUp(_ key: DiskKey) throws(SQLiteError) -> (EntryRow, EncodedImage?)? {
        var found: (EntryRow, EncodedImage?)?
        try find.run(key) { row in
            let entry = EntryRow(row, key: key.text)
            found = (entry, entry.file == nil ? row.image(EntryRow.columnCount, count: entry.length) : nil)
        }
        if let row = found?.0 { found?.0.tags = try texts(ofTagsOf: row) }
        return found
    }

    private func texts(ofTagsOf row: EntryRow) throws(SQLiteError) -> Set<String> {
        row.tagCount == 0 ? [] : try tags.texts([.integer(row.id)])
    }
}
