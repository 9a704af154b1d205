import BowerbirdCore
import BowerbirdTestSupport
import Testing

@testable import BowerbirdLoading

@Suite struct MemoryCacheLimitsTests {
    private let clock = ManualClock()

    @Test func aPictureOfMoreThanATenthOfTheLimitIsNotKept() throws {
        let cache = MemoryCache(limits: .init(cost: 1000), monitor: nil)
        cache.store(try pixel(cost: 100), for: CacheKey("a"))
        cache.store(try pixel(cost: 101), for: CacheKey("b"))
        #expect(cache.letters == "a")
        cache.limits.maximumEntryShare = 0.5
        cache.store(try pixel(cost: 500), for: CacheKey("c"))
        cache.store(try pixel(cost: 501), for: CacheKey("d"))
        #expect(cache.letters == "ac")
    }

    @Test func aShareOfOneKeepsWhateverFits() throws {
        let cache = MemoryCache(limits: .init(cost: 1000, maximumEntryShare: 1), monitor: nil)
        cache.store(try pixel(cost: 1000), for: CacheKey("a"))
        cache.store(try pixel(cost: 1001), for: CacheKey("b"))
        #expect(cache.letters == "a")
    }

    @Test func absurdSharesAreTakenAsTheNearestSensibleOne() {
        let shares = [Double.nan, -1, 2, .infinity].map { MemoryCache.Limits(maximumEntryShare: $0).maximumEntryShare }
        #expect(shares == [0, 0, 1, 1])
    }

    @Test(arguments: [MemoryCache.Limits(cost: 0), .init(count: 0), .init(cost: 0, count: 0, maximumEntryShare: 1)])
    func limitsOfZeroKeepNothing(limits: MemoryCache.Limits) throws {
        let cache = MemoryCache(limits: limits, monitor: nil)
        let image = try pixel(cost: 0)
        cache.store(image, for: CacheKey("a"))
        #expect(cache.image(for: CacheKey("a")) == nil)
        #expect(cache.count == 0)
    }

    @Test func anAgeOfZeroKeepsNothingAndEndsWhatWasThere() throws {
        let cache = MemoryCache(clock)
        try cache.fill("a")
        cache.store(try pixel(expiry: .sinceStored(.zero)), for: CacheKey("a"))
        cache.store(try pixel(expiry: .sinceUsed(.seconds(-1))), for: CacheKey("b"))
        #expect(cache.letters == "")
        #expect(cache.totalCost == 0)
    }

    @Test func loweringTheLimitsToZeroForgetsEvenWhatIsOnScreen() throws {
        let cache = MemoryCache(clock)
        let shown = try pixel()
        cache.store(shown, for: CacheKey("a"))
        cache.limits.cost = 0
        #expect(cache.image(for: CacheKey("a")) == nil)
        withExtendedLifetime(shown) {}
    }

    @Test func framesCountTowardsTheCost() throws {
        let frames = HeavyFrames(byteCount: 5000)
        let bitmap = try PixelBuffer.make(10, 10).freeze()
        let image = DecodedImage(
            bitmap: bitmap, header: ImageHeader(format: .gif, storedSize: bitmap.size), frames: frames)
        #expect(CachedImage(image).cost == 5400)
        #expect(CachedImage(image.with(bitmap)).cost == 400)
    }

    @Test func absurdFramesDoNotOverflow() throws {
        let image = try pixel(frames: HeavyFrames(byteCount: .max)).image
        #expect(image.byteCount == .max)
        #expect(try pixel(frames: HeavyFrames(byteCount: .min)).image.byteCount == 4)
    }

    @Test func aChangeOfACachedImageLeavesItsCopiesAlone() throws {
        let image = try pixel()
        var other = image
        other.cost = 3
        other.expiry = .sinceUsed(.seconds(1))
        #expect(image.cost == 10)
        #expect(image.expiry == nil)
        #expect(other.cost == 3)
        #expect(other.expiry == .sinceUsed(.seconds(1)))
    }
}

