public import BowerbirdCore
public import FoundationEssentials

/// Where bytes come from: HTTP, files, data URLs, or what you bring yourself.
///
/// Joining, order and limits live above loaders, so one of your own keeps them.
public protocol DataLoader: Sendable {
    /// Whether it can do anything with this address, by its looks: nothing is asked. By default it can.
    func canLoad(_ url: URL) -> Bool
    /// The answer to `request`, as soon as its head is known. When the task is cancelled, throws `.cancelled` without
    /// delay and stops whatever it had begun.
    func response(for request: DataRequest) async throws(LoadingError) -> DataResponse
}

extension DataLoader {
    public func canLoad(_ url: URL) -> Bool { true }
}

/// The answer of a loader: the head at once, the body whole or as it arrives.
public struct DataResponse: Sendable {
    /// What was said before the body.
    public var head: ResponseHead
    /// The bytes, or the way to them.
    public var body: Body

    /// For a loader of your own.
    public init(head: ResponseHead, body: Body) {
        self.head = head
        self.body = body
    }

    /// How the bytes are handed over.
    public enum Body: Sendable {
        /// All of it, at once.
        case complete(EncodedImage)
        /// As it arrives, pulled by the reader.
        case stream(DataStream)
    }
}

/// What an answer says before its body.
public struct ResponseHead: Sendable {
    /// Where the body really came from, after redirects.
    public var url: URL
    /// The HTTP status; nil for other sources.
    public var status: Int?
    /// Header fields of an HTTP answer, names in lower case.
    public var headers: [String: String]
    /// The length of the body in bytes, where it is known and is that of the bytes handed over.
    public var expectedByteCount: Int?

    /// For a loader of your own; `headers` must have names in lower case.
    public init(url: URL, status: Int? = nil, headers: [String: String] = [:], expectedByteCount: Int? = nil) {
        self.url = url
        self.status = status
        self.headers = headers
        self.expectedByteCount = expectedByteCount
    }

    /// The field of this name; names are compared without regard to case.
    public subscript(field: String) -> String? { headers[field.lowercased()] }
}
