/// What goes, and when: the entries used longest ago, and files that no entry names.
extension DiskStore {
    /// Once the limit is passed, everything down to 80 % of it goes, so that this is not done anew with every write.
    func trimWhenOverLimit() throws(DiskFault) {
        guard try totals().byteCount > maximumByteCount else { return }
        try trim(toByteCount: maximumByteCount / 5 * 4)
    }

    /// Gives back a fifth of what the cache has, for a volume that is full. Does what it can.
    func makeRoom() {
        guard let byteCount = try? totals().byteCount else { return }
        try? database.restartLog()
        try? trim(toByteCount: byteCount / 5 * 4)
    }

    /// In small transactions, so that other processes get their turn and the log stays short.
    private func trim(toByteCount target: Int) throws(DiskFault) {
        while case let excess = try totals().byteCount - target, excess > 0 {
            let victims = try oldest(ofByteCount: excess)
            guard !victims.isEmpty else { return try clearTotals() }
            // Files first, because on a full volume even deleting a row takes room. A row without its file is a miss.
            bodies.remove(victims.compactMap(\.file))
            try removeRows(of: victims)
        }
    }

    private struct Victim {
        let row: Int64
        let file: Int64?
        let byteCount: Int
    }

    /// The entries used longest ago, until they have `byteCount` together; at most 128 of them.
    private func oldest(ofByteCount byteCount: Int) throws(DiskFault) -> [Victim] {
        var victims: [Victim] = []
        var missing = byteCount
        let query = "SELECT id, file, length FROM entries ORDER BY accessed_at, id LIMIT 128"
        try translatingErrors { () throws(SQLiteError) in
            try database.prepare(query).run { row in
                guard missing > 0, let id = row.integer(0) else { return }
                let victim = Victim(row: id, file: row.integer(1), byteCount: row.count(2))
                missing -= min(missing, victim.byteCount)
                victims.append(victim)
            }
        }
        return victims
    }

    /// Nothing is left and the sum says otherwise: it was damaged, and every new entry would go at once.
    private func clearTotals() throws(DiskFault) {
        try translatingErrors { () throws(SQLiteError) in
            try database.execute("UPDATE totals SET entries = 0, bytes = 0, allocated = 0")
        }
    }

    private func removeRows(of victims: [Victim]) throws(DiskFault) {
        try transaction { () throws(SQLiteError) in
            let delete = try database.prepare("DELETE FROM entries WHERE id = ?")
            for victim in victims { try delete.run([.integer(victim.row)]) }
        }
    }

    /// Removes files that no entry names: a process was killed between writing one and committing its row, or between
    /// committing and removing the old one. Young files stay, because another process may be about to name them.
    func sweep() throws(DiskFault) {
        let files = bodies.numbers(olderThan: settings.orphanAge)
        guard !files.isEmpty else { return }
        let named = try translatingErrors { () throws(SQLiteError) in
            try Set(database.prepare("SELECT file FROM entries WHERE file IS NOT NULL").files())
        }
        bodies.remove(files.filter { !named.contains($0) })
    }
}
