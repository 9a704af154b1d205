import BowerbirdCore

/// Entries that stay. A pin is a name under a key; the entry stays while it has one, and a pin may come before its entry.
extension DiskStore {
    /// False when the entry would pass the limit of pinned entries; then nothing is noted.
    func pin(_ key: CacheKey, as name: String) throws(DiskFault) -> Bool {
        let diskKey = DiskKey(key.text)
        return try transaction { () throws(SQLiteError) in
            let row = try unpinnedRow(diskKey)
            let isPinned = try hasPinnedRow(diskKey)
            let hasRoom = try hasRoomForPinned(row?.allocated ?? 1)
            guard isPinned || hasRoom else { return false }
            try database.prepare("INSERT OR IGNORE INTO pins (name, digest, key) VALUES (?, ?, ?)")
                .run([.text(name), .bytes(diskKey.digest), .text(diskKey.text)])
            if let row { try setPinned(row.id) }
            return true
        }
    }

    /// Takes the name away. With its last one the entry becomes one that may go.
    func unpin(_ key: CacheKey, as name: String) throws(DiskFault) {
        let digest = SQLiteValue.bytes(DiskKey(key.text).digest)
        try transaction { () throws(SQLiteError) in
            try database.prepare("DELETE FROM pins WHERE name = ? AND digest = ?").run([.text(name), digest])
            try database.prepare(
                """
                UPDATE entries SET is_pinned = 0
                WHERE digest = ?1 AND is_pinned = 1 AND NOT EXISTS (SELECT 1 FROM pins WHERE digest = ?1)
                """
            ).run([digest])
        }
    }

    /// Takes the name away from all entries that have it.
    func unpinAll(as name: String) throws(DiskFault) {
        try transaction { () throws(SQLiteError) in
            // Those that have another name as well stay pinned.
            try database.prepare(
                """
                UPDATE entries SET is_pinned = 0
                WHERE is_pinned = 1 AND digest IN (
                    SELECT digest FROM pins GROUP BY digest HAVING max(name) = ?1 AND min(name) = ?1)
                """
            ).run([.text(name)])
            try database.prepare("DELETE FROM pins WHERE name = ?").run([.text(name)])
        }
    }

    /// Inside the transaction that writes the row: an entry whose key has a pin is pinned from the start, as far as there
    /// is room.
    func pinNew(_ row: Int64, _ key: DiskKey, _ allocated: Int) throws(SQLiteError) {
        guard try isNamed(key), try hasRoomForPinned(allocated) else { return }
        try setPinned(row)
    }

    /// Whether an entry of so many bytes stays because of its key, though it is too large for the others' limit.
    func staysPinned(_ key: DiskKey, _ count: Int) throws(DiskFault) -> Bool {
        try translatingErrors { () throws(SQLiteError) in
            guard try isNamed(key) else { return false }
            return try hasRoomForPinned(count)
        }
    }

    private func hasPinnedRow(_ key: DiskKey) throws(SQLiteError) -> Bool {
        var isPinned = false
        try database.prepare("SELECT 1 FROM entries WHERE digest = ? AND is_pinned = 1").run([.bytes(key.digest)]) {
            _ in
            isPinned = true
        }
        return isPinned
    }

    private func isNamed(_ key: DiskKey) throws(SQLiteError) -> Bool {
        var isNamed = false
        try eviction.isPinned.run([.bytes(key.digest)]) { _ in isNamed = true }
        return isNamed
    }

    private func unpinnedRow(_ key: DiskKey) throws(SQLiteError) -> (id: Int64, allocated: Int)? {
        var found: (id: Int64, allocated: Int)?
        try database.prepare("SELECT id, allocated FROM entries WHERE digest = ? AND is_pinned = 0")
            .run([.bytes(key.digest)]) { row in found = row.integer(0).map { ($0, row.count(1)) } }
        return found
    }

    private func hasRoomForPinned(_ allocated: Int) throws(SQLiteError) -> Bool {
        let quota = limits.pinnedByteCount
        let pinned = Int(try database.integer("SELECT allocated FROM totals WHERE is_pinned = 1") ?? 0)
        return allocated <= quota && pinned <= quota - allocated
    }

    private func setPinned(_ row: Int64) throws(SQLiteError) {
        try database.prepare("UPDATE entries SET is_pinned = 1 WHERE id = ?").run([.integer(row)])
    }
}
