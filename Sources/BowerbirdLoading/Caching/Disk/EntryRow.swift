import BowerbirdCore
import CXXHash
import FoundationEssentials

/// An entry as the database has it: everything but its bytes.
struct EntryRow: Sendable {
    /// The columns that `init` reads, in its order.
    static let columns = """
        entries.id, url, media_type, stored_at, length, checksum, file, user_info, lifetime, is_sliding,
        \(FreshnessRecord.columns), source, key
        """
    /// How many they are.
    static let columnCount: Int32 = 18

    let id: Int64
    let url: String
    let mediaType: String?
    let storedAt: Int64
    let length: Int
    let checksum: Int64
    /// The number of the file with the bytes; nil when the database has them.
    let file: Int64?
    let userInfo: [UInt8]?
    let expiry: CacheExpiry?
    /// Nil when it did not come by HTTP.
    let freshness: FreshnessRecord?

    /// The text of the key is that of `key`, where that is known.
    init(_ row: borrowing Row, key: String? = nil) {
        id = row.integer(0) ?? 0
        url = row.text(1) ?? row.text(16) ?? key ?? row.text(17) ?? ""
        mediaType = row.text(2)
        storedAt = row.integer(3) ?? 0
        length = Int(row.integer(4) ?? 0)
        checksum = row.integer(5) ?? 0
        file = row.integer(6)
        userInfo = row.bytes(7)
        expiry = row.integer(8).map { CacheExpiry(lifetime: $0, isSliding: row.integer(9) == 1) }
        freshness = FreshnessRecord(row, from: 10)
    }

    /// The entry with its bytes; nil when they are not those that were stored.
    func entry(with data: EncodedImage) -> CacheEntry? {
        guard data.count == length, data.checksum == checksum else { return nil }
        return CacheEntry(
            data: data, url: url, mediaType: mediaType, storedAt: Date(microseconds: storedAt),
            keptFreshness: freshness, expiry: expiry, userInfo: userInfo)
    }
}

/// An expiry as the database has it: its time in microseconds, and whether each use begins it anew. What never ends is
/// the longest time there is.
extension CacheExpiry {
    init(lifetime: Int64, isSliding: Bool) {
        let duration = Duration.microseconds(lifetime)
        self = lifetime == .max ? .never : isSliding ? .sinceUsed(duration) : .sinceStored(duration)
    }

    var lifetime: Int64 {
        switch self {
        case .never: .max
        case .sinceStored(let duration), .sinceUsed(let duration): duration.microseconds
        }
    }

    var isSliding: Bool { if case .sinceUsed = self { true } else { false } }

    /// When it ends, by the wall clock; nil for never.
    func end(from start: Int64) -> Int64? {
        guard lifetime != .max else { return nil }
        let (end, isBeyond) = start.addingReportingOverflow(max(0, lifetime))
        return isBeyond ? nil : end
    }
}

extension Duration {
    /// The nearest there is for what 64 bits do not reach.
    fileprivate var microseconds: Int64 {
        let (seconds, attoseconds) = components
        let (whole, isBeyond) = seconds.multipliedReportingOverflow(by: 1_000_000)
        guard !isBeyond else { return seconds < 0 ? .min : .max }
        return whole.addingReportingOverflow(attoseconds / 1_000_000_000_000).partialValue
    }
}

extension EncodedImage {
    /// XXH3 in 64 bits: 20 times as fast as the disk, and sure to see what a crash or a bad sector leaves.
    var checksum: Int64 {
        unsafe withUnsafeBytes { Int64(bitPattern: unsafe bowerbird_xxh3($0.baseAddress, $0.count)) }
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
