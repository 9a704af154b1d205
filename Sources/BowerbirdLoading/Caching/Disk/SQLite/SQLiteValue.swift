import BowerbirdCore

/// What is bound to a parameter of a statement.
enum SQLiteValue {
    case null
    case integer(Int64)
    case text(String)
    case bytes([UInt8])
    /// Bound without a copy: its memory never changes.
    case image(EncodedImage)

    static func text(_ text: String?) -> SQLiteValue { text.map { .text($0) } ?? .null }
    static func bytes(_ bytes: [UInt8]?) -> SQLiteValue { bytes.map { .bytes($0) } ?? .null }
    static func integer(_ integer: Int64?) -> SQLiteValue { integer.map { .integer($0) } ?? .null }
    static func integer(_ integer: Int) -> SQLiteValue { .integer(Int64(integer)) }
}
