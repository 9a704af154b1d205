import Bowerbird
import CSQLite
import Glibc

/// One file an entry, written beside its place and renamed: the design of Nuke and Kingfisher. On Linux they wait for the
/// disk with each, because Foundation's `Data.write` does.
struct FileStore: MeasuredDiskStore {
    let folder: String
    let entries: DiskEntries
    let waitsForDisk: Bool

    func write(_ numbers: Range<Int>) throws {
        for number in numbers {
            try writeFile(entries.data, to: path(number) + ".new", waitsForDisk: waitsForDisk)
            guard rename(path(number) + ".new", path(number)) == 0 else { throw CannotMeasure("rename failed") }
        }
    }

    func read(_ number: Int) -> Int? { readFile(path(number)) }

    func remove(_ numbers: Range<Int>) {
        for number in numbers { unlink(path(number)) }
    }

    /// Lists the folder and looks at each file, then removes the older half.
    func trimHalf() throws {
        let dated = try namesOfFiles(in: folder).map { name -> (time: Int, path: String) in
            var facts = stat()
            guard stat("\(folder)/\(name)", &facts) == 0 else { throw CannotMeasure("stat failed") }
            return (facts.st_atim.tv_sec * 1_000_000_000 + facts.st_atim.tv_nsec, "\(folder)/\(name)")
        }
        for file in dated.sorted(by: { $0.time < $1.time }).prefix(entries.count / 2) { unlink(file.path) }
    }

    private func path(_ number: Int) -> String { "\(folder)/\(entries.names[number])" }
}

/// One table with the bytes in it up to 20,480 bytes, and files above: the design of BBWebImage and YYCache. Each entry is
/// a transaction; a read notes the time of the access.
final class TableStore: MeasuredDiskStore {
    private let folder: String
    private let entries: DiskEntries
    private let waitsForDisk: Bool
    private var database: OpaquePointer?
    private var insert, find, touch, delete: OpaquePointer?

    init(_ folder: String, _ entries: DiskEntries, waitsForDisk: Bool) throws {
        self.folder = folder
        self.entries = entries
        self.waitsForDisk = waitsForDisk
        guard sqlite3_open(folder + "/manifest.sqlite", &database) == SQLITE_OK else { throw failure }
        try execute(
            """
            PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;
            CREATE TABLE IF NOT EXISTS manifest (
                key TEXT, filename TEXT, size INTEGER, inline_data BLOB, modification_time INTEGER,
                last_access_time INTEGER, extended_data BLOB, PRIMARY KEY (key));
            CREATE INDEX IF NOT EXISTS last_access_time_idx ON manifest (last_access_time)
            """)
        insert = try prepare("INSERT OR REPLACE INTO manifest VALUES (?1, ?2, ?3, ?4, ?5, ?5, NULL)")
        find = try prepare("SELECT filename, inline_data FROM manifest WHERE key = ?1")
        touch = try prepare("UPDATE manifest SET last_access_time = ?1 WHERE key = ?2")
        delete = try prepare("DELETE FROM manifest WHERE key = ?1")
    }

    deinit {
        for statement in [insert, find, touch, delete] { sqlite3_finalize(statement) }
        sqlite3_close(database)
    }

    private var isInline: Bool { entries.byteCount <= 20_480 }

    func write(_ numbers: Range<Int>) throws {
        for number in numbers {
            if !isInline { try writeFile(entries.data, to: path(number), waitsForDisk: waitsForDisk) }
            bind(number, to: insert, 1)
            if isInline {
                entries.data.withUnsafeBytes { _ = sqlite3_bind_blob(insert, 4, $0.baseAddress, Int32($0.count), nil) }
            } else {
                bowerbird_sqlite3_bind_copied_text(insert, 2, entries.names[number], 40)
            }
            sqlite3_bind_int64(insert, 3, Int64(entries.byteCount))
            sqlite3_bind_int64(insert, 5, Int64(time(nil)))
            try finish(insert)
        }
    }

    func read(_ number: Int) throws -> Int? {
        bind(number, to: find, 1)
        defer { sqlite3_reset(find) }
        guard sqlite3_step(find) == SQLITE_ROW else { return nil }
        let count = isInline ? copyBytes() : readFile(path(number))
        sqlite3_reset(find)
        sqlite3_bind_int64(touch, 1, Int64(time(nil)))
        bind(number, to: touch, 2)
        try finish(touch)
        return count
    }

    private func copyBytes() -> Int {
        let count = Int(sqlite3_column_bytes(find, 1))
        guard let memory = malloc(count), let bytes = sqlite3_column_blob(find, 1) else { return 0 }
        memcpy(memory, bytes, count)
        free(memory)
        return count
    }

