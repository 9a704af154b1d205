import BowerbirdCore
import CSQLite
import Dispatch

/// Reads a disk cache through a connection of its own, so that a read never waits behind a write.
actor DiskReader {
    enum Answer: Sendable {
        case hit(CacheEntry, EntryRow)
        /// There is an entry. Its bytes were not looked at.
        case present(EntryRow)
        case miss
        /// The bytes are not those that were stored.
        case damaged(EntryRow)
        /// There is no database to read from, or not the present one.
        case unavailable
        /// The database itself is damaged.
        case corrupt(FileIdentity, DiskFault)
    }

    private let executor = QueueExecutor(label: "bowerbird.disk-cache.reader", quality: .userInitiated)
    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

    private let folder: CacheFolder
    private let settings: DiskCacheSettings
    private var connection: ReadConnection?

    init(folder: CacheFolder, settings: DiskCacheSettings) {
        self.folder = folder
        self.settings = settings
    }

    func read(_ key: DiskKey) -> Answer {
        answer { connection throws(SQLiteError) in try connection.read(key) }
    }

    /// Looks for the entry and not at its bytes.
    func find(_ key: DiskKey) -> Answer {
        answer { connection throws(SQLiteError) in try connection.row(key).map { .present($0) } ?? .miss }
    }

    private func answer(_ ask: (ReadConnection) throws(SQLiteError) -> Answer) -> Answer {
        guard let connection = openConnection() else { return .unavailable }
        do throws(SQLiteError) {
            return try ask(connection)
        } catch {
            let fault = DiskFault(error)
            return fault.reason == .corrupt ? .corrupt(connection.identity, fault) : .miss
        }
    }

    private func openConnection() -> ReadConnection? {
        if let connection, connection.identity == folder.databaseIdentity { return connection }
        connection = try? ReadConnection(folder, settings)
        return connection
    }
}

/// A connection that only reads.
private final class ReadConnection {
    let identity: FileIdentity
    private let database: Database
    private let bodies: BodyFiles
    private let find, tags: Statement

    init(_ folder: CacheFolder, _ settings: DiskCacheSettings) throws(SQLiteError) {
        // Asked before opening: a database that is replaced in between is then seen as replaced.
        guard let identity = folder.databaseIdentity else {
            throw SQLiteError(code: SQLITE_CANTOPEN, message: "there is no database")
        }
        self.identity = identity
        bodies = BodyFiles(folder: folder.bodies)
        database = try Database(path: folder.database, access: .readOnly, busyTimeout: settings.busyTimeout)
        try Schema.check(database)
        tags = try database.prepare("SELECT tag FROM tags WHERE entry = ?")
        find = try database.prepare("SELECT \(EntryRow.columns) FROM entries WHERE digest = ? AND key = ?")
    }

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
            switch bodies.read(file, count: row.length) {
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
