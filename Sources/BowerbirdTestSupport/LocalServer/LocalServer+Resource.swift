extension LocalServer {
    /// A file as a good server serves it: whole, or in part where a range is asked for, or not at all where the asker has
    /// it already. Or as a bad one does.
    public struct Resource: Sendable {
        public var body: [UInt8]
        /// With its quotation marks; nil for none.
        public var eTag: String?
        /// As written; nil for none. Dates are compared as texts: only the very same is no change, which is nginx's rule
        /// too.
        public var lastModified: String?
        /// Besides those that follow from the rest.
        public var headers: [String: String]
        public var ranges: Ranges

        /// What becomes of a `Range` field.
        public enum Ranges: Sendable {
            /// 206 and the part; 416 where it lies beyond the end; all of it where `If-Range` names another version.
            case served
            /// They are promised in `Accept-Ranges`, and yet all of it comes.
            case ignored
            /// They are not heard of.
            case unknown
        }

        /// Without a version by default, and with ranges.
        public init(
            _ body: [UInt8], eTag: String? = nil, lastModified: String? = nil, headers: [String: String] = [:],
            ranges: Ranges = .served
        ) {
            self.body = body
            self.eTag = eTag
            self.lastModified = lastModified
            self.headers = headers
            self.ranges = ranges
        }
    }
}

extension LocalServer.Resource {
    /// 200, 206, 304 or 416.
    public func answer(to request: LocalServer.Request) -> LocalServer.Answer {
        if isKnown(to: request) { return LocalServer.Answer([.head(304, fields)]) }
        guard ranges == .served, isCurrent(for: request), let range = ByteRange(request.headers["range"]) else {
            return whole
        }
        guard let part = range.resolved(in: body.count) else { return unsatisfiable }
        return self.part(part)
    }

    private var whole: LocalServer.Answer { .ok(body, headers: fields) }

    private var unsatisfiable: LocalServer.Answer {
        .status(416, headers: fields.merging(["Content-Range": "bytes */\(body.count)"]) { $1 })
    }

    private func part(_ range: Range<Int>) -> LocalServer.Answer {
        let place = "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(body.count)"
        let headers = fields.merging(["Content-Range": place]) { $1 }
        return .status(206, headers: headers, body: [UInt8](body[range]))
    }

    private var fields: [String: String] {
        var fields = headers
        fields["ETag"] = eTag
        fields["Last-Modified"] = lastModified
        if ranges != .unknown { fields["Accept-Ranges"] = "bytes" }
        return fields
    }

    /// A list of tags makes a date beside it meaningless.
    private func isKnown(to request: LocalServer.Request) -> Bool {
        guard let tags = request.headers["if-none-match"] else {
            return lastModified != nil && request.headers["if-modified-since"] == lastModified
        }
        let known = tags.split(separator: ",").map { Self.weak($0.drop { $0 == " " }) }
        return known.contains("*") || eTag.map { known.contains(Self.weak($0[...])) } == true
    }

    /// The part that is asked for is one of this version.
    private func isCurrent(for request: LocalServer.Request) -> Bool {
        guard let version = request.headers["if-range"] else { return true }
        return version == eTag || version == lastModified
    }

    private static func weak(_ tag: Substring) -> Substring { tag.hasPrefix("W/") ? tag.dropFirst(2) : tag }
}

/// One range of a `Range` field. A server may treat several as none, and this one does.
enum ByteRange: Equatable {
    /// To the end where the last is nil.
    case from(Int, through: Int?)
    case last(Int)

    init?(_ field: String?) {
        guard let field, field.hasPrefix("bytes=") else { return nil }
        let ends = field.dropFirst(6).split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2 else { return nil }
        switch (Int(ends[0]), Int(ends[1])) {
        case (let first?, let last?) where first <= last: self = .from(first, through: last)
        case (let first?, nil) where ends[1].isEmpty: self = .from(first, through: nil)
        case (nil, let count?) where ends[0].isEmpty: self = .last(count)
        default: return nil
        }
    }

    /// Nil where nothing of it is there.
    func resolved(in count: Int) -> Range<Int>? {
        let range =
            switch self {
            case .from(let first, let last): first..<max(first, last.map { $0 < count ? $0 + 1 : count } ?? count)
            case .last(let length): max(0, count - length)..<count
            }
        return range.isEmpty || range.lowerBound >= count ? nil : range
    }
}