    func remove(_ numbers: Range<Int>) throws {
        for number in numbers {
            if !isInline { unlink(path(number)) }
            bind(number, to: delete, 1)
            try finish(delete)
        }
    }

    /// 16 at a time, each row by itself, as they do.
    func trimHalf() throws {
        let oldest = try prepare("SELECT key, filename FROM manifest ORDER BY last_access_time LIMIT 16")
        defer { sqlite3_finalize(oldest) }
        var removed = 0
        while removed < entries.count / 2 {
            var keys: [(key: String, file: String?)] = []
            while sqlite3_step(oldest) == SQLITE_ROW {
                keys.append((text(oldest, 0) ?? "", text(oldest, 1)))
            }
            sqlite3_reset(oldest)
            for (key, file) in keys {
                if let file { unlink("\(folder)/\(file)") }
                bowerbird_sqlite3_bind_copied_text(delete, 1, key, Int32(key.utf8.count))
                try finish(delete)
            }
            removed += keys.count
        }
        try execute("PRAGMA wal_checkpoint")
    }

    private func path(_ number: Int) -> String { "\(folder)/\(entries.names[number])" }

    private func text(_ statement: OpaquePointer?, _ column: Int32) -> String? {
        sqlite3_column_text(statement, column).map { String(cString: $0) }
    }

    private func bind(_ number: Int, to statement: OpaquePointer?, _ index: Int32) {
        let text = entries.keys[number].text
        bowerbird_sqlite3_bind_copied_text(statement, index, text, Int32(text.utf8.count))
    }

    private func finish(_ statement: OpaquePointer?) throws {
        guard sqlite3_step(statement) == SQLITE_DONE else { throw failure }
        sqlite3_reset(statement)
    }

    private func prepare(_ sql: String) throws -> OpaquePointer? {
        var statement: OpaquePointer?
        guard sqlite3_prepare_v2(database, sql, -1, &statement, nil) == SQLITE_OK else { throw failure }
        return statement
    }

    private func execute(_ sql: String) throws {
        guard sqlite3_exec(database, sql, nil, nil, nil) == SQLITE_OK else { throw failure }
    }

    private var failure: CannotMeasure { CannotMeasure(String(cString: sqlite3_errmsg(database))) }
}

/// All bytes of all entries one behind the other: where each lies needs no looking up. Reading is one `pread`.
final class FlatFile {
    private let descriptor: Int32
    private let entries: DiskEntries
    /// A reader that hands the bytes on needs new memory for each; one that has no use for them does not.
    private let memory: UnsafeMutableRawPointer?

    init(_ path: String, _ entries: DiskEntries, takesFreshMemory: Bool) throws {
        self.entries = entries
        descriptor = open(path, O_RDWR | O_CREAT, 0o600)
        // At a line of the processor's cache, as ours.
        memory = takesFreshMemory ? nil : aligned_alloc(64, (entries.byteCount + 63) / 64 * 64)
        for _ in entries.numbers {
            entries.data.withUnsafeBytes { _ = Glibc.write(descriptor, $0.baseAddress, $0.count) }
        }
    }

    deinit {
        close(descriptor)
        free(memory)
    }

    func read(_ number: Int) -> Int {
        if let memory { return pread(descriptor, memory, entries.byteCount, number * entries.byteCount) }
        var fresh: UnsafeMutableRawPointer?
        posix_memalign(&fresh, 64, entries.byteCount)
        defer { free(fresh) }
        return pread(descriptor, fresh, entries.byteCount, number * entries.byteCount)
    }
}

private func writeFile(_ data: EncodedImage, to path: String, waitsForDisk: Bool) throws {
    let file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    defer { close(file) }
    let written = data.withUnsafeBytes { write(file, $0.baseAddress, $0.count) }
    guard written == data.count, !waitsForDisk || fsync(file) == 0 else { throw CannotMeasure("\(path): write failed") }
}

/// `open`, `fstat`, `pread` into new memory, `close`.
private func readFile(_ path: String) -> Int? {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var facts = stat()
    var memory: UnsafeMutableRawPointer?
    guard fstat(file, &facts) == 0, posix_memalign(&memory, 64, facts.st_size) == 0 else { return nil }
    defer { free(memory) }
    return pread(file, memory, facts.st_size, 0)
}

private func namesOfFiles(in folder: String) throws -> [String] {
    guard let listing = opendir(folder) else { throw CannotMeasure("\(folder) cannot be listed") }
    defer { closedir(listing) }
    var names: [String] = []
    while let item = readdir(listing) {
        let name = withUnsafePointer(to: item.pointee.d_name) {
            $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
        }
        if !name.hasPrefix(".") { names.append(name) }
    }
    return names
}
