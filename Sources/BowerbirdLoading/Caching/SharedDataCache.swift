public import BowerbirdCore

/// A `DataCache` that several processes use, and by which they agree who of them loads something.
public protocol SharedDataCache: DataCache {
    /// Asks for the right to load what belongs under `key`. Whoever gets it loads, stores, and lets go of it; the others
    /// wait meanwhile. Whoever had to wait looks into the cache again before loading.
    ///
    /// The right is not needed: nil means "load without it". That is the answer when another keeps it for too long, when
    /// the task is cancelled, and where the place of the cache cannot be used. A process that ends, however it ends, lets
    /// go of all it has.
    func claim(_ key: CacheKey) async -> CacheClaim?
}

/// The right to load something; it is let go with the last reference to this.
public final class CacheClaim: Sendable {
    /// Whether another had it before, so that what it loaded may be in the cache by now.
    public let hasWaited: Bool
    private let release: @Sendable () -> Void

    /// - Parameter release: Called once, on the thread that lets go.
    public init(hasWaited: Bool, release: @escaping @Sendable () -> Void) {
        self.hasWaited = hasWaited
        self.release = release
    }

    deinit { release() }
}
