extension HTTPLoader {
    /// How an `HTTPLoader` talks to servers.
    public struct Configuration: Sendable {
        /// From the first look for the host's address to a connection that can be used. The default is 15 seconds.
        public var connectTimeout: Duration = .seconds(15)
        /// How long a connected server may be silent. It does not run while the reader is behind, nor while a request
        /// waits for its turn. The default is 30 seconds.
        public var idleTimeout: Duration = .seconds(30)
        /// With 0, any redirect is refused. The default is 10.
        public var maximumRedirects = 10
        /// Is asked at each redirect, within `maximumRedirects`. What it returns is asked for next: the proposed request,
        /// or another; its `onMetrics` does not count, since that of the first request hears of all. With nil the
        /// redirect is refused, and the request throws `.redirectRefused`.
        ///
        /// It runs in the task that asked, and nothing waits for it but that. By default there is none, and libcurl
        /// follows by itself, which is a little faster.
        public var onRedirect: RedirectHandler?
        /// See `onRedirect`.
        public typealias RedirectHandler = @Sendable (HTTPRedirect) async -> DataRequest?
        /// Further requests to the same host wait, in order; at least 1. The default is 6.
        public var maximumConnectionsPerHost = 6
        /// Fields that go with every request. Those of a `DataRequest` replace them, whatever their case.
        public var headers = [
            "Accept": "image/*,*/*;q=0.8",
            "User-Agent": "Bowerbird/0.1",
        ]

        /// All defaults.
        public init() {}

        func fields(with others: [String: String]) -> [String: String] {
            let ours = headers.map { ($0.key.lowercased(), $0.value) }
            let theirs = others.map { ($0.key.lowercased(), $0.value) }
            return Dictionary(ours + theirs) { _, last in last }
        }
    }
}
