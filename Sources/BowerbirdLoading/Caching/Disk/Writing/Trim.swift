/// A trim under way: what entries that are not pinned are to come down to. It is done in steps; between two of them
/// others read and write.
struct Trim: Sendable {
    /// What they may take of the volume, in bytes.
    var byteCount: Int
    var count: Int

    /// The first to go are those that are too old.
    enum Stage: Sendable {
        /// By their own expiry, which an index finds.
        case expired
        /// By that of the cache, for which all rows behind this one are looked at.
        case expiredByAge(after: Int64)
        case leastRecentlyUsed
    }

    var stage = Stage.expired

    /// What two trims want.
    func joined(with other: Trim?) -> Trim {
        Trim(byteCount: min(byteCount, other?.byteCount ?? .max), count: min(count, other?.count ?? .max))
    }

    func isReached(by sum: DiskTotals.Sum) -> Bool { sum.allocated <= byteCount && sum.count <= count }
}
