import BowerbirdCore
import BowerbirdTestSupport
import Testing

@testable import BowerbirdLoading

@Suite struct MemoryCacheTests {
    @Test func whatIsStoredIsFoundWithoutACopy() throws {
        let cache = MemoryCache()
        let image = try pixel().image
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
        let cache = MemoryCache(cost: 30)
        try cache.fill("a", "b", "c")
        _ = cache.image(for: CacheKey("a"))
        try cache.fill("d")
        #expect(cache.letters == "acd")
    }

    @Test func theNumberOfPicturesIsLimitedToo() throws {
        let cache = MemoryCache(count: 2)
        try cache.fill("a", "b", "c")
        #expect(cache.letters == "bc")
    }

    @Test func loweringALimitEvictsAtOnce() throws {
        let cache = MemoryCache(cost: 40)
        try cache.fill("a", "b", "c", "d")
        cache.limits.cost = 25
        #expect(cache.totalCost == 20)
        #expect(cache.letters == "cd")
        cache.limits.count = 1
        #expect(cache.letters == "d")
    }

    @Test func aPictureLargerThanTheLimitIsNotKeptAndEvictsNoOther() throws {
        let cache = MemoryCache(cost: 30)
        try cache.fill("a", "b")
        cache.store(try pixel(cost: 31), for: CacheKey("c"))
        #expect(cache.letters == "ab")
    }

    @Test func aPictureThatIsTooLargeStillEndsTheOneItReplaces() throws {
        let cache = MemoryCache(cost: 30)
        try cache.fill("a")
        cache.store(try pixel(cost: 31), for: CacheKey("a"))
        #expect(cache.image(for: CacheKey("a")) == nil)
        #expect(cache.totalCost == 0)
    }

    @Test func replacingCountsTheCostOnce() throws {
        let cache = MemoryCache(cost: 30)
        try cache.fill("a", "b", "a", "a")
        #expect(cache.totalCost == 20)
        #expect(cache.count == 2)
    }

    @Test func absurdCostsAndLimitsAreTakenAsZero() throws {
        let cache = MemoryCache(cost: .max)
        cache.store(try pixel(cost: .min), for: CacheKey("a"))
        #expect(cache.totalCost == 0)
        cache.store(try pixel(cost: .max), for: CacheKey("b"))
        cache.store(try pixel(cost: .max / 2), for: CacheKey("c"))
        cache.store(try pixel(cost: .max / 2), for: CacheKey("d"))
        #expect(cache.letters == "d")
        cache.limits.cost = -1
        #expect(cache.limits.cost == 0)
        #expect(cache.totalCost == 0)
    }

    @Test func removedPicturesAreGone() throws {
        let cache = MemoryCache()
        try cache.fill("a", "b", "c")
        cache.remove(for: CacheKey("b"))
        #expect(cache.letters == "ac")
        cache.removeAll()
        #expect(cache.count == 0)
        #expect(cache.totalCost == 0)
    }

    @Test func everythingOfOneSourceGoesTogether() throws {
        let cache = MemoryCache()
        for (key, source) in [("a", "one"), ("b", "one"), ("c", "two"), ("d", "one")] {
            cache.store(try pixel(), for: CacheKey(key, source: source))
        }
        cache.remove(source: "one")
        #expect(cache.letters == "c")
        #expect(cache.totalCost == 10)
    }

    @Test func theKeysOfOneSourceAreListed() throws {
        let cache = MemoryCache(ManualClock())
        let keys = [
            CacheKey("one"), CacheKey("one small", source: "one"), CacheKey("one round", source: "one"),
            CacheKey("one again", source: "one"),
        ]
        for key in keys + [CacheKey("two"), CacheKey("two small", source: "two")] {
            cache.store(try pixel(), for: key)
        }
        #expect(Set(cache.keys(ofSource: "one")) == Set(keys))
        cache.remove(for: keys[2])
        cache.store(try pixel(), for: keys[1])
        #expect(Set(cache.keys(ofSource: "one")) == Set([keys[0], keys[1], keys[3]]))
        cache.remove(source: "one")
        #expect(cache.keys(ofSource: "one") == [])
        #expect(cache.count == 2)
        #expect(cache.keys(ofSource: "three") == [])
    }

    @Test func aKeyThatIsStoredAgainWithAnotherSourceBelongsToThat() throws {
        let cache = MemoryCache(ManualClock())
        cache.store(try pixel(), for: CacheKey("a", source: "one"))
        cache.store(try pixel(), for: CacheKey("a", source: "two"))
        cache.remove(source: "one")
        #expect(cache.letters == "a")
        cache.store(try pixel(), for: CacheKey("a"))
        cache.remove(source: "two")
        #expect(cache.letters == "a")
        cache.remove(source: "a")
        #expect(cache.letters == "")
    }

    @Test func aTextThatIsTheNameOfAnotherSourceIsNoneOfIts() throws {
        let cache = MemoryCache(ManualClock())
        cache.store(try pixel(), for: CacheKey("a", source: "b"))
        cache.remove(source: "a")
        #expect(cache.letters == "a")
    }

    @Test func keysMayBeAnyText() throws {
        let cache = MemoryCache(ManualClock())
        let long = String(repeating: "x", count: 10_000)
        let texts = [
            "", "'", "\"", "'; DROP TABLE entries; --", "\0", "\0\0", "a\0b", "a", long, long + "y", "东方不败.jpg", "😀",
            "%",
        ]
        let images = try texts.map { _ in try pixel() }
        for (text, image) in zip(texts, images) { cache.store(image, for: CacheKey(text)) }
        #expect(cache.count == texts.count)
        for (text, image) in zip(texts, images) {
            let found = try #require(cache.image(for: CacheKey(text)))
            #expect(found.image.bitmap.isIdentical(to: image.image.bitmap))
            #expect(cache.keys(ofSource: text).map(\.text) == [text])
        }
    }

    @Test func lookingWhetherAPictureIsThereIsNoUse() throws {
        let cache = MemoryCache(count: 2)
        try cache.fill("a", "b")
        #expect(cache.contains(CacheKey("a")))
        #expect(!cache.contains(CacheKey("c")))
        try cache.fill("c")
        #expect(cache.letters == "bc")
        #expect(cache.hitCount + cache.missCount == 0)
    }

    @Test func manyThreadsNeverPassTheLimit() async throws {
        let cache = MemoryCache(cost: 100)
        let image = try pixel().image
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
}
