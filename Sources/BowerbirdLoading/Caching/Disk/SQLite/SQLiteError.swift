import CSQLite

/// What SQLite answered instead of success.
struct SQLiteError: Error {
    /// An extended result code.
    let code: Int32
    /// The `errno` behind it; 0 where there is none.
    let systemError: Int32
    let message: String

    init(code: Int32, systemError: Int32 = 0, message: String) {
        self.code = code
        self.systemError = systemError
        self.message = message
    }

    /// The last failure of a connection. `handle` is nil only when there was no memory to make one.
    @unsafe init(of handle: OpaquePointer?) {
        guard let handle = unsafe handle else {
            self.init(code: SQLITE_NOMEM, message: "out of memory")
            return
        }
        self.init(
            code: unsafe sqlite3_extended_errcode(handle), systemError: unsafe sqlite3_system_errno(handle),
            message: unsafe String(cString: sqlite3_errmsg(handle)))
    }

    /// The result code without its extension.
    var primaryCode: Int32 { code & 0xFF }
}
