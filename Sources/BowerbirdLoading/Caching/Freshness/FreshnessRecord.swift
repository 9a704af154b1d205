import FoundationEssentials

/// A `Freshness` as the database has it. The validators have columns of their own, because they say which bytes are
/// meant; the other header fields and the variants are text, one to a line.
struct FreshnessRecord: Sendable {
    /// The columns, in the order of `values`.
    static let columns = "received_at, status, entity_tag, last_modified, headers, variants"

    let receivedAt: Int64
    let status: Int
    let entityTag: String?
    let lastModified: String?
    let headers: String
    let variants: String

    init(
        receivedAt: Int64, status: Int, entityTag: String?, lastModified: String?, headers: String, variants: String
    ) {
        self.receivedAt = receivedAt
        self.status = status
        self.entityTag = entityTag
        self.lastModified = lastModified
        self.headers = headers
        self.variants = variants
    }

    init(_ freshness: Freshness) {
        receivedAt = freshness.receivedAt.microseconds
        status = freshness.status
        entityTag = freshness.headers["etag"]
        lastModified = freshness.headers["last-modified"]
        headers = Self.lines(of: freshness.headers.filter { $0.key != "etag" && $0.key != "last-modified" })
        variants = Self.lines(of: freshness.variants)
    }

    /// Nil for an entry that did not come by HTTP.
    init?(_ row: borrowing Row, from column: Int32) {
        guard let receivedAt = row.integer(column) else { return nil }
        self.receivedAt = receivedAt
        status = row.count(column + 1)
        entityTag = row.text(column + 2)
        lastModified = row.text(column + 3)
        headers = row.text(column + 4) ?? ""
        variants = row.text(column + 5) ?? ""
    }

    var freshness: Freshness {
        var fields = Self.fields(of: headers)
        fields["etag"] = entityTag
        fields["last-modified"] = lastModified
        return Freshness(
            status: status, headers: fields, variants: Self.fields(of: variants),
            receivedAt: Date(microseconds: receivedAt))
    }

    var values: [SQLiteValue] {
        [
            .integer(receivedAt), .integer(status), .text(entityTag), .text(lastModified), .text(headers),
            .text(variants),
        ]
    }

    static func values(of record: FreshnessRecord?) -> [SQLiteValue] {
        record?.values ?? Array(repeating: .null, count: 6)
    }

    /// In the order of the names: equal facts are equal texts.
    private static func lines(of fields: [String: String]) -> String {
        fields.sorted { $0.key < $1.key }.map { "\($0.key):\($0.value)\n" }.joined()
    }

    private static func fields(of lines: String) -> [String: String] {
        let pairs = lines.split(separator: "\n").compactMap { (line: Substring) -> (String, String)? in
            guard let colon = line.firstIndex(of: ":") else { return nil }
            return (String(line[..<colon]), String(line[colon...].dropFirst()))
        }
        return Dictionary(pairs, uniquingKeysWith: { first, _ in first })
    }
}
