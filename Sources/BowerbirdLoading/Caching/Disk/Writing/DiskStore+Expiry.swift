import FoundationEssentials

/// What has grown too old goes.
extension DiskStore {
    /// How many rows one step looks at. They are read in less than a millisecond.
    private static var passCount: Int { 1024 }

    /// One step of a pass over all rows.
    struct ExpiryPass {
        var removedCount: Int
        /// The row behind which the next step begins; nil at the end.
        var next: Int64?
    }

    /// Removes some whose own expiry has ended. Returns how many.
    func removeExpiredStep() throws(DiskFault) -> Int {
        var count = 0
        let values: [SQLiteValue] = [.integer(settings.clock.now), .integer(settings.trimCount)]
        try changing { () throws(SQLiteError) in
            try eviction.deleteExpired.run(values) { _ in count += 1 }
        }
        return count
    }

    /// Looks at some rows behind `row`, and removes those that are too old by their own expiry or by that of the cache.
    func removeExpiredStep(after row: Int64) throws(DiskFault) -> ExpiryPass {
        let (now, general) = (settings.clock.now, limits.expiry)
        var expired: [Int64] = []
        var last: Int64?
        var count = 0
        try translatingErrors { () throws(SQLiteError) in
            try eviction.lifespans.run([.integer(row), .integer(Self.passCount)]) { row in
                last = row.integer(0)
                count += 1
                if let last, Lifespan(row, from: 1).isOver(at: now, by: general) { expired.append(last) }
            }
        }
        try remove(rows: expired)
        return ExpiryPass(removedCount: expired.count, next: count < Self.passCount ? nil : last)
    }

    func remove(rows: [Int64]) throws(DiskFault) {
        guard !rows.isEmpty else { return }
        try changing { () throws(SQLiteError) in
            for row in rows { try eviction.deleteRow.run([.integer(row)]) }
        }
    }

    /// Removes what a reader found to be too old, unless it has been written anew.
    func remove(expired: [Int64: Int64]) throws(DiskFault) {
        for (row, checksum) in expired { _ = try remove(row, withChecksum: checksum) }
    }

    /// Notes when rows were last used. What expires so long after its last use gets that long anew.
    func touch(_ accesses: [Int64: Int64]) throws(DiskFault) {
        guard !accesses.isEmpty else { return }
        let now = settings.clock.now
        try transaction { () throws(SQLiteError) in
            for (row, time) in accesses {
                let time = settings.clock.settled(time)
                // The clock that orders may run ahead of the system's, by which entries grow old.
                try eviction.touch.run([.integer(row), .integer(time), .integer(min(time, now))])
            }
        }
    }
}

/// The statements by which entries go and grow old, prepared once.
struct EvictionStatements: ~Copyable {
    let oldest, deleteOldest, deleteExpired, lifespans, deleteRow, touch, isPinned, addTag: Statement
}

extension EvictionStatements {
    init(_ database: borrowing Database) throws(SQLiteError) {
        let oldest = "FROM entries WHERE is_pinned = 0 ORDER BY accessed_at, id LIMIT ?"
        self.init(
            oldest: try database.prepare("SELECT allocated, file, digest \(oldest)"),
            deleteOldest: try database.prepare(
                "DELETE FROM entries WHERE id IN (SELECT id \(oldest))"),
            deleteExpired: try database.prepare(
                """
                DELETE FROM entries WHERE id IN (
                    SELECT id FROM entries WHERE expires_at <= ? AND is_pinned = 0 LIMIT ?
                ) RETURNING id
                """),
            lifespans: try database.prepare(
                "SELECT id, \(Lifespan.columns) FROM entries WHERE id > ? ORDER BY id LIMIT ?"),
            deleteRow: try database.prepare("DELETE FROM entries WHERE id = ?"),
            touch: try database.prepare(
                """
                UPDATE entries SET accessed_at = ?2,
                    expires_at = CASE WHEN is_sliding = 1 THEN ?3 + lifetime ELSE expires_at END WHERE id = ?1
                """),
            isPinned: try database.prepare("SELECT 1 FROM pins WHERE digest = ? LIMIT 1"),
            addTag: try database.prepare("INSERT INTO tags (tag, entry) VALUES (?, ?)"))
    }
}
