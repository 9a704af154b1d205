/// What a cache holds on the disk.
struct DiskTotals: Sendable {
    /// What some of the entries come to.
    struct Sum: Sendable {
        var count = 0
        /// The sum of the lengths of all bodies.
        var byteCount = 0
        /// What these take of the volume.
        var allocated = 0
    }

    var ordinary = Sum()
    var pinned = Sum()

    var count: Int { ordinary.count + pinned.count }
    var byteCount: Int { ordinary.byteCount + pinned.byteCount }

    static let query = "SELECT is_pinned, entries, bytes, allocated FROM totals"

    mutating func add(_ row: borrowing Row) {
        let sum = Sum(count: row.count(1), byteCount: row.count(2), allocated: row.count(3))
        if row.integer(0) == 1 { pinned = sum } else { ordinary = sum }
    }
}

extension Schema {
    /// What `count` bytes take in `blobs`: small ones share a page, of larger ones a part lies in a shared page and the
    /// rest in pages of its own, by SQLite's rule for pages of 4096 bytes.
    static func allocatedByteCount(ofInline count: Int) -> Int {
        let payload = count + 4
        guard payload > 4061 else { return count }
        let evenShare = 489 + (payload - 489) % 4092
        let shared = evenShare <= 4061 ? evenShare : 489
        return shared + (payload - shared + 4091) / 4092 * 4096
    }
}
