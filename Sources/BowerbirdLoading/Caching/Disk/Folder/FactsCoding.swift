/// The facts of an entry as bytes.
struct FactsWriter {
    private(set) var bytes: [UInt8] = []

    mutating func write(_ number: Int64) {
        for shift in stride(from: 0, to: 64, by: 8) { bytes.append(UInt8(truncatingIfNeeded: number >> shift)) }
    }

    /// Its length and its bytes; a length of -1 stands for none.
    private mutating func write(_ text: String?) { write(text.map { Array($0.utf8) }) }

    private mutating func write(_ part: [UInt8]?) {
        write(part.map { Int64($0.count) } ?? -1)
        bytes += part ?? []
    }

    mutating func write(_ facts: EntryFacts) {
        for text in [facts.key, facts.source, facts.url, facts.mediaType] { write(text) }
        write(facts.storedAt)
        write(facts.writtenAt)
        write(facts.expiry)
        write(facts.userInfo)
        write(Int64(facts.tags.count))
        for tag in facts.tags { write(tag) }
        write(facts.freshness)
    }

    private mutating func write(_ expiry: CacheExpiry?) {
        write(expiry.map { $0.isSliding ? 2 : 1 } ?? 0)
        write(expiry?.lifetime ?? 0)
    }

    private mutating func write(_ freshness: FreshnessRecord?) {
        write(freshness == nil ? 0 : 1)
        guard let freshness else { return }
        write(freshness.receivedAt)
        write(Int64(freshness.status))
        for text in [freshness.entityTag, freshness.lastModified, freshness.headers, freshness.variants] { write(text) }
    }
}

/// Reads what `FactsWriter` wrote, and believes none of it: nil where it does not make sense.
struct FactsReader {
    private let bytes: [UInt8]
    private var offset = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    mutating func number() -> Int64? {
        guard bytes.count - offset >= 8 else { return nil }
        defer { offset += 8 }
        return (0..<8).reduce(0) { $0 | Int64(bytes[offset + $1]) << (8 * $1) }
    }

    /// A number of things.
    mutating func count() -> Int? {
        guard let number = number(), number >= 0 else { return nil }
        return Int(number)
    }

    /// The outer nil is for nonsense.
    private mutating func part() -> [UInt8]?? {
        guard let count = number() else { return nil }
        guard count >= 0 else { return .some(nil) }
        guard count <= bytes.count - offset else { return nil }
        defer { offset += Int(count) }
        return Array(bytes[offset..<offset + Int(count)])
    }

    private mutating func text() -> String?? { part().map { $0.map { String(decoding: $0, as: UTF8.self) } } }

    private mutating func someText() -> String? { text() ?? nil }

    mutating func facts(length: Int, checksum: Int64) -> EntryFacts? {
        guard let key = someText(), let source = someText(), let url = someText(), let mediaType = text(),
            let storedAt = number(), let writtenAt = number(), let expiry = expiry(), let userInfo = part(),
            let tags = tags(), let freshness = freshness(), offset == bytes.count
        else { return nil }
        return EntryFacts(
            key: key, source: source, url: url, mediaType: mediaType, storedAt: storedAt, writtenAt: writtenAt,
            expiry: expiry, tags: tags, userInfo: userInfo, freshness: freshness, length: length, checksum: checksum)
    }

    private mutating func expiry() -> CacheExpiry?? {
        guard let kind = number(), let lifetime = number() else { return nil }
        return .some(kind == 0 ? nil : CacheExpiry(lifetime: lifetime, isSliding: kind == 2))
    }

    private mutating func tags() -> [String]? {
        guard let count = count(), count <= bytes.count - offset else { return nil }
        var tags: [String] = []
        for _ in 0..<count {
            guard let tag = someText() else { return nil }
            tags.append(tag)
        }
        return tags
    }

    private mutating func freshness() -> FreshnessRecord?? {
        guard let kind = number() else { return nil }
        guard kind != 0 else { return .some(nil) }
        guard let receivedAt = number(), let status = number(), let entityTag = text(), let lastModified = text(),
            let headers = someText(), let variants = someText()
        else { return nil }
        return FreshnessRecord(
            receivedAt: receivedAt, status: Int(status), entityTag: entityTag, lastModified: lastModified,
            headers: headers, variants: variants)
    }
}
