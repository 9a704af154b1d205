public import FoundationEssentials

/// How long an answer of HTTP may be used again: the rules for a private cache of RFC 9111, with RFC 5861
/// (`stale-while-revalidate`, `stale-if-error`) and RFC 8246 (`immutable`).
///
/// It keeps the header fields that the rules look at and reads them when it is asked, in a few microseconds. The time
/// is always given: everything here is a pure function. Nothing fails: a field that makes no sense counts as the
/// more restrictive of what it may have meant, and a clock that was set back makes an answer old and never young.
public struct Freshness: Hashable, Sendable {
    /// The HTTP status of the answer.
    public let status: Int
    /// The header fields of the answer that the rules look at, names in lower case.
    public private(set) var headers: [String: String]
    /// When the answer came, or was confirmed last, by the clock of this machine.
    public private(set) var receivedAt: Date
    /// Of each request header that `Vary` names, a digest of the value that was sent, as it may be a password; empty
    /// for one that was not sent.
    let variants: [String: String]

    static let fieldNames: Set = ["age", "cache-control", "date", "etag", "expires", "last-modified", "vary"]

    /// - Parameters:
    ///   - headers: The header fields of the answer, names in lower case, those of the same name joined by commas.
    ///   - requestHeaders: What was sent, in any case.
    public init(status: Int, headers: [String: String], requestHeaders: [String: String] = [:], receivedAt: Date) {
        let headers = Self.relevant(headers)
        let sent = SentHeaders(requestHeaders)
        let names = HTTPField.members(of: headers["vary"] ?? "").map { HTTPField.isToken($0) ? $0.lowercased() : "*" }
        self.init(
            status: status, headers: headers,
            variants: Dictionary(names.map { ($0, sent.digest(of: $0)) }, uniquingKeysWith: { first, _ in first }),
            receivedAt: receivedAt)
    }

    /// As it was kept.
    init(status: Int, headers: [String: String], variants: [String: String], receivedAt: Date) {
        self.status = status
        self.headers = headers
        self.variants = variants
        self.receivedAt = receivedAt
    }

    /// A field with a line break in it was never sent as one.
    private static func relevant(_ headers: [String: String]) -> [String: String] {
        headers.filter { name, value in fieldNames.contains(name) && !value.utf8.contains { $0 == 10 || $0 == 13 } }
    }

    /// What is to be done with a kept answer.
    public enum Decision: Hashable, Sendable {
        /// Use it; it is fresh.
        case use
        /// Use it now, and ask the server for the next time, with `conditionalHeaders` where there are any.
        case useAndRevalidate
        /// Ask the server whether it still holds, with `conditionalHeaders`.
        case revalidate
        /// Load it anew: it does not answer this request, or there is nothing to ask with.
        case fetch
    }

    /// What the rules say for a request with these headers.
    public func decision(for requestHeaders: [String: String], at date: Date) -> Decision {
        let directives = directives
        guard matches(requestHeaders), !forbidsStoring(directives) else { return .fetch }
        guard !directives.noCache else { return confirmation }
        if isFresh(at: date, directives) { return .use }
        let isShortlyStale = isStale(byLessThan: directives.staleWhileRevalidate, at: date, directives)
        return isShortlyStale ? .useAndRevalidate : confirmation
    }

    /// Whether it may be used, stale as it is, because asking failed or the server answered with a status from 500 on.
    /// Never under `must-revalidate` or `no-cache`.
    public func maySubstituteFailure(at date: Date) -> Bool {
        let directives = directives
        guard !variesOnEverything, !forbidsStoring(directives), !directives.noCache else { return false }
        return isFresh(at: date, directives) || isStale(byLessThan: directives.staleIfError, at: date, directives)
    }

    /// After a 304 with these headers: its fields replace ours, and the age begins anew. The validators and `Vary` stay
    /// those of the bytes that are kept.
    public func renewed(by headers: [String: String], at date: Date) -> Freshness {
        var renewed = self
        let news = Self.relevant(headers).filter { !["etag", "last-modified", "vary"].contains($0.key) }
        // They tell when an answer was made; those of the old answer say nothing of the new one.
        for name in ["date", "age"] { renewed.headers[name] = nil }
        renewed.headers.merge(news) { _, new in new }
        renewed.receivedAt = date
        return renewed
    }

    /// Whether HTTP lets a private cache keep the answer, and it can be of use.
    public var isStorable: Bool {
        let directives = directives
        guard status >= 200, status != 206, status != 304, !forbidsStoring(directives), !variesOnEverything else {
            return false
        }
        return isHeuristicallyCacheable || directives.namesAudience || directives.maximumAge != nil
            || headers["expires"] != nil
    }
}
