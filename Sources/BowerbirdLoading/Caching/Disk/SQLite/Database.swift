import BowerbirdCore
import CSQLite

/// One connection to a database file.
///
/// Invariant of the `unsafe` marks: the handle is open from `init` to `deinit`. A connection is used by one thread at a
/// time.
@safe
struct Database: ~Copyable {
    private let connection: Connection
    private let begin, beginImmediate, commit, rollback: Statement

    private var handle: OpaquePointer { unsafe connection.handle }

    enum Access {
        case readOnly
        /// Nothing is written beside the file either, and nobody else may be writing to it: its log is not looked at.
        case immutable
        /// Makes the file where there is none.
        case readWrite
        /// Writes, and makes no file.
        case existing

        fileprivate var flags: Int32 {
            switch self {
            case .readOnly: SQLITE_OPEN_READONLY
            case .immutable: SQLITE_OPEN_READONLY | SQLITE_OPEN_URI
            case .readWrite: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
            case .existing: SQLITE_OPEN_READWRITE
            }
        }
    }

    /// How many pages the log had after the last commit of this connection.
    var logPageCount: Int { connection.logPageCount }

    func prepare(_ sql: String) throws(SQLiteError) -> Statement { try connection.prepare(sql) }

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

    enum Transaction {
        /// One unchanging view of the data for several reads.
        case read
        /// Takes the write lock at once, so that nothing in it can fail for want of it.
        case write
    }

    /// All of `body`, or none of it.
    func transaction<R>(_ kind: Transaction, _ body: () throws(SQLiteError) -> R) throws(SQLiteError) -> R {
        switch kind {
        case .read: try begin.run()
        case .write: try beginImmediate.run()
        }
        do throws(SQLiteError) {
            let result = try body()
            try commit.run()
            return result
        } catch {
            // SQLite has already rolled back after some errors; then there is nothing left to end.
            try? rollback.run()
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

    /// Begins a view of the data, which lasts until `endView`.
    func beginView() throws(SQLiteError) {
        try begin.run()
        // Only a look at the data takes the lock.
        do throws(SQLiteError) { _ = try integer("PRAGMA user_version") } catch {
            endView()
            throw error
        }
    }

    func endView() { try? rollback.run() }

    /// How many pages of the log are not in the database file yet, by the index that all connections share in memory; nil where there is none. No lock is
    /// taken, and the figure may be out of date.
    var sharedLogPageCount: Int? {
        var count: UInt32 = 0
        guard unsafe bowerbird_sqlite3_log_page_count(handle, &count) == SQLITE_OK else { return nil }
        return Int(count)
    }

    enum Checkpoint {
        /// What nobody is in the way of; waits for nobody.
        case passive
        /// All, and leaves the log without a byte. Waits for others as long as the connection may.
        case truncating

        fileprivate var mode: Int32 { self == .passive ? SQLITE_CHECKPOINT_PASSIVE : SQLITE_CHECKPOINT_TRUNCATE }
    }

    /// Brings the log into the database file.
    func checkpoint(_ kind: Checkpoint) throws(SQLiteError) {
        let code = unsafe sqlite3_wal_checkpoint_v2(handle, nil, kind.mode, nil, nil)
        guard code == SQLITE_OK else { throw lastError }
    }

    /// Brings the log into the database file and starts the log anew, so that it needs no more room than it has.
    func restartLog() throws(SQLiteError) {
        let code = unsafe sqlite3_wal_checkpoint_v2(handle, nil, SQLITE_CHECKPOINT_RESTART, nil, nil)
        guard code == SQLITE_OK else { throw lastError }
    }

    private var lastError: SQLiteError { unsafe SQLiteError(of: handle) }
}

extension Database {
    /// Opens the file. `busyTimeout` is how long a call waits for a lock of another connection.
    init(path: String, access: Access, busyTimeout: Duration) throws(SQLiteError) {
        let name = access == .immutable ? Self.immutableName(of: path) : path
        try self.init(Connection(path: name, flags: access.flags, busyTimeout: busyTimeout))
    }

    private static func immutableName(of path: String) -> String {
        let escaped = path.utf8.map { byte in
            let isPlain = byte < 0x80 && !"%?#".utf8.contains(byte)
            return isPlain ? String(UnicodeScalar(byte)) : "%" + String(byte, radix: 16)
        }
        return (path.hasPrefix("/") ? "file://" : "file:") + escaped.joined() + "?immutable=1"
    }

    private init(_ connection: consuming Connection) throws(SQLiteError) {
        let begin = try connection.prepare("BEGIN")
        let beginImmediate = try connection.prepare("BEGIN IMMEDIATE")
        let commit = try connection.prepare("COMMIT")
        let rollback = try connection.prepare("ROLLBACK")
        self.init(
            connection: connection, begin: begin, beginImmediate: beginImmediate, commit: commit, rollback: rollback)
    }
}

/// The handle, closed by letting go.
///
/// Invariant of the `unsafe` marks: `handle` and `logPages` are valid from `init` to `deinit`.
@safe
private struct Connection: ~Copyable {
    let handle: OpaquePointer
    /// SQLite writes it when a commit ends.
    private let logPages: UnsafeMutablePointer<Int32>

    init(path: String, flags: Int32, busyTimeout: Duration) throws(SQLiteError) {
        var opened: OpaquePointer?
        let code = unsafe sqlite3_open_v2(path, &opened, flags | SQLITE_OPEN_NOMUTEX, nil)
        guard code == SQLITE_OK, let opened = unsafe opened else {
            defer { unsafe sqlite3_close_v2(opened) }
            throw unsafe SQLiteError(of: opened)
        }
        unsafe handle = opened
        unsafe logPages = .allocate(capacity: 1)
        unsafe logPages.initialize(to: 0)
        unsafe sqlite3_extended_result_codes(handle, 1)
        unsafe sqlite3_busy_timeout(handle, Int32(busyTimeout / .milliseconds(1)))
        countLogPages()
    }

    // The connection outlives this call while a statement of it is still there.
    deinit {
        unsafe sqlite3_wal_hook(handle, nil, nil)
        unsafe logPages.deallocate()
        unsafe sqlite3_close_v2(handle)
    }

    /// In place of SQLite's own hook, which brings the log in on the thread that commits.
    private func countLogPages() {
        unsafe sqlite3_wal_hook(
            handle,
            { pages, _, _, count in
                unsafe pages?.assumingMemoryBound(to: Int32.self).pointee = count
                return SQLITE_OK
            }, logPages)
    }

    var logPageCount: Int { unsafe Int(logPages.pointee) }

    func prepare(_ sql: String) throws(SQLiteError) -> Statement {
        var prepared: OpaquePointer?
        let code = unsafe sqlite3_prepare_v3(handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &prepared, nil)
        guard code == SQLITE_OK, let prepared = unsafe prepared else { throw unsafe SQLiteError(of: handle) }
        return unsafe Statement(handle: prepared)
    }
}
