import BowerbirdCore
import FoundationEssentials

/// An entry as the database has it: everything but its bytes.
struct EntryRow: Sendable {
    /// The columns that `init` reads, in its order.
    static let columns = """
        entries.id, url, media_type, length, checksum, file, user_info, tag_count, \(Lifespan.columns),
        \(FreshnessRecord.columns), source, key
        """
    /// How many they are.
    static let columnCount: Int32 = 22

    let id: Int64
    let url: String
    let mediaType: String?
    let length: Int
    let checksum: Int64
    /// The number of the file with the bytes; nil when the database has them.
    let file: Int64?
    let userInfo: [UInt8]?
    let tagCount: Int
    /// Read by itself, where there are any.
    var tags: Set<String> = []
    let lifespan: Lifespan
    /// Nil when it did not come by HTTP.
    let freshness: FreshnessRecord?

    /// The text of the key is that of `key`, where that is known.
    init(_ row: borrowing Row, key: String? = nil) {
        id = row.integer(0) ?? 0
        url = row.text(1) ?? row.text(20) ?? key ?? row.text(21) ?? ""
        mediaType = row.text(2)
        length = Int(row.integer(3) ?? 0)
        checksum = row.integer(4) ?? 0
        file = row.integer(5)
        userInfo = row.bytes(6)
        tagCount = row.count(7)
        lifespan = Lifespan(row, from: 8)
        freshness = FreshnessRecord(row, from: 14)
    }

    /// The entry with its bytes; nil when they are not those that were stored.
    func entry(with data: EncodedImage) -> CacheEntry? {
        guard data.count == length, data.checksum == checksum else { return nil }
        return CacheEntry(
            data: data, url: url, mediaType: mediaType, storedAt: Date(microseconds: lifespan.storedAt),
            keptFreshness: freshness, expiry: lifespan.expiry, tags: tags, userInfo: userInfo)
    }
}

extension Date {
    init(microseconds: Int64) { self.init(timeIntervalSince1970: Double(microseconds) / 1e6) }

    /// Since 1970; the nearest there is for a date that 64 bits do not reach, 0 for one that is no number.
    var microseconds: Int64 {
        let exact = (timeIntervalSince1970 * 1e6).rounded()
        if let whole = Int64(exactly: exact) { return whole }
        return exact.isNaN ? 0 : exact < 0 ? .min : .max
    }
}
