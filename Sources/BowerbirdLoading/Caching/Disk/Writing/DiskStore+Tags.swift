/// The names by which entries are found together.
extension DiskStore {
    /// Inside the transaction that writes the row.
    func tag(_ row: Int64, _ tags: Set<String>) throws(SQLiteError) {
        guard !tags.isEmpty else { return }
        for tag in tags { try eviction.addTag.run([.text(tag), .integer(row)]) }
        try database.prepare("UPDATE entries SET tag_count = ? WHERE id = ?").run([.integer(tags.count), .integer(row)])
    }
}

extension Statement {
    /// Runs a statement whose rows are texts, each once.
    func texts(_ values: [SQLiteValue] = []) throws(SQLiteError) -> Set<String> {
        var texts: Set<String> = []
        try run(values) { row in
            if let text = row.text(0) { texts.insert(text) }
        }
        return texts
    }
}
