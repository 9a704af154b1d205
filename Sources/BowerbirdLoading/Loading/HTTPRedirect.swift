public import FoundationEssentials

/// A redirect that has not been followed yet. See `HTTPLoader.Configuration.onRedirect`.
public struct HTTPRedirect: Sendable {
    /// Who redirects.
    public let from: URL
    /// 300, 301, 302, 303, 307 or 308.
    public let status: Int
    /// What would be asked for next: the former request at its new address. Where that has another scheme, host or port,
    /// the fields `Authorization`, `Cookie` and `Proxy-Authorization` are gone from its headers.
    public let proposed: DataRequest

    /// For tests of a handler.
    public init(from: URL, status: Int, proposed: DataRequest) {
        self.from = from
        self.status = status
        self.proposed = proposed
    }
}

extension HTTPRedirect {
    /// The one that `head` asks for.
    init(of request: DataRequest, by head: ResponseHead) throws(LoadingError) {
        let location = head["location"] ?? ""
        guard let url = request.url.followed(to: location) else {
            throw .invalidAnswer("it redirects to “\(location)”, which is no address")
        }
        self.init(from: request.url, status: head.status ?? 0, proposed: request.moved(to: url))
    }
}

extension ResponseHead {
    /// It sends the asker elsewhere.
    var isRedirect: Bool {
        [300, 301, 302, 303, 307, 308].contains(status) && self["location"]?.isEmpty == false
    }
}

extension DataRequest {
    private static let secretFields: Set = ["authorization", "cookie", "proxy-authorization"]

    /// The same request elsewhere. What proves who asks is for the server that it was given for.
    fileprivate func moved(to url: URL) -> DataRequest {
        var moved = self
        moved.url = url
        if TransferHost(of: url) != TransferHost(of: self.url) {
            let secrets = Self.secretFields.union(privateFields.map { $0.lowercased() })
            moved.headers = headers.filter { !secrets.contains($0.key.lowercased()) }
        }
        return moved
    }
}
