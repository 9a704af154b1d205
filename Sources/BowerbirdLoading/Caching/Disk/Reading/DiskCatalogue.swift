import BowerbirdCore
import CSQLite
import Dispatch
import FoundationEssentials

/// Who looks through a disk cache as a whole, on a queue and through a connection of its own: readers and the writer go
/// on meanwhile.
actor DiskCatalogue {
    private let executor = QueueExecutor(label: "bowerbird.disk-cache.catalogue", quality: .utility)
    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

    let folder: CacheFolder
    let settings: DiskCacheSettings
    private var connection: CatalogueConnection?

    init(folder: CacheFolder, settings: DiskCacheSettings) {
        self.folder = folder
        self.settings = settings
    }

    /// In two looks: which entries, and then, some hundred at a time, what they are. One that goes in between is left out.
    func list(_ query: DiskCache.Query, limit: Int, order: DiskCache.Order) async -> [DiskCache.CachedFile] {
        let rows = rows(query, limit: limit, order: order)
        var files: [DiskCache.CachedFile] = []
        for start in stride(from: 0, to: rows.count, by: 256) {
            files += facts(of: rows[start..<min(start + 256, rows.count)])
            await Task.yield()
        }
        return files
    }

    func rows(_ query: DiskCache.Query, limit: Int, order: DiskCache.Order) -> [Int64] {
        guard limit > 0 else { return [] }
        return ask([]) { connection throws(SQLiteError) in
            try connection.rows(conditions(query), limit: limit, order: order)
        }
    }

    func facts(of rows: ArraySlice<Int64>) -> [DiskCache.CachedFile] {
        let general = settings.limits.value.expiry
        return ask([]) { connection throws(SQLiteError) in try connection.files(rows, expiry: general) }
    }

    func count(_ query: DiskCache.Query) -> Int {
        ask(0) { connection throws(SQLiteError) in try connection.count(conditions(query)) }
    }

    func keys(ofSource source: String) -> [CacheKey] {
        ask([]) { connection throws(SQLiteError) in try connection.keys(ofSource: source) }
    }

    func pinNames() -> Set<String> {
        ask([]) { connection throws(SQLiteError) in
            try connection.database.prepare("SELECT DISTINCT name FROM pins").texts()
        }
    }

    func pins(named name: String) -> [DiskCache.PinList.Pin] {
        ask([]) { connection throws(SQLiteError) in try connection.pins(named: name) }
    }

    private func conditions(_ query: DiskCache.Query) -> RowConditions {
        RowConditions(query, now: settings.clock.now, expiry: settings.limits.value.expiry)
    }

    /// What cannot be read is not there.
    func ask<R>(_ otherwise: R, _ question: (CatalogueConnection) throws(SQLiteError) -> R) -> R {
        guard let connection = openConnection() else { return otherwise }
        return (try? question(connection)) ?? otherwise
    }

    private func openConnection() -> CatalogueConnection? {
        if let connection, connection.identity == folder.databaseIdentity { return connection }
        connection = try? CatalogueConnection(folder, settings)
        return connection
    }
}

/// The questions to the database.
final class CatalogueConnection {
    let identity: FileIdentity
    let database: Database

    init(_ folder: CacheFolder, _ settings: DiskCacheSettings) throws(SQLiteError) {
        guard let place = folder.currentStore, let identity = place.databaseIdentity else {
            throw SQLiteError(code: SQLITE_CANTOPEN, message: "there is no database")
        }
        self.identity = identity
        database = try Database(path: place.database, access: .readOnly, busyTimeout: settings.busyTimeout)
        try Schema.check(database)
    }

    func rows(_ conditions: RowConditions, limit: Int, order: DiskCache.Order) throws(SQLiteError) -> [Int64] {
        var rows: [Int64] = []
        let query = "SELECT id FROM entries WHERE \(conditions.sql) ORDER BY \(order.sql) LIMIT ?"
        try database.prepare(query).run(conditions.values + [.integer(limit)]) { row in
            if let id = row.integer(0) { rows.append(id) }
        }
        return rows
    }

    func count(_ conditions: RowConditions) throws(SQLiteError) -> Int {
        var count = 0
        try database.prepare("SELECT count(*) FROM entries WHERE \(conditions.sql)").run(conditions.values) { row in
            count = row.count(0)
        }
        return count
    }

    func files(_ rows: ArraySlice<Int64>, expiry: CacheExpiry) throws(SQLiteError) -> [DiskCache.CachedFile] {
        let facts = try database.prepare("SELECT \(DiskCache.CachedFile.columns) FROM entries WHERE id = ?")
        let tags = try database.prepare("SELECT tag FROM tags WHERE entry = ?")
        var files: [DiskCache.CachedFile] = []
        for row in rows {
            var file: DiskCache.CachedFile?
            var hasTags = false
            try facts.run([.integer(row)]) { row in
                file = DiskCache.CachedFile(row, expiry: expiry)
                hasTags = row.count(DiskCache.CachedFile.tagCountColumn) > 0
            }
            if hasTags { file?.tags = try tags.texts([.integer(row)]) }
            if let file { files.append(file) }
        }
        return files
    }

    func keys(ofSource source: String) throws(SQLiteError) -> [CacheKey] {
        var keys: [CacheKey] = []
        let query = "SELECT key FROM entries WHERE \(SourceRows.condition)"
        try database.prepare(query).run(SourceRows.values(source)) { row in
            keys.append(CacheKey(row.text(0) ?? "", source: source))
        }
        return keys
    }

    func pins(named name: String) throws(SQLiteError) -> [DiskCache.PinList.Pin] {
        var pins: [DiskCache.PinList.Pin] = []
        let query = """
            SELECT pins.key, entries.source, coalesce(entries.url, entries.source, entries.key)
            FROM pins LEFT JOIN entries ON entries.digest = pins.digest WHERE name = ? ORDER BY pins.key
            """
        try database.prepare(query).run([.text(name)]) { row in
            pins.append(DiskCache.PinList.Pin(key: row.text(0) ?? "", source: row.text(1), url: row.text(2)))
        }
        return pins
    }
}

extension DiskCache.CachedFile {
    static let columns = """
        key, source, coalesce(url, source, key), media_type, length, allocated, file IS NULL, tag_count,
        \(Lifespan.columns)
        """
    static let tagCountColumn: Int32 = 7

    init(_ row: borrowing Row, expiry: CacheExpiry) {
        let lifespan = Lifespan(row, from: 8)
        self.init(
            key: CacheKey(row.text(0) ?? "", source: row.text(1)), url: row.text(2) ?? "", mediaType: row.text(3),
            byteCount: row.count(4), allocatedByteCount: row.count(5), storedAt: Date(microseconds: lifespan.storedAt),
            usedAt: Date(microseconds: lifespan.accessedAt),
            expiresAt: lifespan.end(by: expiry, lastUse: nil).map { Date(microseconds: $0) },
            isPinned: lifespan.isPinned, isInline: row.integer(6) == 1, tags: [])
    }
}
