public import FoundationEssentials

/// What a loader is asked for.
///
/// All but `url`, `headers` and `maximumByteCount` speak about HTTP; other loaders pass over it.
public struct DataRequest: Sendable {
    /// Its scheme says whether a loader can do anything with it.
    public var url: URL
    /// Header fields to send besides the loader's own; a name given here replaces the loader's. With an
    /// `Accept-Encoding` that is met, the body is handed over unpacked, and its length is not known beforehand.
    public var headers: [String: String]
    /// Names of header fields that are for this server alone, in any case: a redirect to another scheme, host or port is
    /// followed without them. `Authorization` and `Cookie` always are. None by default.
    public var privateFields: Set<String> = []
    /// A longer body is refused: at its head where that names a length, else when it passes the limit. The default is
    /// 512 MB.
    public var maximumByteCount: Int
    /// Takes any certificate of any server, for this request and the redirects that it follows: whoever stands between
    /// can then read and change all of it. No connection that was made so serves a request without this. The default is
    /// false.
    public var allowsInvalidCertificate: Bool
    /// Sends the cookies that the loader has for the address, and keeps those of the answer, in memory, as long as the
    /// loader lives. All requests of one loader that want cookies share them; the others neither send nor keep any. A
    /// `Cookie` field among `headers` takes their place: then the request minds its cookies itself. The default is
    /// false.
    public var usesCookies: Bool
    /// Hands over an answer whatever its status is, body and all, where otherwise one outside of 200…299 throws
    /// `LoadingError.status`. For who asks with conditions or for ranges, and wants to know why not. Redirects are
    /// followed all the same. The default is false.
    public var acceptsAnyStatus: Bool
    /// Is told what the transfer cost, once, when it has ended in whatever way: done, failed, or given up. A body that is
    /// read to its end has been told about before its end is handed over. Not called where nothing was begun, which is
    /// so for a request that was cancelled while it waited for its turn.
    ///
    /// It runs on the thread that drives all transfers, so it must not wait for anything. The default is nil, which costs
    /// nothing.
    public var onMetrics: (@Sendable (TransferMetrics) -> Void)?

    /// Plain and careful by default: see the properties.
    public init(
        url: URL, headers: [String: String] = [:], maximumByteCount: Int = 512 << 20,
        allowsInvalidCertificate: Bool = false, usesCookies: Bool = false, acceptsAnyStatus: Bool = false,
        onMetrics: (@Sendable (TransferMetrics) -> Void)? = nil
    ) {
        self.url = url
        self.headers = headers
        self.maximumByteCount = maximumByteCount
        self.allowsInvalidCertificate = allowsInvalidCertificate
        self.usesCookies = usesCookies
        self.acceptsAnyStatus = acceptsAnyStatus
        self.onMetrics = onMetrics
    }
}
