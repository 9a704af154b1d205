import BowerbirdCore
import CSQLite

/// One connection to a database file.
///
/// Invariant of the `unsafe` marks: `handle` is open from `init` to `deinit`. A connection is used by one actor only.
@safe
struct Database: ~Copyable {
    private let handle: OpaquePointer

    enum Access {
        case readOnly
        /// Nothing is written beside the file either, and nobody else may be writing to it: its log is not looked at.
        case immutable
        /// Makes the file where there is none.
        case readWrite
    }

    /// Opens the file. `busyTimeout` is how long a call waits for a lock of another connection.
    init(path: String, access: Access, busyTimeout: Duration) throws(SQLiteError) {
        let name = access == .immutable ? Self.immutableName(of: path) : path
        var opened: OpaquePointer?
        let code = unsafe sqlite3_open_v2(name, &opened, access.flags | SQLITE_OPEN_NOMUTEX, nil)
        guard code == SQLITE_OK, let opened = unsafe opened else {
            defer { unsafe sqlite3_close_v2(opened) }
            throw unsafe SQLiteError(of: opened)
        }
        unsafe handle = opened
        unsafe sqlite3_extended_result_codes(handle, 1)
        unsafe sqlite3_busy_timeout(handle, Int32(busyTimeout / .milliseconds(1)))
    }

    private static func immutableName(of path: String) -> String {
        let escaped = path.utf8.map { byte in
            let isPlain = byte < 0x80 && !"%?#".utf8.contains(byte)
            return isPlain ? String(UnicodeScalar(byte)) : "%" + String(byte, radix: 16)
        }
        return (path.hasPrefix("/") ? "file://" : "file:") + escaped.joined() + "?immutable=1"
    }

    // The connection outlives this call while a statement of it is still there.
    deinit { unsafe sqlite3_close_v2(handle) }

    func prepare(_ sql: String) throws(SQLiteError) -> Statement {
        var prepared: OpaquePointer?
        let code = unsafe sqlite3_prepare_v3(handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &prepared, nil)
        guard code == SQLITE_OK, let prepared = unsafe prepared else { throw lastError }
        return unsafe Statement(handle: prepared)
    }

    /// Runs statements that have no parameters and whose rows nobody wants.
    func execute(_ sql: String) throws(SQLiteError) {
        guard unsafe sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK else { throw lastError }
    }

    /// The first column of the first row of `sql`.
    func integer(_ sql: String) throws(SQLiteError) -> Int64? {
        var result: Int64?
        try prepare(sql).run { row in result = result ?? row.integer(0) }
        return result
    }

    enum Transaction: String {
        /// One unchanging view of the data for several reads.
        case read = "BEGIN"
        /// Takes the write lock at once, so that nothing in it can fail for want of it.
        case write = "BEGIN IMMEDIATE"
    }

    /// All of `body`, or none of it.
    func transaction<R>(_ kind: Transaction, _ body: () throws(SQLiteError) -> R) throws(SQLiteError) -> R {
        try execute(kind.rawValue)
        do throws(SQLiteError) {
            let result = try body()
            try execute("COMMIT")
            return result
        } catch {
            // SQLite has already rolled back after some errors; then there is nothing left to end.
            try? execute("ROLLBACK")
            throw error
        }
    }

    /// Whether a statement has been begun and not ended, or a transaction.
    var isBusy: Bool {
        var statement = unsafe sqlite3_next_stmt(handle, nil)
        while let one = unsafe statement {
            if unsafe sqlite3_stmt_busy(one) != 0 { return true }
            unsafe statement = sqlite3_next_stmt(handle, one)
        }
        return unsafe sqlite3_get_autocommit(handle) == 0
    }

    var lastInsertedRow: Int64 { unsafe sqlite3_last_insert_rowid(handle) }

    /// Brings the log into the database file and starts the log anew, so that it needs no more room than it has.
    func restartLog() throws(SQLiteError) {
        let code = unsafe sqlite3_wal_checkpoint_v2(handle, nil, SQLITE_CHECKPOINT_RESTART, nil, nil)
        guard code == SQLITE_OK else { throw lastError }
    }

    /// Copies a blob out, page by page, without the detour of a result row. Nil when there is none, when it has
    /// not `count` bytes, or when the machine has not that much memory.
    func blob(table: String, column: String, row: Int64, count: Int) throws(SQLiteError) -> EncodedImage? {
        var blob: OpaquePointer?
        let isOpen = unsafe sqlite3_blob_open(handle, "main", table, column, row, 0, &blob) == SQLITE_OK
        defer { unsafe sqlite3_blob_close(blob) }
        guard isOpen else {
            // There is no such row.
            if lastError.code == SQLITE_ERROR { return nil }
            throw lastError
        }
        guard unsafe Int(sqlite3_blob_bytes(blob)) == count, let storage = ByteStorage(capacity: count) else {
            return nil
        }
        let code = unsafe sqlite3_blob_read(blob, storage.bytes.baseAddress, Int32(count), 0)
        guard code == SQLITE_OK else { throw lastError }
        return EncodedImage(storage: storage, count: count)
    }

    private var lastError: SQLiteError { unsafe SQLiteError(of: handle) }
}

extension Database.Access {
    fileprivate var flags: Int32 {
        switch self {
        case .readOnly: SQLITE_OPEN_READONLY
        case .immutable: SQLITE_OPEN_READONLY | SQLITE_OPEN_URI
        case .readWrite: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
        }
    }
}
