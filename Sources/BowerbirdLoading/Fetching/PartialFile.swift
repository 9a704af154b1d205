import BowerbirdCore
import FoundationEssentials

/// The beginning of a file whose transfer was cut, and what tells whether the rest still fits to it.
struct PartialFile: Sendable {
    let data: EncodedImage
    /// Of the answer that began it.
    private let head: ResponseHead
    /// The length of the whole file; nil where the server did not say.
    private let total: Int?
    /// A strong `ETag`, or else a `Last-Modified`, as the server sent it.
    private let validator: String

    /// Nil where nothing has come, or where the server does not say that it can go on (RFC 9110, sections 13.1.5 and
    /// 14.3). `head` is that of the whole file.
    init?(_ data: EncodedImage, total: Int?, _ head: ResponseHead) {
        guard !data.isEmpty, head.status == 200, head["content-encoding"] == nil,
            head["accept-ranges"]?.lowercased() == "bytes", let validator = Self.validator(in: head)
        else { return nil }
        self.data = data
        self.head = head
        self.total = total
        self.validator = validator
    }

    /// What a request for the rest says. A server whose file is another now sends all of that one.
    var conditions: [String: String] { ["Range": "bytes=\(data.count)-", "If-Range": validator] }

    /// The head of the whole file, if this answer brings the rest of it; else nil. What it does not repeat is as it was
    /// (RFC 9111, section 3.4).
    func head(continuedBy rest: ResponseHead) -> ResponseHead? {
        guard rest.status == 206, let range = rest["content-range"].flatMap(ContentRange.init),
            range.first == data.count, range.whole == nil || total == nil || range.whole == total, isOfThis(rest)
        else { return nil }
        let news = rest.headers.filter { !["content-range", "content-length", "accept-ranges"].contains($0.key) }
        var whole = head
        whole.url = rest.url
        whole.headers.merge(news) { $1 }
        whole.expectedByteCount = range.whole ?? total ?? range.last + 1
        return whole
    }

    /// A server that does not know `If-Range` may send the rest of another file.
    private func isOfThis(_ rest: ResponseHead) -> Bool {
        let field = head["etag"] == nil ? "last-modified" : "etag"
        return rest[field] == nil || rest[field] == validator
    }

    /// A weak tag does not promise the same bytes, and nor does a date beside it. A date does where it was past when the
    /// server named it: what changes twice in a second has one date.
    private static func validator(in head: ResponseHead) -> String? {
        if let tag = head["etag"] { return tag.hasPrefix("\"") ? tag : nil }
        guard let lastModified = head["last-modified"], let changedAt = HTTPField.date(lastModified),
            let saidAt = head["date"].flatMap(HTTPField.date), saidAt.timeIntervalSince(changedAt) >= 1
        else { return nil }
        return lastModified
    }
}

/// `bytes 100-199/200`, or `bytes 100-199/*` where the whole is not known.
private struct ContentRange {
    let first: Int
    let last: Int
    let whole: Int?

    /// Nil for what makes no sense.
    init?(_ field: String) {
        let words = field.split(separator: " ")
        guard words.count == 2, words[0].lowercased() == "bytes" else { return nil }
        let parts = words[1].split(separator: "/", omittingEmptySubsequences: false)
        let ends = parts[0].split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, ends.count == 2, let first = Int(ends[0]), let last = Int(ends[1]), first >= 0,
            last >= first, last < .max
        else { return nil }
        let whole = Int(parts[1])
        guard parts[1] == "*" || last < whole ?? 0 else { return nil }
        self.first = first
        self.last = last
        self.whole = whole
    }
}
