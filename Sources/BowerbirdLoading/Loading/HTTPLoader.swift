import BowerbirdCore
import FoundationEssentials
import Synchronization

/// Loads `http:` and `https:` addresses with libcurl, on one thread of its own that begins with the first request and
/// ends when the loader and every stream it gave out are gone. It needs nothing else of this library:
///
///     let response = try await HTTPLoader().response(for: DataRequest(url: url))
///     guard case .stream(let body) = response.body else { return }
///     while let bytes = try await body.next() { … }
///
/// Connections are kept and used again; over TLS, HTTP/2 is used where the server has it. Redirects are followed, to
/// `http:` and `https:` only, and `Authorization` and `Cookie` fields of a request are not sent on to another server;
/// `Configuration.onRedirect` has a say in it. An answer that is no success throws `.status`, unless the request
/// `acceptsAnyStatus`. Bodies are streams: of one that is not read, about 256 KB are held (beside the buffers of libcurl
/// and the kernel), and its server waits.
///
/// There is no limit to the number of requests here but that of transfers from one host; order and limits live above.
/// The proxy variables of the environment count (`http_proxy`, `https_proxy`, `no_proxy`).
public final class HTTPLoader: DataLoader {
    /// As it was given: a loader does not change.
    public let configuration: Configuration
    private let multi = Lock<CurlMulti?>(nil)

    /// Costs nothing: the thread begins with the first request.
    public init(configuration: Configuration = Configuration()) {
        self.configuration = configuration
    }

    /// The answer's head and a stream of its body. Returns at the body's first bytes, or at its end where it is empty.
    /// Header fields with a line break in them are not sent. A task that is cancelled throws `.cancelled` at once and
    /// closes the connection, if it was using one for itself.
    public func response(for request: DataRequest) async throws(LoadingError) -> DataResponse {
        // libcurl knows the names of the usual secrets only.
        let follow: Configuration.RedirectHandler = { redirect in redirect.proposed }
        if let handler = configuration.onRedirect ?? (request.privateFields.isEmpty ? nil : follow) {
            return try await response(for: request, asking: handler)
        }
        let reader = try begin(request)
        return Self.response(try await reader.head(), from: reader)
    }

    func begin(_ request: DataRequest) throws(LoadingError) -> TransferReader {
        try Self.check(request.url)
        guard !Task.isCancelled else { throw .cancelled }
        return TransferReader(of: request, on: try runningMulti())
    }

    static func response(_ head: ResponseHead, from reader: TransferReader) -> DataResponse {
        let stream = DataStream { () async throws(LoadingError) in try await reader.next() }
        return DataResponse(head: head, body: .stream(stream))
    }

    /// libcurl would take what follows `http:///` for a host.
    private static func check(_ url: URL) throws(LoadingError) {
        let scheme = url.scheme?.lowercased() ?? ""
        guard ["http", "https"].contains(scheme) else { throw .unsupportedScheme(scheme) }
        guard url.host()?.isEmpty == false else { throw .hostNotFound("") }
    }

    private func runningMulti() throws(LoadingError) -> CurlMulti {
        try multi.withLock { (multi) throws(LoadingError) in
            if let multi { return multi }
            let started = try CurlMulti.start(configuration)
            multi = started
            return started
        }
    }
}
