/// Removing many at once.
extension DiskStore {
    /// A pass over the rows for which conditions hold, some numbers of rows at a time.
    struct RemovalPass {
        var removedCount = 0
        /// The next step looks at the rows behind this one.
        var row: Int64
        /// The last one there was when the pass began.
        let last: Int64
    }

    /// How many numbers of rows one step looks at.
    private static var windowCount: Int64 { 4096 }

    /// Nil when there is no entry.
    func beginRemoval() throws(DiskFault) -> RemovalPass? {
        try translatingErrors { () throws(SQLiteError) in
            guard let first = try database.integer("SELECT min(id) FROM entries"),
                let last = try database.integer("SELECT max(id) FROM entries")
            else { return nil }
            return RemovalPass(row: first - 1, last: last)
        }
    }

    /// One small transaction. False when the pass is at its end.
    func step(_ pass: inout RemovalPass, _ conditions: RowConditions) throws(DiskFault) -> Bool {
        let end = pass.row.addingReportingOverflow(Self.windowCount)
        let windowEnd = end.overflow ? pass.last : min(end.partialValue, pass.last)
        let removed = try removeRows(conditions, after: pass.row, through: windowEnd)
        pass.removedCount += removed.count
        // The window may hold more than one step removes.
        pass.row = removed.count < settings.trimCount ? windowEnd : removed.max() ?? windowEnd
        return pass.row < pass.last
    }

    private func removeRows(
        _ conditions: RowConditions, after first: Int64, through last: Int64
    ) throws(DiskFault) -> [Int64] {
        let query = """
            DELETE FROM entries WHERE id IN (
                SELECT id FROM entries WHERE \(conditions.sql) AND id > ? AND id <= ? ORDER BY id LIMIT ?
            ) RETURNING id
            """
        let values = conditions.values + [.integer(first), .integer(last), .integer(settings.trimCount)]
        var rows: [Int64] = []
        try changing { () throws(SQLiteError) in
            try database.prepare(query).run(values) { row in
                if let id = row.integer(0) { rows.append(id) }
            }
        }
        return rows
    }
}

extension DiskWriter {
    /// Returns how many went. Between two steps everybody else who waits for the writer gets it.
    func remove(_ conditions: RowConditions) async -> Int {
        writeDown()
        keeper.takeOverAll()
        var pass: DiskStore.RemovalPass?
        attempt { store throws(DiskFault) in pass = try store.beginRemoval() }
        while var next = pass {
            var isDone = true
            attempt { store throws(DiskFault) in isDone = try !store.step(&next, conditions) }
            guard !isDone else { return next.removedCount }
            pass = next
            await settings.pauseInTrim()
        }
        return 0
    }
}
