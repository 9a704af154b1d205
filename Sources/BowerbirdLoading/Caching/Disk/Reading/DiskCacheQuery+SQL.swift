import FoundationEssentials

/// Conditions on rows of `entries`, and what is bound to their parameters. No text of a query becomes part of the SQL.
struct RowConditions: Sendable {
    private(set) var sql = "1"
    private(set) var values: [SQLiteValue] = []

    mutating func add(_ condition: String, _ values: [SQLiteValue]) {
        sql += " AND (\(condition))"
        self.values += values
    }

    mutating func add(_ condition: String, _ values: SQLiteValue...) { add(condition, values) }
}

extension RowConditions {
    /// - Parameters:
    ///   - now: Microseconds since 1970.
    ///   - general: When entries grow too old that have no expiry of their own.
    init(_ query: DiskCache.Query, now: Int64, expiry general: CacheExpiry) {
        if let host = query.host { addHost(host) }
        addPrefix(query.urlPrefix, of: "coalesce(url, source, key)")
        addPrefix(query.keyPrefix, of: "key")
        if let tag = query.tag { add("tag_count > 0 AND id IN (SELECT entry FROM tags WHERE tag = ?)", .text(tag)) }
        if let source = query.source { add(SourceRows.condition, SourceRows.values(source)) }
        addTime(query.storedBefore, "stored_at < ?")
        addTime(query.storedAfter, "stored_at >= ?")
        addTime(query.usedBefore, "accessed_at < ?")
        addTime(query.usedAfter, "accessed_at >= ?")
        if let isPinned = query.isPinned { add("is_pinned = ?", .integer(isPinned ? 1 : 0)) }
        if let isExpired = query.isExpired { addExpired(isExpired, now, general) }
    }

    private mutating func addTime(_ time: Date?, _ condition: String) {
        if let time { add(condition, .integer(time.microseconds)) }
    }

    /// Byte by byte: LIKE takes letters of either case for the same, and texts may hold anything.
    private mutating func addPrefix(_ prefix: String?, of text: String) {
        guard let prefix, !prefix.isEmpty else { return }
        add("substr(CAST(\(text) AS BLOB), 1, ?) = ?", .integer(prefix.utf8.count), .bytes(Array(prefix.utf8)))
    }

    /// What stands between `://` and the next slash is the host, or has a user before it or a port behind.
    private mutating func addHost(_ host: String) {
        let url = "coalesce(url, source, key)"
        let rest = "substr(\(url), instr(\(url), '://') + 3)"
        let authority = "substr(\(rest), 1, instr(\(rest) || '/', '/') - 1)"
        let escaped = host.map { "%_\\".contains($0) ? "\\\($0)" : String($0) }.joined()
        let like = "\(authority) LIKE ? ESCAPE '\\'"
        add("instr(\(url), '://') > 0")
        add(
            "\(like) OR (\(like) AND instr(\(authority), '@') = 0) OR \(like) OR \(like)",
            .text(escaped), .text(escaped + ":%"), .text("%@" + escaped), .text("%@\(escaped):%"))
    }

    /// The rule of `Lifespan` for the rows that are not looked at one by one.
    private mutating func addExpired(_ isExpired: Bool, _ now: Int64, _ general: CacheExpiry) {
        let own = """
            lifetime IS NOT NULL AND expires_at IS NOT NULL AND (expires_at <= ? OR (expires_at - ?) / 2 > lifetime)
            """
        let ownValues = [SQLiteValue.integer(now), .integer(now)]
        let not = isExpired ? "" : "NOT "
        let start = now.subtractingReportingOverflow(general.lifetime)
        switch general {
        case .sinceStored where !start.overflow:
            let others = "lifetime IS NULL AND (stored_at <= ? OR stored_at - ? > ?)"
            sql += " AND \(not)(is_pinned = 0 AND ((\(own)) OR (\(others))))"
            values += ownValues + [.integer(start.partialValue), .integer(now), .integer(general.lifetime)]
        case .sinceUsed where !start.overflow:
            sql += " AND \(not)(is_pinned = 0 AND ((\(own)) OR (lifetime IS NULL AND accessed_at <= ?)))"
            values += ownValues + [.integer(start.partialValue)]
        case .never, .sinceStored, .sinceUsed:
            sql += " AND \(not)(is_pinned = 0 AND (\(own)))"
            values += ownValues
        }
    }
}

extension DiskCache.Order {
    /// The number of the row makes the order whole.
    var sql: String {
        switch self {
        case .usedLastFirst: "accessed_at DESC, id DESC"
        case .usedLongestAgoFirst: "accessed_at, id"
        case .storedLastFirst: "stored_at DESC, id DESC"
        case .largestFirst: "length DESC, id"
        }
    }
}
