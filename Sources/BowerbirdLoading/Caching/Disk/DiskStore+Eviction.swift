/// What goes, and when: the entries used longest ago.
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
        try? trim(toByteCount: byteCount / 5 * 4, filesFirst: true)
    }

    /// In small transactions, so that other processes get their turn and the log stays short.
    ///
    /// On a full volume even deleting a row takes room, so files go first there; a row without its file is a miss.
    private func trim(toByteCount target: Int, filesFirst: Bool = false) throws(DiskFault) {
        while case let excess = try totals().byteCount - target, excess > 0 {
            let victims = try oldest(ofByteCount: excess)
            guard !victims.isEmpty else { return try clearTotals() }
            if filesFirst { bodies.remove(victims.compactMap(\.file)) }
            try removeRows(of: victims)
        }
    }

    private struct Victim {
        let row: Int64
        let file: BodyName?
        let byteCount: Int
    }

    /// The entries used longest ago, until they have `byteCount` together; at most 128 of them.
    private func oldest(ofByteCount byteCount: Int) throws(DiskFault) -> [Victim] {
        var victims: [Victim] = []
        var missing = byteCount
        let query = "SELECT id, length, file, digest FROM entries ORDER BY accessed_at, id LIMIT 128"
        try translatingErrors { () throws(SQLiteError) in
            try database.prepare(query).run { row in
                guard missing > 0, let id = row.integer(0) else { return }
                let victim = Victim(row: id, file: row.bodyName(2), byteCount: row.count(1))
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
        try changing { () throws(SQLiteError) in
            let delete = try database.prepare("DELETE FROM entries WHERE id = ?")
            for victim in victims { try delete.run([.integer(victim.row)]) }
        }
    }
}

extension Row {
    /// From a column with a generation and the one after it with a digest; nil where there is no file.
    func bodyName(_ column: Int32) -> BodyName? {
        guard let generation = integer(column), let digest = bytes(column + 1) else { return nil }
        return BodyName(digest: digest, generation: generation)
    }
}
