import Bowerbird

/// Either cache, as far as it is measured.
protocol MeasuredCache: Sendable {
    associatedtype Key: Sendable

    static func keys(_ entries: MemoryEntries) -> [Key]
    static func otherKeys(_ entries: MemoryEntries) -> [Key]
    init(countLimit: Int)
    func image(for key: Key) -> CachedImage?
    func store(_ image: CachedImage, for key: Key)
    func remove(for key: Key)
}

extension MemoryCache: MeasuredCache {
    static func keys(_ entries: MemoryEntries) -> [CacheKey] { entries.keys }
    static func otherKeys(_ entries: MemoryEntries) -> [CacheKey] { entries.otherKeys }
    convenience init(countLimit: Int) { self.init(limits: Limits(count: countLimit)) }
}

extension PeerMemoryCache<CachedImage>: MeasuredCache {
    static func keys(_ entries: MemoryEntries) -> [String] { entries.addresses }
    static func otherKeys(_ entries: MemoryEntries) -> [String] { entries.others }
    convenience init(countLimit: Int) { self.init(costLimit: .max, countLimit: countLimit) }
    func image(for key: String) -> CachedImage? { value(for: key) }
    func store(_ image: CachedImage, for key: String) { store(image, for: key, cost: image.cost) }
}

/// One cache, and each operation on all entries once.
struct Exercise<Cache: MeasuredCache>: Sendable {
    let cache: Cache
    let entries: MemoryEntries
    let keys: [Cache.Key]
    let otherKeys: [Cache.Key]

    init(_ entries: MemoryEntries, countLimit: Int = .max, filledWith count: Int = 0) {
        self.entries = entries
        cache = Cache(countLimit: countLimit)
        keys = Cache.keys(entries)
        otherKeys = Cache.otherKeys(entries)
        for number in 0..<count { cache.store(entries.images[number], for: keys[number]) }
    }

    // Keys are looked at where they lie: to copy one would cost a reference, and with it often more than the cache does.

    func hit(_ order: [Int]) {
        let keys = keys.span
        for number in order { precondition(cache.image(for: keys[number]) != nil) }
    }

    func miss() {
        let keys = otherKeys.span
        for number in entries.inOrder { precondition(cache.image(for: keys[number]) == nil) }
    }

    func set() {
        let keys = keys.span
        for number in entries.inOrder { cache.store(entries.images[number], for: keys[number]) }
    }

    func remove() {
        let keys = keys.span
        for number in entries.inOrder { cache.remove(for: keys[number]) }
    }

    /// Each picture is given away: what the cache evicts, nobody else has.
    func mix(_ images: NewImages) {
        let keys = keys.span
        for (step, number) in entries.mix.enumerated() {
            if step % 10 == 9 {
                if let image = images.take(number) { cache.store(image, for: keys[number]) }
            } else {
                precondition(cache.image(for: keys[number]) != nil)
            }
        }
    }
}
