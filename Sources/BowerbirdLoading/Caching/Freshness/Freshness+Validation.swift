/// Asking the server whether a kept answer still holds.
extension Freshness {
    /// The `ETag`, where it is one tag.
    public var entityTag: String? { headers["etag"].flatMap { Self.isEntityTag($0) ? $0 : nil } }
    /// The `Last-Modified` as it was sent, where it is a date.
    public var lastModified: String? { headers["last-modified"].flatMap { HTTPField.date($0) == nil ? nil : $0 } }

    /// The headers for a request that is answered with a 304 when the kept bytes still hold. Empty where there is nothing
    /// to ask with. A server that knows `If-None-Match` does not look at `If-Modified-Since`.
    public var conditionalHeaders: [String: String] {
        var fields: [String: String] = [:]
        fields["If-None-Match"] = entityTag
        fields["If-Modified-Since"] = lastModified
        return fields
    }

    /// What to do when the answer must not be used unasked.
    var confirmation: Decision { entityTag == nil && lastModified == nil ? .fetch : .revalidate }

    /// What to do when it must not be used unasked, for a request with these headers.
    func confirmation(for requestHeaders: [String: String]) -> Decision {
        matches(requestHeaders) ? confirmation : .fetch
    }

    /// Whether both speak of the same bytes, as far as their server says.
    func hasValidators(of other: Freshness?) -> Bool {
        other.map { headers["etag"] == $0.headers["etag"] && headers["last-modified"] == $0.headers["last-modified"] }
            ?? false
    }

    /// The same, where either did not come by HTTP: two that did not are taken for the same.
    static func areOfSameBytes(_ first: Freshness?, _ second: Freshness?) -> Bool {
        first?.hasValidators(of: second) ?? (second == nil)
    }

    /// Whether it may be shown to such a request at all, be it stale.
    func mayBeShown(for requestHeaders: [String: String]) -> Bool {
        matches(requestHeaders) && !forbidsStoring(directives)
    }

    /// `"tag"` or `W/"tag"`, and what careless servers send: a tag without quotes. Two tags joined are none: a server
    /// would find either of them.
    private static func isEntityTag(_ text: String) -> Bool {
        let tag = text.hasPrefix("W/") ? text.dropFirst(2) : text[...]
        guard tag.hasPrefix("\"") else { return !tag.isEmpty && !tag.contains { "\", \t".contains($0) } }
        return tag.dropFirst().firstIndex(of: "\"").map { tag.index(after: $0) == tag.endIndex } ?? false
    }
}

/// Whether a kept answer is one to this request: the request headers that the server looked at have the same values.
extension Freshness {
    func matches(_ requestHeaders: [String: String]) -> Bool {
        guard !variants.isEmpty else { return true }
        let sent = SentHeaders(requestHeaders)
        return !variesOnEverything && variants.allSatisfy { name, digest in sent.digest(of: name) == digest }
    }

    /// `Vary: *`: something that is not in the request decided.
    var variesOnEverything: Bool { variants["*"] != nil }
}

/// The headers of a request, to be compared with those of another.
struct SentHeaders {
    private let fields: [String: String]

    /// Names are compared without regard to case. Where one is given in two spellings, both values count.
    init(_ headers: [String: String]) {
        let sorted = headers.sorted { $0.key < $1.key }.map { ($0.key.lowercased(), $0.value) }
        fields = Dictionary(sorted, uniquingKeysWith: { "\($0), \($1)" })
    }

    /// Empty for one that was not sent.
    func digest(of name: String) -> String {
        fields[name].map { DiskKey(String(HTTPField.trimmed($0[...]))).hexadecimal } ?? ""
    }
}
