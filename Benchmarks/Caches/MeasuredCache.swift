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

    func hit(_ order: [Int]) {
        for number in order { precondition(cache.image(for: keys[number]) != nil) }
    }

    func miss() {
        for number in entries.inOrder { precondition(cache.image(for: otherKeys[number]) == nil) }
    }

    func set() {
        for number in entries.inOrder { cache.store(entries.images[number], for: keys[number]) }
    }

    func remove() {
        for number in entries.inOrder { cache.remove(for: keys[number]) }
    }

    /// Each picture is given away: what the cache evicts, nobody else has.
    func mix(_ images: NewImages) {
        for (step, number) in entries.mix.enumerated() {
            if step % 10 == 9 {
                images.take(number).map { cache.store($0, for: keys[number]) }
            } else {
                precondition(cache.image(for: keys[number]) != nil)
            }
        }
    }
}
