import BowerbirdCore
import CSQLite

/// One prepared statement, to be run any number of times.
///
/// Invariant of the `unsafe` marks: `handle` is valid from `init` to `deinit`, and belongs to this value alone.
@safe
struct Statement: ~Copyable {
    private let handle: OpaquePointer

    /// Takes over `handle`.
    @unsafe init(handle: OpaquePointer) {
        unsafe self.handle = handle
    }

    deinit { unsafe sqlite3_finalize(handle) }

    /// Binds `values` to the parameters in their order, runs to the end, and lets go of every lock and binding.
    func run(
        _ values: [SQLiteValue] = [], eachRow: (borrowing Row) throws(SQLiteError) -> Void = { _ in }
    ) throws(SQLiteError) {
        defer {
            unsafe sqlite3_reset(handle)
            unsafe sqlite3_clear_bindings(handle)
            withExtendedLifetime(values) {}
        }
        for (index, value) in values.enumerated() { try bind(value, at: Int32(index + 1)) }
        while try step() { try eachRow(unsafe Row(handle: handle)) }
    }

    /// The same with the digest and the text of a key as the two parameters, which costs no memory.
    func run(_ key: DiskKey, eachRow: (borrowing Row) throws(SQLiteError) -> Void) throws(SQLiteError) {
        try unsafe key.withBytes { digest, text in
            Result { () throws(SQLiteError) in
                defer {
                    unsafe sqlite3_reset(handle)
                    unsafe sqlite3_clear_bindings(handle)
                }
                try check(
                    unsafe bowerbird_sqlite3_bind_borrowed_blob(handle, 1, digest.baseAddress, Int32(digest.count)))
                try check(unsafe bind(borrowing: text, at: 2))
                while try step() { try eachRow(unsafe Row(handle: handle)) }
            }
        }.get()
    }

    private func check(_ code: Int32) throws(SQLiteError) {
        guard code == SQLITE_OK else { throw lastError }
    }

    /// Without a copy: `text` must live until the binding is cleared.
    @unsafe private func bind(borrowing text: UnsafeBufferPointer<UInt8>, at index: Int32) -> Int32 {
        unsafe text.withMemoryRebound(to: CChar.self) { characters in
            unsafe bowerbird_sqlite3_bind_borrowed_text(
                handle, index, characters.baseAddress, Int32(clamping: characters.count))
        }
    }

    private func step() throws(SQLiteError) -> Bool {
        switch unsafe sqlite3_step(handle) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        default: throw lastError
        }
    }

    private func bind(_ value: SQLiteValue, at index: Int32) throws(SQLiteError) {
        let code =
            switch value {
            case .null: unsafe sqlite3_bind_null(handle, index)
            case .integer(let integer): unsafe sqlite3_bind_int64(handle, index, integer)
            case .text(let text): bind(text, at: index)
            case .bytes(let bytes): bind(bytes, at: index)
            case .image(let image): bind(image, at: index)
            }
        guard code == SQLITE_OK else { throw lastError }
    }

    private func bind(_ text: String, at index: Int32) -> Int32 {
        var text = text
        return text.withUTF8 { utf8 in
            unsafe utf8.withMemoryRebound(to: CChar.self) { characters in
                unsafe bowerbird_sqlite3_bind_copied_text(
                    handle, index, characters.baseAddress, Int32(clamping: characters.count))
            }
        }
    }

    private func bind(_ bytes: [UInt8], at index: Int32) -> Int32 {
        unsafe bytes.withUnsafeBytes { bytes in
            unsafe bowerbird_sqlite3_bind_copied_blob(handle, index, bytes.baseAddress, Int32(clamping: bytes.count))
        }
    }

    /// Without a copy: `run` keeps the image alive until the binding is cleared.
    private func bind(_ image: EncodedImage, at index: Int32) -> Int32 {
        unsafe image.withUnsafeBytes { bytes in
            unsafe bowerbird_sqlite3_bind_borrowed_blob(handle, index, bytes.baseAddress, Int32(clamping: bytes.count))
        }
    }

    private var lastError: SQLiteError { unsafe SQLiteError(of: sqlite3_db_handle(handle)) }
}

/// The row that a statement stands on. Columns are counted from 0.
///
/// Invariant of the `unsafe` marks: it exists only inside the closure of `Statement.run`, which owns `handle`.
@safe
struct Row: ~Copyable {
    private let handle: OpaquePointer

    @unsafe fileprivate init(handle: OpaquePointer) {
        unsafe self.handle = handle
    }

    /// Nil for NULL.
    func integer(_ column: Int32) -> Int64? {
        guard unsafe sqlite3_column_type(handle, column) != SQLITE_NULL else { return nil }
        return unsafe sqlite3_column_int64(handle, column)
    }

    /// A number of things: never negative, whatever a damaged database says.
    func count(_ column: Int32) -> Int { max(0, Int(integer(column) ?? 0)) }

    /// Nil for NULL.
    func text(_ column: Int32) -> String? {
        guard let start = unsafe sqlite3_column_text(handle, column) else { return nil }
        let count = Int(unsafe sqlite3_column_bytes(handle, column))
        return unsafe String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    }

    /// A copy of a blob; nil for NULL, or when it has not `count` bytes, or when the machine has not that much memory.
    func image(_ column: Int32, count: Int) -> EncodedImage? {
        guard unsafe sqlite3_column_type(handle, column) == SQLITE_BLOB,
            unsafe Int(sqlite3_column_bytes(handle, column)) == count, let storage = ByteStorage(capacity: count)
        else { return nil }
        unsafe storage.append(UnsafeRawBufferPointer(start: sqlite3_column_blob(handle, column), count: count), at: 0)
        return EncodedImage(storage: storage, count: count)
    }

    /// Nil for NULL.
    func bytes(_ column: Int32) -> [UInt8]? {
        guard unsafe sqlite3_column_type(handle, column) != SQLITE_NULL else { return nil }
        let start = unsafe sqlite3_column_blob(handle, column)
        let count = Int(unsafe sqlite3_column_bytes(handle, column))
        return unsafe Array(UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count))
    }
}
