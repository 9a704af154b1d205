public import BowerbirdCore
import Synchronization

/// Decoded pictures in memory; when room is needed, the one that was used longest ago goes first.
///
/// Any thread may use it. A call takes about a microsecond and waits for nothing but another such call.
public final class MemoryCache: ImageCache {
    fileprivate struct State {
        var images = LRUList<CacheKey, CachedImage>()
        var limits: Limits
        var hitCount = 0
        var missCount = 0
    }

    private let state: Lock<State>

    /// An empty cache.
    public init(limits: Limits = Limits()) {
        state = Lock(State(limits: limits))
    }

    /// How much is kept. Lowering a limit evicts at once, oldest first.
    public var limits: Limits {
        get { state.withLock { $0.limits } }
        set {
            release(
                state.withLock { state in
                    state.limits = newValue
                    return state.evict()
                })
        }
    }

    /// The picture under `key`, which becomes the one used last. Counts as a hit or a miss.
    public func image(for key: CacheKey) -> CachedImage? {
        state.withLock { state in
            let image = state.images.use(key)
            if image == nil { state.missCount += 1 } else { state.hitCount += 1 }
            return image
        }
    }

    /// Keeps `image`, in place of what was there under `key`. One that costs more than the whole limit is not kept.
    public func store(_ image: CachedImage, for key: CacheKey) {
        release(state.withLock { $0.store(image, for: key) })
    }

    /// Forgets the picture under `key`, where there is one.
    public func remove(for key: CacheKey) {
        release(state.withLock { [$0.images.remove(key)].compactMap(\.self) })
    }

    /// Forgets every picture that was made of `source`. Looks at all keys: milliseconds where there are ten thousands.
    public func remove(source: String) {
        release(state.withLock { state in state.images.removeAll { $0.source == source } })
    }

    /// Forgets every picture; hits and misses stay counted.
    public func removeAll() {
        release(
            state.withLock { state in
                defer { state.images = LRUList() }
                return state.images
            })
    }

    /// The sum of the costs of what is kept now.
    public var totalCost: Int { state.withLock { $0.images.totalCost } }
    /// How many pictures are kept now.
    public var count: Int { state.withLock { $0.images.count } }
    /// How many calls of `image(for:)` found a picture.
    public var hitCount: Int { state.withLock { $0.hitCount } }
    /// How many calls of `image(for:)` found none.
    public var missCount: Int { state.withLock { $0.missCount } }

    /// Where pictures leave: giving back tens of megabytes takes time that nobody should spend under the lock.
    private func release(_ images: some Sendable) {}
}

extension MemoryCache.State {
    /// Returns what had to go.
    fileprivate mutating func store(_ image: CachedImage, for key: CacheKey) -> [CachedImage] {
        let cost = max(0, image.cost)
        guard cost <= limits.cost else { return [images.remove(key)].compactMap(\.self) }
        let replaced = images.insert(image, for: key, cost: cost)
        let evicted = evict()
        guard let replaced else { return evicted }
        return evicted + [replaced]
    }

    /// Removes the oldest until the rest is within the limits.
    fileprivate mutating func evict() -> [CachedImage] {
        var evicted: [CachedImage] = []
        while images.totalCost > limits.cost || images.count > limits.count {
            guard let oldest = images.removeOldest() else { break }
            evicted.append(oldest)
        }
        return evicted
    }
}

extension MemoryCache {
    /// How much a `MemoryCache` keeps.
    public struct Limits: Hashable, Sendable {
        /// The sum of all costs, in bytes. Never negative, and never so much that the sum with one more overflows.
        public var cost: Int { didSet { cost = Self.sensible(cost) } }
        /// How many pictures. Never negative.
        public var count: Int { didSet { count = max(0, count) } }

        /// By default 15 % of the memory that this process may use, at most 768 MB, and any number of pictures.
        public init(cost: Int = Self.defaultCost, count: Int = .max) {
            self.cost = Self.sensible(cost)
            self.count = max(0, count)
        }

        private static func sensible(_ cost: Int) -> Int { min(max(0, cost), .max / 2) }

        /// 768 MB holds 90 pictures that fill a 1920 × 1080 screen: more than anyone leafs back through, and still
        /// little on a machine that has it.
        public static let defaultCost = min(MemoryAvailability.processLimit / 100 * 15, 768 << 20)
    }
}
