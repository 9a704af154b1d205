public import BowerbirdCore
import Synchronization

/// Decoded pictures in memory; when room is needed, the one that was used longest ago goes first.
///
/// Any thread may use it. The calls are synchronous, and that is the form for both worlds: finding or keeping a picture
/// takes well under a microsecond and waits for nothing but another such call, so that there is nothing to await.
///
/// - What somebody still has, a view for instance, is found again after it had to make room: it is held weakly.
/// - Large pictures are freed on a thread of their own, so that evicting them does not hold up who stores.
/// - While pictures are stored, the cache looks at how scarce memory is, at most once a second, and gives some up.
public final class MemoryCache: ImageCache {
    private let state: InlinedLock<State>
    private let monitor: MemoryPressureMonitor?
    private let releases: ReleaseQueue

    /// An empty cache.
    ///
    /// - Parameters:
    ///   - monitor: What it asks about pressure while pictures are stored; nil where somebody calls `respond(to:)`.
    ///   - clock: What the ages of pictures are taken from. Another than the default is for tests.
    public convenience init(
        limits: Limits = Limits(), monitor: MemoryPressureMonitor? = MemoryPressureMonitor(),
        clock: some Clock<Duration> = ContinuousClock()
    ) {
        self.init(limits: limits, monitor: monitor, clock: clock, releases: .shared)
    }

    init(limits: Limits, monitor: MemoryPressureMonitor?, clock: some Clock<Duration>, releases: ReleaseQueue) {
        let start = clock.now
        state = InlinedLock(State(limits, now: { start.duration(to: clock.now) }))
        self.monitor = monitor
        self.releases = releases
    }

    /// The picture under `key`, which becomes the one used last. Counts as a hit or a miss.
    public func image(for key: CacheKey) -> CachedImage? {
        var released = ReleasedImages()
        let image = state.withLock { $0.use(key, &released) }
        releases.release(&released)
        return image
    }

    /// Whether `image(for:)` would find a picture. It does not become the one used last.
    public func contains(_ key: CacheKey) -> Bool { state.withLock { $0.contains(key) } }

    /// The keys of all pictures that were made of `source`, in no order. Does not look at others.
    public func keys(ofSource source: String) -> [CacheKey] { state.withLock { $0.keys(ofSource: source) } }

    /// Keeps `image`, in place of what was there under `key`. One that costs more than its share of the limit is not kept,
    /// see `Limits.maximumEntryShare`, and neither is one that is too old at once.
    public func store(_ image: CachedImage, for key: CacheKey) {
        var released = ReleasedImages()
        let isTimeToLook = state.withLock { state in
            state.store(image, key, &released)
            return state.isTimeToLook()
        }
        releases.release(&released)
        if isTimeToLook { lookAtPressure() }
    }

    /// Forgets the picture under `key`, where there is one.
    public func remove(for key: CacheKey) {
        var released = ReleasedImages()
        state.withLock { $0.remove(key, &released) }
        releases.release(&released)
    }

    /// Forgets every picture that was made of `source`. Does not look at others.
    public func remove(source: String) {
        var released = ReleasedImages()
        state.withLock { $0.remove(source: source, &released) }
        releases.release(&released)
    }

    /// Forgets every picture; hits and misses stay counted. Takes as long however many there are.
    public func removeAll() {
        var old = state.withLock { $0.removeAll() }
        while old.count > 0 {
            var released = ReleasedImages()
            for _ in 0..<Self.batchCount { old.removeOldest().map { released.add($0) } }
            releases.release(&released)
        }
    }

    private func lookAtPressure() {
        releases.async { [weak self] in
            guard let self, let monitor else { return }
            respond(to: monitor.check())
        }
    }
}

// MARK: Figures

extension MemoryCache {
    /// The sum of the costs of what is kept now.
    public var totalCost: Int { state.withLock { $0.images.totalCost } }
    /// How many pictures are kept now, with those that are too old and that nobody has asked for since.
    public var count: Int { state.withLock { $0.images.count } }
    /// How many calls of `image(for:)` found a picture.
    public var hitCount: Int { state.withLock { $0.hitCount } }
    /// How many calls of `image(for:)` found none.
    public var missCount: Int { state.withLock { $0.missCount } }
    /// How many pictures that had to make room may be found again, or have gone without anybody having looked.
    var evictedCount: Int { state.withLock { $0.evicted.count } }
}

// MARK: Giving memory back

extension MemoryCache {
    /// So many go at a time; between two such times others may use the cache.
    private static let batchCount = 256

    /// How much is kept. Lowering a limit evicts at once, oldest first. Another `expiry` looks at every picture: it holds
    /// for all that are there, and begins now for those that had none.
    public var limits: Limits {
        get { state.withLock { $0.limits } }
        set {
            state.withLock { $0.set(newValue) }
            trim(toCost: newValue.cost, count: newValue.count)
        }
    }

    /// Evicts the oldest until the rest costs no more.
    public func trim(toCost cost: Int) { trim(toCost: cost, count: .max) }

    /// Evicts the oldest until no more are left.
    public func trim(toCount count: Int) { trim(toCost: .max, count: count) }

    /// Evicts the oldest until no more is left than this part, from 0 to 1, of the limit of cost. For an application that
    /// goes to the background: what it still shows is found again.
    public func trim(toFraction fraction: Double) {
        let part = fraction.isNaN ? 0 : min(max(0, fraction), 1)
        trim(toCost: Int(Double(limits.cost) * part))
    }

    /// Gives up what memory is needed for: nothing at `.normal`, all above half of the limit at `.warning`, all above a
    /// tenth of it at `.critical`. The cache does so by itself while pictures are stored, where it has a monitor.
    public func respond(to level: MemoryPressure.Level) {
        switch level {
        case .normal: break
        case .warning: trim(toFraction: 0.5)
        case .critical: trim(toFraction: 0.1)
        }
    }

    /// Frees what is too old. Nobody needs to call it for the sake of age, which is looked at whenever a picture is asked
    /// for; it is for memory. Looks at all pictures, some at a time.
    public func removeExpired() {
        var position: UInt32? = 1
        while let first = position {
            var released = ReleasedImages()
            position = state.withLock { $0.removeExpired(from: first, Self.batchCount, &released) }
            releases.release(&released)
        }
    }

    private func trim(toCost cost: Int, count: Int) {
        var isDone = false
        while !isDone {
            var released = ReleasedImages()
            isDone = state.withLock { $0.evict(toCost: cost, count: count, Self.batchCount, &released) }
            releases.release(&released)
        }
    }
}
