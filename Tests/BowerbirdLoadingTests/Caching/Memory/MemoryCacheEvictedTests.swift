import BowerbirdCore
import BowerbirdTestSupport
import Dispatch
import Glibc
import Testing

@testable import BowerbirdLoading

@Suite struct MemoryCacheEvictedTests {
    private let clock = ManualClock()
    private let key = CacheKey("a")

    @Test func whatIsStillShownIsFoundAgainAfterItHadToMakeRoom() throws {
        let cache = MemoryCache(cost: 20, clock)
        let shown = try pixel().image
        let frames = HeavyFrames()
        var animation = shown
        animation.frames = frames
        animation.warnings = [.truncated(atByte: 7)]
        cache.store(CachedImage(animation, cost: 10, storedAt: clock.date), for: key)
        try cache.fill("b", "c")
        #expect(cache.count == 2)
        #expect(cache.contains(key))
        let found = try #require(cache.image(for: key))
        #expect(found.image.bitmap.isIdentical(to: shown.bitmap))
        #expect(found.image.frames as? HeavyFrames === frames)
        #expect(found.image.warnings == [.truncated(atByte: 7)])
        #expect(found.storedAt == clock.date)
        #expect(found.cost == 10)
        #expect(cache.hitCount == 1)
        #expect(cache.totalCost == 20)
        #expect(cache.letters == "ac")
        withExtendedLifetime(animation) {}
    }

    @Test func pixelsAloneBringAStillBackWithItsFacts() throws {
        let cache = MemoryCache(clock)
        var bitmap: Bitmap?
        do {
            let image = try pixel()
            bitmap = image.image.bitmap
            cache.store(image, for: key)
        }
        cache.trim(toCost: 0)
        #expect(cache.image(for: key)?.image.header.format == .png)
        cache.trim(toCost: 0)
        bitmap = nil
        #expect(cache.image(for: key) == nil)
        #expect(bitmap == nil)
    }

    @Test func whatNobodyHasIsGone() throws {
        let cache = MemoryCache(count: 1)
        try cache.fill("a", "b")
        #expect(cache.image(for: key) == nil)
        #expect(cache.evictedCount == 0)
    }

    @Test func whatWasRemovedDoesNotComeBack() throws {
        let cache = MemoryCache(clock)
        let shown = try pixel()
        let small = CacheKey("a small", source: "a")
        for remove in [{ cache.remove(for: small) }, { cache.remove(source: "a") }, { cache.removeAll() }] {
            cache.store(shown, for: small)
            remove()
            #expect(cache.image(for: small) == nil)
            cache.store(shown, for: small)
            cache.trim(toCount: 0)
            remove()
            #expect(cache.image(for: small) == nil)
        }
        #expect(shown.cost == 10)
    }

    @Test func anotherPictureUnderItsKeyEndsIt() throws {
        let cache = MemoryCache(clock)
        let shown = try pixel()
        cache.store(shown, for: key)
        cache.trim(toCount: 0)
        try cache.fill("a")
        cache.trim(toCount: 0)
        #expect(cache.image(for: key) == nil)
        withExtendedLifetime(shown) {}
    }

    @Test func whatIsTooOldDoesNotComeBack() throws {
        let cache = MemoryCache(clock)
        let shown = try pixel(expiry: .sinceUsed(.seconds(10)))
        cache.store(shown, for: key)
        cache.trim(toCount: 0)
        clock.advance(by: .seconds(9))
        #expect(cache.image(for: key) != nil)
        cache.trim(toCount: 0)
        clock.advance(by: .seconds(9))
        #expect(cache.contains(key))
        clock.advance(by: .seconds(1))
        #expect(!cache.contains(key))
        #expect(cache.image(for: key) == nil)
        cache.store(shown, for: key)
        clock.advance(by: .seconds(10))
        cache.trim(toCount: 0)
        #expect(cache.evictedCount == 0)
    }

    @Test func whatIsGoneIsDroppedByAndBy() throws {
        let cache = MemoryCache(count: 1)
        let shown = try pixel()
        cache.store(shown, for: CacheKey("shown"))
        for number in 0..<1000 {
            let image = try pixel()
            cache.store(image, for: CacheKey("\(number)"))
            cache.trim(toCount: 0)
            withExtendedLifetime(image) {}
        }
        #expect(cache.evictedCount < 10)
        #expect(cache.image(for: CacheKey("shown")) != nil)
    }
}

@Suite struct MemoryCacheReleaseTests {
    private let notes = FreedOn()

    private func probe(cost: Int) throws -> CachedImage {
        try pixel(cost: cost, frames: HeavyFrames { [notes] in notes.add() })
    }

    /// On which threads something was freed.
    private final class FreedOn: Sendable {
        private let threads = Lock<[pthread_t]>([])

        func add() { threads.withLock { $0.append(pthread_self()) } }
        var all: [pthread_t] { threads.withLock { $0 } }
    }

    @Test func largePicturesAreFreedOnAnotherThread() async throws {
        let queue = DispatchQueue(label: "test")
        let cache = MemoryCache(
            limits: .init(count: 1), monitor: nil, clock: ManualClock(), releases: ReleaseQueue(queue))
        queue.suspend()
        cache.store(try probe(cost: 1 << 20), for: CacheKey("a"))
        try cache.fill("b")
        #expect(notes.all.isEmpty)
        queue.resume()
        #expect(await eventually { notes.all.count == 1 })
    }

    @Test func smallPicturesAreFreedAtOnce() throws {
        let queue = DispatchQueue(label: "test")
        let cache = MemoryCache(
            limits: .init(count: 1), monitor: nil, clock: ManualClock(), releases: ReleaseQueue(queue))
        cache.store(try probe(cost: 1000), for: CacheKey("a"))
        try cache.fill("b")
        #expect(notes.all.count == 1)
        #expect(notes.all.allSatisfy { pthread_equal($0, pthread_self()) != 0 })
    }

    @Test func whatWaitsToBeFreedIsBounded() async throws {
        let queue = DispatchQueue(label: "test")
        let cache = MemoryCache(
            limits: .init(count: 1), monitor: nil, clock: ManualClock(), releases: ReleaseQueue(queue))
        queue.suspend()
        for number in 0..<100 { cache.store(try probe(cost: 8 << 20), for: CacheKey("\(number)")) }
        #expect(notes.all.count == 99 - 8)
        cache.removeAll()
        queue.resume()
        #expect(await eventually { notes.all.count == 100 })
    }
}
