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
