/// The rows of one source: the one whose key is the source itself, and those of its variants, which name it. Only these
/// are in the index of sources, because a row that most pictures would have there costs a page for each that is written.
enum SourceRows {
    static let condition = "source_digest = ? AND source = ? OR digest = ? AND key = ? AND source IS NULL"

    /// What is bound to the parameters of `condition`.
    static func values(_ source: String) -> [SQLiteValue] {
        let key = DiskKey(source)
        return [.integer(key.prefix), .text(source), .bytes(key.digest), .text(source)]
    }

    /// What stands for the source of an entry in the index; NULL where its key says it.
    static func digest(of facts: EntryFacts) -> SQLiteValue {
        facts.source == facts.key ? .null : .integer(DiskKey(facts.source).prefix)
    }
}
