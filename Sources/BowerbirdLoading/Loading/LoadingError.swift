public import FoundationEssentials

/// Why the bytes did not come.
public enum LoadingError: Error, Hashable, Sendable, CustomStringConvertible {
    /// No loader knows this scheme.
    case unsupportedScheme(String)
    /// A `data:` URL that is not well formed; the text says how.
    case invalidDataURL(String)

    /// The path leads nowhere.
    case fileNotFound
    /// The path leads to a folder.
    case isDirectory
    /// The file may not be read by this user.
    case permissionDenied
    /// Another fault of the file system, in its own words.
    case file(String)

    /// The host name has no address.
    case hostNotFound(String)
    /// Nobody answers there. The text is the transport's.
    case cannotConnect(String)
    /// The connection broke. The text is the transport's.
    case connectionLost(String)
    /// The server was silent for too long; the text says at which point.
    case timedOut(String)
    /// The certificate, or the talk about it, is not acceptable.
    case insecure(String)
    /// More redirects than `HTTPLoader.Configuration.maximumRedirects` in a row.
    case tooManyRedirects
    /// `HTTPLoader.Configuration.onRedirect` did not want to go there.
    case redirectRefused(URL)
    /// What came is no HTTP, or not what the answer's own head says that it is; the text says how.
    case invalidAnswer(String)
    /// The server answered with a status that is no success.
    case status(Int)
    /// The answer is of a kind that `ResponseRule.mediaTypes` does not allow.
    case mediaType(String)
    /// The application would not have the request sent, or the answer taken; the reason is its own.
    case refused(String)
    /// The address is not encrypted, and `PlainHTTPPolicy.refuse` allows no such.
    case plainHTTP(host: String)
    /// The server does not go on where an earlier transfer was cut; it is then loaded from its beginning.
    case rangeRefused
    /// The body ended early.
    case incomplete(received: Int, expected: Int?)
    /// The body is longer than the request allows.
    case tooLarge(maximumByteCount: Int)
    /// The machine has no memory for the body.
    case outOfMemory
    /// The task that asked was cancelled.
    case cancelled

    public var description: String {
        switch self {
        case .unsupportedScheme(let scheme): "nothing here loads “\(scheme):” addresses"
        case .invalidDataURL(let reason): "the data URL is not well formed: \(reason)"
        case .fileNotFound: "there is no such file"
        case .isDirectory: "this is a folder, not a file"
        case .permissionDenied: "there is no permission to read it"
        case .file(let reason): "the file cannot be read: \(reason)"
        case .hostNotFound(let host): "there is no host “\(host)”"
        case .cannotConnect(let reason): "the server cannot be reached: \(reason)"
        case .connectionLost(let reason): "the connection broke: \(reason)"
        case .timedOut(let reason): "the server was silent for too long: \(reason)"
        case .insecure(let reason): "the connection is not secure: \(reason)"
        case .tooManyRedirects: "the server redirects in circles"
        case .redirectRefused(let url): "the redirect to \(url.absoluteString) was refused"
        case .invalidAnswer(let reason): "the server's answer makes no sense: \(reason)"
        case .status(let status): "the server answered with status \(status)"
        case .mediaType(let type): "the server sent “\(type)”, which is not what was to come"
        case .refused(let reason): "the application refused it: \(reason)"
        case .plainHTTP(let host): "“\(host)” is not asked without encryption (http:)"
        case .rangeRefused: "the server does not go on where the transfer was cut"
        case .incomplete(let received, let expected): Self.incomplete(received, expected)
        case .tooLarge(let maximum): "it is larger than the limit of \(maximum) bytes"
        case .outOfMemory: "there is no memory to hold it"
        case .cancelled: "the loading was cancelled"
        }
    }

    private static func incomplete(_ received: Int, _ expected: Int?) -> String {
        guard let expected else { return "the body ended early, after \(received) bytes" }
        return "the body ended after \(received) of \(expected) bytes"
    }
}
