/// How long an entry on the disk is good, as its row says. Times are microseconds since 1970.
struct Lifespan: Sendable {
    /// The columns that `init` reads, in its order.
    static let columns = "stored_at, accessed_at, lifetime, is_sliding, expires_at, is_pinned"

    let storedAt: Int64
    let accessedAt: Int64
    /// Its own; nil where the cache has the say.
    let expiry: CacheExpiry?
    /// When its own expiry ends; nil for never.
    let expiresAt: Int64?
    let isPinned: Bool

    init(_ row: borrowing Row, from column: Int32) {
        storedAt = row.integer(column) ?? 0
        accessedAt = row.integer(column + 1) ?? 0
        let isSliding = row.integer(column + 3) == 1
        expiry = row.integer(column + 2).map { CacheExpiry(lifetime: $0, isSliding: isSliding) }
        expiresAt = row.integer(column + 4)
        isPinned = row.integer(column + 5) == 1
    }

    /// When it ends; nil for never. `lastUse` is one that the row does not know yet.
    func end(by general: CacheExpiry, lastUse: Int64?) -> Int64? {
        guard !isPinned else { return nil }
        let expiry = self.expiry ?? general
        let written = self.expiry == nil ? general.end(storedAt: storedAt, usedAt: accessedAt) : expiresAt
        guard expiry.isSliding, let lastUse, let later = expiry.end(from: lastUse) else { return written }
        return written.map { max($0, later) }
    }

    func isOver(at now: Int64, by general: CacheExpiry, lastUse: Int64? = nil) -> Bool {
        guard let end = end(by: general, lastUse: lastUse) else { return false }
        // The time of the last use orders the uses, and may run ahead of the system's clock.
        if expiry == nil && general.isSliding { return now >= end }
        return (expiry ?? general).isOver(at: now, end: end)
    }
}

extension CacheEntry {
    /// Whether an entry that is yet to be written has grown too old. It counts as used.
    func isOver(at now: Int64, by general: CacheExpiry) -> Bool {
        let expiry = self.expiry ?? general
        return expiry.end(storedAt: storedAt.microseconds, usedAt: now).map { expiry.isOver(at: now, end: $0) } ?? false
    }
}
