import BowerbirdCore
import Testing

@testable import BowerbirdLoading

@Suite struct MemoryCacheTests {
    @Test func whatIsStoredIsFoundWithoutACopy() throws {
        let cache = MemoryCache()
        let image = try Self.image()
        cache.store(CachedImage(image, cost: 4), for: CacheKey("a"))
        let found = try #require(cache.image(for: CacheKey("a")))
        #expect(found.image.bitmap.isIdentical(to: image.bitmap))
        #expect(cache.image(for: CacheKey("b")) == nil)
        #expect(cache.hitCount == 1)
        #expect(cache.missCount == 1)
        #expect(cache.totalCost == 4)
    }

    @Test func takesAPartOfTheMemoryUnlessMoreIsSaid() {
        #expect(MemoryCache.Limits.defaultCost < MemoryAvailability.processLimit / 6)
        #expect(MemoryCache.Limits.defaultCost <= 768 << 20)
    }

    @Test func theOneUsedLongestAgoMakesRoom() throws {
        let cache = MemoryCache(limits: .init(cost: 30))
        try Self.fill(cache, "a", "b", "c")
        _ = cache.image(for: CacheKey("a"))
        try Self.fill(cache, "d")
        #expect(Self.keys(in: cache) == ["a", "c", "d"])
    }

    @Test func theNumberOfPicturesIsLimitedToo() throws {
        let cache = MemoryCache(limits: .init(count: 2))
        try Self.fill(cache, "a", "b", "c")
        #expect(Self.keys(in: cache) == ["b", "c"])
    }

    @Test func loweringALimitEvictsAtOnce() throws {
        let cache = MemoryCache(limits: .init(cost: 40))
        try Self.fill(cache, "a", "b", "c", "d")
        cache.limits.cost = 25
        #expect(cache.totalCost == 20)
        #expect(Self.keys(in: cache) == ["c", "d"])
        cache.limits.count = 1
        #expect(Self.keys(in: cache) == ["d"])
    }

    @Test func aPictureLargerThanTheLimitIsNotKeptAndEvictsNoOther() throws {
        let cache = MemoryCache(limits: .init(cost: 30))
        try Self.fill(cache, "a", "b")
        cache.store(CachedImage(try Self.image(), cost: 31), for: CacheKey("c"))
        #expect(Self.keys(in: cache) == ["a", "b"])
    }

    @Test func aPictureThatIsTooLargeStillEndsTheOneItReplaces() throws {
        let cache = MemoryCache(limits: .init(cost: 30))
        try Self.fill(cache, "a")
        cache.store(CachedImage(try Self.image(), cost: 31), for: CacheKey("a"))
        #expect(cache.image(for: CacheKey("a")) == nil)
        #expect(cache.totalCost == 0)
    }

    @Test func replacingCountsTheCostOnce() throws {
        let cache = MemoryCache(limits: .init(cost: 30))
        try Self.fill(cache, "a", "b", "a", "a")
        #expect(cache.totalCost == 20)
        #expect(cache.count == 2)
    }

    @Test func absurdCostsAndLimitsAreTakenAsZero() throws {
        let cache = MemoryCache(limits: .init(cost: .max))
        cache.store(CachedImage(try Self.image(), cost: .min), for: CacheKey("a"))
        #expect(cache.totalCost == 0)
        cache.store(CachedImage(try Self.image(), cost: .max), for: CacheKey("b"))
        cache.store(CachedImage(try Self.image(), cost: .max / 2), for: CacheKey("c"))
        cache.store(CachedImage(try Self.image(), cost: .max / 2), for: CacheKey("d"))
        #expect(Self.keys(in: cache) == ["d"])
        cache.limits.cost = -1
        #expect(cache.limits.cost == 0)
        #expect(cache.totalCost == 0)
    }

    @Test func removedPicturesAreGone() throws {
        let cache = MemoryCache()
        try Self.fill(cache, "a", "b", "c")
        cache.remove(for: CacheKey("b"))
        #expect(Self.keys(in: cache) == ["a", "c"])
        cache.removeAll()
        #expect(cache.count == 0)
        #expect(cache.totalCost == 0)
    }

    @Test func everythingOfOneSourceGoesTogether() throws {
        let cache = MemoryCache()
        for (key, source) in [("a", "one"), ("b", "one"), ("c", "two"), ("d", "one")] {
            cache.store(CachedImage(try Self.image(), cost: 10), for: CacheKey(key, source: source))
        }
        cache.remove(source: "one")
        #expect(Self.keys(in: cache) == ["c"])
        #expect(cache.totalCost == 10)
    }

    @Test func manyThreadsNeverPassTheLimit() async throws {
        let cache = MemoryCache(limits: .init(cost: 100))
        let image = try Self.image()
        await withTaskGroup { group in
            for task in 0..<8 {
                group.addTask {
                    for step in 0..<500 {
                        cache.store(CachedImage(image, cost: 10), for: CacheKey("\((task * 7 + step) % 23)"))
                        _ = cache.image(for: CacheKey("\(step % 23)"))
                        #expect(cache.totalCost <= 100)
                    }
                }
            }
        }
        #expect(cache.hitCount + cache.missCount == 8 * 500)
    }

    private static func image() throws -> DecodedImage {
        let size = PixelSize(width: 1, height: 1)
        guard let buffer = PixelBuffer(size: size) else { throw DecodingError.outOfMemory(size) }
        let header = ImageHeader(format: .png, storedSize: size)
        return DecodedImage(bitmap: buffer.freeze(), header: header)
    }

    /// Each with the cost 10.
    private static func fill(_ cache: MemoryCache, _ keys: String...) throws {
        for key in keys { cache.store(CachedImage(try image(), cost: 10), for: CacheKey(key)) }
    }

    private static func keys(in cache: MemoryCache) -> [String] {
        ["a", "b", "c", "d"].filter { cache.image(for: CacheKey($0)) != nil }
    }
}
