import BowerbirdCore
import CSQLite
import Glibc

/// The store of format 2: `entries.sqlite` and `bodies/<16 digits>` lay in the folder of the cache itself, and the files
/// said nothing of their entries.
final class FlatStore: Predecessor {
    private let folder: CacheFolder
    private let database: Database
    private let select: Statement
    private static let stepCount = 64

    init(_ folder: CacheFolder, _ database: consuming Database) throws(SQLiteError) {
        self.folder = folder
        select = try database.prepare(
            """
            SELECT id, digest, key, source, url, media_type, stored_at, accessed_at, length, checksum, file, user_info,
                   \(FreshnessRecord.columns)
            FROM entries ORDER BY id LIMIT \(Self.stepCount)
            """)
        self.database = database
    }

    /// All in one transaction of the old database: nobody else is at the same entries meanwhile, and what is taken over
    /// leaves there, so that it does not come back after it was removed here.
    func takeOverSome(into store: DiskStore) throws(DiskFault) -> Bool {
        try execute("BEGIN IMMEDIATE")
        do throws(DiskFault) {
            let isMore = try moveSome(to: store)
            try execute("COMMIT")
            return isMore
        } catch {
            try? execute("ROLLBACK")
            throw error
        }
    }

    private func execute(_ sql: String) throws(DiskFault) {
        try translatingErrors { () throws(SQLiteError) in try database.execute(sql) }
    }

    private func moveSome(to store: DiskStore) throws(DiskFault) -> Bool {
        let entries = try translatingErrors { () throws(SQLiteError) in
            var entries: [Entry] = []
            try select.run { entries.append(Entry($0)) }
            return entries
        }
        guard let last = entries.last else { return false }
        try store.takeOver(entries.compactMap(file))
        try store.changing { () throws(SQLiteError) in
            for entry in entries where entry.file == nil {
                guard let data = try bytes(of: entry) else { continue }
                try store.takeOver(entry.facts, data)
            }
        }
        try execute("DELETE FROM entries WHERE id <= \(last.row)")
        return true
    }

    private struct Entry {
        let row: Int64
        let file: Int64?
        let facts: EntryFacts

        init(_ row: borrowing Row) {
            self.row = row.integer(0) ?? 0
            file = row.integer(10)
            facts = EntryFacts(
                key: row.text(2) ?? "", source: row.text(3) ?? "", url: row.text(4) ?? "", mediaType: row.text(5),
                storedAt: row.integer(6) ?? 0, writtenAt: row.integer(7) ?? 0, expiry: nil, tags: [],
                userInfo: row.bytes(11), freshness: FreshnessRecord(row, from: 12), length: row.count(8),
                checksum: row.integer(9) ?? 0)
        }
    }

    private func bytes(of entry: Entry) throws(SQLiteError) -> EncodedImage? {
        var image: EncodedImage?
        try database.prepare("SELECT bytes FROM blobs WHERE id = ?").run([.integer(entry.row)]) { row in
            image = row.image(0, count: entry.facts.length)
        }
        return image
    }

    /// The file, with the facts written behind its body. Nil where it is too short.
    private func file(of entry: Entry) -> FoundFile? {
        guard let number = entry.file else { return nil }
        let path = "\(folder.path)/bodies/\(FileNames.hexadecimal(UInt64(bitPattern: number)))"
        guard Self.append(entry.facts, to: path) else { return nil }
        let name = BodyName(digest: DiskKey(entry.facts.key).digest, generation: number)
        return FoundFile(path: path, name: name, facts: entry.facts)
    }

    /// A process that was killed may have written them already, or a part.
    private static func append(_ facts: EntryFacts, to path: String) -> Bool {
        do throws(SystemError) {
            let file = try OpenFile(path, O_WRONLY | O_APPEND)
            guard let length = file.length, length >= facts.length else { return false }
            try file.resize(to: facts.length)
            try unsafe BodyTrailer.bytes(of: facts).span.bytes.withUnsafeBytes { bytes throws(SystemError) in
                try unsafe file.write(bytes)
            }
            return true
        } catch {
            return false
        }
    }

    func discard() { folder.discardFlatStore() }
}

extension CacheFolder {
    var flatDatabase: String { path + "/entries.sqlite" }

    func discardFlatStore() {
        for name in ["bodies", "entries.sqlite", "entries.sqlite-wal", "entries.sqlite-shm"] {
            discard(StoreFolder(path: "\(path)/\(name)"))
        }
    }
}