@Suite struct MemoryCacheAgeTests {
    private let clock = ManualClock()

    @Test func aPictureThatIsTooOldIsAMissAndFreed() throws {
        let cache = MemoryCache(expiry: .sinceStored(.seconds(10)), clock)
        try cache.fill("a")
        clock.advance(by: .seconds(9))
        #expect(cache.image(for: CacheKey("a")) != nil)
        clock.advance(by: .seconds(1))
        #expect(!cache.contains(CacheKey("a")))
        #expect(cache.count == 1)
        #expect(cache.image(for: CacheKey("a")) == nil)
        #expect(cache.count == 0)
        #expect(cache.missCount == 1)
    }

    @Test func eachUseGivesAPictureMoreTimeWhereAgeCountsFromThere() throws {
        let cache = MemoryCache(expiry: .sinceUsed(.seconds(10)), clock)
        try cache.fill("a")
        for _ in 0..<3 {
            clock.advance(by: .seconds(9))
            #expect(cache.image(for: CacheKey("a")) != nil)
        }
        clock.advance(by: .seconds(10))
        #expect(cache.image(for: CacheKey("a")) == nil)
    }

    @Test func theAgeOfAPictureItselfComesFirst() throws {
        let cache = MemoryCache(expiry: .sinceStored(.seconds(10)), clock)
        cache.store(try pixel(expiry: .never), for: CacheKey("a"))
        cache.store(try pixel(expiry: .sinceStored(.seconds(20))), for: CacheKey("b"))
        cache.store(try pixel(expiry: .sinceUsed(.seconds(5))), for: CacheKey("c"))
        try cache.fill("d")
        clock.advance(by: .seconds(5))
        #expect(cache.letters == "abd")
        clock.advance(by: .seconds(5))
        #expect(cache.letters == "ab")
        clock.advance(by: .seconds(10))
        #expect(cache.letters == "a")
    }

    @Test func storingFreesWhatIsTooOldFromTheOldestOn() throws {
        let cache = MemoryCache(expiry: .sinceUsed(.seconds(10)), clock)
        try cache.fill("a", "b", "c")
        clock.advance(by: .seconds(6))
        _ = cache.image(for: CacheKey("b"))
        clock.advance(by: .seconds(6))
        try cache.fill("d")
        #expect(cache.count == 2)
        #expect(cache.letters == "bd")
    }

    @Test func removingWhatIsTooOldFindsItWhereverItIs() throws {
        let cache = MemoryCache(clock)
        for number in 0..<1000 {
            let expiry = number % 3 == 0 ? CacheExpiry.sinceStored(.seconds(number % 2 + 1)) : .never
            cache.store(try pixel(expiry: expiry), for: CacheKey("\(number)"))
        }
        clock.advance(by: .seconds(1))
        cache.removeExpired()
        #expect(cache.count == 1000 - 167)
        clock.advance(by: .seconds(1))
        cache.removeExpired()
        #expect(cache.count == 666)
        #expect(cache.totalCost == 6660)
    }

    @Test func anotherAgeHoldsForWhatIsThere() throws {
        let cache = MemoryCache(clock)
        try cache.fill("a")
        clock.advance(by: .seconds(100))
        cache.limits.expiry = .sinceStored(.seconds(10))
        clock.advance(by: .seconds(9))
        #expect(cache.letters == "a")
        cache.limits.expiry = .sinceStored(.seconds(12))
        clock.advance(by: .seconds(2))
        #expect(cache.letters == "a")
        clock.advance(by: .seconds(1))
        #expect(cache.letters == "")
    }

    @Test func agesBeyondAllTimeAreNever() throws {
        let cache = MemoryCache(clock)
        cache.store(try pixel(expiry: .sinceStored(.seconds(Int64.max))), for: CacheKey("a"))
        clock.advance(by: .seconds(1_000_000_000))
        #expect(cache.letters == "a")
    }
}
