import BowerbirdCore

/// The beginning of a file whose transfer was cut, and what tells whether the rest still fits to it.
struct PartialFile: Sendable {
    let data: EncodedImage
    /// The length of the whole file; nil where the server did not say.
    private let total: Int?
    /// An `ETag`, or else a `Last-Modified`, as the server sent it.
    private let validator: String

    /// Nil where nothing has come, or where the server does not say that it can go on (RFC 9110, sections 13.1.5 and
    /// 14.3): a weak tag does not promise the same bytes. An answer to an earlier continuation need not say it again.
    init?(_ data: EncodedImage, total: Int?, _ head: ResponseHead, after earlier: PartialFile?) {
        guard !data.isEmpty, head["content-encoding"] == nil else { return nil }
        let isWhole = head.status == 200 && head["accept-ranges"]?.lowercased() == "bytes"
        guard isWhole || (head.status == 206 && earlier != nil) else { return nil }
        guard let validator = Self.validator(in: head) ?? earlier?.validator else { return nil }
        self.data = data
        self.total = total
        self.validator = validator
    }

    /// What a request for the rest says. A server whose file is another now sends all of that one.
    var conditions: [String: String] { ["Range": "bytes=\(data.count)-", "If-Range": validator] }

    /// Whether the answer begins where this ends.
    func isContinued(by head: ResponseHead) -> Bool {
        guard let range = head["content-range"], let (first, whole) = Self.parse(range), first == data.count else {
            return false
        }
        return whole == nil || total == nil || whole == total
    }

    private static func validator(in head: ResponseHead) -> String? {
        if let tag = head["etag"], !tag.hasPrefix("W/") { return tag }
        return head["last-modified"]
    }

    /// The first byte and the length of the whole, from `bytes 100-199/200`.
    private static func parse(_ range: String) -> (first: Int, whole: Int?)? {
        let words = range.split(separator: " ")
        guard words.count == 2, words[0].lowercased() == "bytes" else { return nil }
        let parts = words[1].split(separator: "/")
        guard parts.count == 2, let first = parts[0].split(separator: "-").first.flatMap({ Int($0) }) else {
            return nil
        }
        return (first, Int(parts[1]))
    }
}
