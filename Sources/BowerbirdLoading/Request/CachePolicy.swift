/// Which caches a request reads and writes, and when it asks the network.
///
///     request.options.cachePolicy = .reload
///     request.options.cachePolicy = CachePolicy(memory: .readWrite, disk: .off)
public struct CachePolicy: Hashable, Sendable {
    /// Decoded pictures.
    public var memory: Access
    /// Original bytes.
    public var disk: Access
    /// Servers. Local files, data URLs and bytes that a request brings along are no network: they are always read.
    public var network: NetworkUse

    /// Both caches and, where they have nothing, the network, unless more is said.
    public init(memory: Access = .readWrite, disk: Access = .readWrite, network: NetworkUse = .whenMissing) {
        self.memory = memory
        self.disk = disk
        self.network = network
    }

    /// What may be done with a cache.
    public enum Access: String, Hashable, Sendable, CaseIterable {
        /// Nothing.
        case off
        /// Looked into, not changed.
        case readOnly
        /// Not looked into; what is loaded replaces what is there.
        case writeOnly
        /// Both.
        case readWrite

        /// Whether it may be looked into.
        public var reads: Bool { self == .readOnly || self == .readWrite }
        /// Whether what is loaded is kept in it.
        public var writes: Bool { self == .writeOnly || self == .readWrite }
    }

    /// When a server is asked.
    public enum NetworkUse: String, Hashable, Sendable, CaseIterable {
        /// Never: what no cache has is `ImageError.notCached`.
        case off
        /// Where the caches have nothing that may be shown.
        case whenMissing
        /// Always: what the caches have is shown at once (`ImageEvent.cached`), and the server is asked whether it is
        /// still right.
        case always
    }
}

extension CachePolicy {
    /// Memory, then the disk, then the network. The default.
    public static let cacheFirst = CachePolicy()
    /// The network, whatever the caches have; they get the new picture.
    public static let reload = CachePolicy(memory: .writeOnly, disk: .writeOnly)
    /// Memory and disk; `ImageError.notCached` where neither has it.
    public static let cacheOnly = CachePolicy(network: .off)
    /// The network, and nothing is kept.
    public static let networkOnly = CachePolicy(memory: .off, disk: .off)
    /// What the caches have at once, as `ImageEvent.cached`; then the server is asked whether it is still right, and the
    /// end brings the new picture, or the same one where nothing has changed or the server cannot be reached.
    public static let refreshCached = CachePolicy(network: .always)
}
