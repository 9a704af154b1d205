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
    private let find, tags: Statement

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
        tags = try database.prepare("SELECT tag FROM tags WHERE entry = ?")
        find = try database.prepare("SELECT \(EntryRow.columns) FROM entries WHERE digest = ? AND key = ?")
    }

    /// Whether a statement of it has been begun and not ended: then it holds the log up.
    var isBusy: Bool { database.isBusy }

    func row(_ key: DiskKey) throws(SQLiteError) -> EntryRow? {
        var found: EntryRow?
        try find.run([.bytes(key.digest), .text(key.text)]) { found = EntryRow($0) }
        if let row = found, row.tagCount > 0 { found?.tags = try tags.texts([.integer(row.id)]) }
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

    /// The row and, where the database has them, its bytes, from one view of the data.
    private func lookUp(_ key: DiskKey) throws(SQLiteError) -> (EntryRow, EncodedImage?)? {
        try database.transaction(.read) { () throws(SQLiteError) in
            guard let found = try row(key) else { return nil }
            return (found, found.file == nil ? try inlineBytes(of: found) : nil)
        }
    }

    private func inlineBytes(of row: EntryRow) throws(SQLiteError) -> EncodedImage? {
        try database.blob(table: "blobs", column: "bytes", row: row.id, count: row.length)
    }
}
