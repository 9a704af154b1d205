import BowerbirdCore
import BowerbirdTestSupport
import Foundation
import Testing

@testable import BowerbirdLoading

private let day = Duration.seconds(86_400)

/// A cache whose clock the test sets.
private struct AgeingCache {
    let folder: TemporaryDirectory
    let clock: TestClock
    let test: CacheUnderTest
    var cache: DiskCache { test.cache }

    init(_ limits: DiskCache.Limits = DiskCache.Limits()) throws {
        let (folder, clock) = (try TemporaryDirectory(), TestClock())
        test = CacheUnderTest(folder.path, limits) { $0.clock = clock.wallClock }
        (self.folder, self.clock) = (folder, clock)
    }

    func store(_ key: String, _ expiry: CacheExpiry?, count: Int = 100) async throws {
        var entry = try cacheEntry(key, count: count)
        entry.storedAt = Date(microseconds: clock.wallClock.now)
        entry.expiry = expiry
        await cache.store(entry, for: CacheKey(key))
        await cache.flush()
    }

    func holds(_ key: String) async -> Bool { await cache.entry(for: CacheKey(key)) != nil }

    /// As a later run of the program.
    var again: CacheUnderTest { CacheUnderTest(folder.path) { $0.clock = clock.wallClock } }
}

@Suite
struct `An entry that grows too old` {
    @Test(arguments: [CacheExpiry.sinceStored(day), .sinceUsed(day)], [100, 100_000])
    func isAMissAndIsRemovedBehind(expiry: CacheExpiry, count: Int) async throws {
        let ageing = try AgeingCache()
        try await ageing.store("picture", expiry, count: count)
        try await ageing.store("other", nil)
        ageing.clock.advance(by: day - .microseconds(1))
        #expect(await ageing.cache.contains(CacheKey("picture")))
        ageing.clock.advance(by: .microseconds(1))
        #expect(await ageing.cache.contains(CacheKey("picture")) == false)
        #expect(await ageing.holds("picture") == false)
        await ageing.cache.flush()
        #expect(await ageing.cache.count == 1)
        #expect(ageing.test.files.isEmpty)
    }

    @Test(arguments: [CacheExpiry.sinceStored(day), .sinceUsed(day)])
    func growsOldByTheExpiryOfTheCacheWhereItHasNone(expiry: CacheExpiry) async throws {
        let ageing = try AgeingCache(DiskCache.Limits(expiry: expiry))
        try await ageing.store("picture", nil)
        try await ageing.store("for ever", .never)
        try await ageing.store("longer", .sinceStored(day * 2))
        ageing.clock.advance(by: day)
        #expect(await ageing.holds("picture") == false)
        #expect(await ageing.holds("for ever"))
        #expect(await ageing.holds("longer"))
        ageing.cache.limits.expiry = .never
        #expect(await ageing.cache.entry(for: CacheKey("longer"))?.expiry == .sinceStored(day * 2))
    }

    @Test(arguments: [CacheExpiry.sinceUsed(day), nil])
    func livesOnWithEachUseAlsoAcrossRuns(expiry: CacheExpiry?) async throws {
        let ageing = try AgeingCache(DiskCache.Limits(expiry: .sinceUsed(day)))
        try await ageing.store("picture", expiry)
        for _ in 0..<3 {
            ageing.clock.advance(by: day - .seconds(1))
            #expect(await ageing.holds("picture"))
        }
        await ageing.cache.flush()
        ageing.clock.advance(by: day - .seconds(1))
        let again = ageing.again
        again.cache.limits.expiry = .sinceUsed(day)
        #expect(await again.holds("picture", count: 100))
        ageing.clock.advance(by: day)
        #expect(await again.cache.contains(CacheKey("picture")) == false)
    }

    @Test func doesNotLiveOnWithUsesWhenItsTimeRunsSinceItWasStored() async throws {
        let ageing = try AgeingCache()
        try await ageing.store("picture", .sinceStored(day))
        ageing.clock.advance(by: day / 2)
        #expect(await ageing.holds("picture"))
        await ageing.cache.flush()
        ageing.clock.advance(by: day / 2)
        #expect(await ageing.holds("picture") == false)
    }

    @Test func isAMissBeforeItIsWritten() async throws {
        let ageing = try AgeingCache()
        try await ageing.store("before", nil)
        let gate = try ageing.test.database()
        try gate.execute("BEGIN IMMEDIATE")
        var entry = try cacheEntry("picture", count: 10)
        entry.storedAt = Date(microseconds: ageing.clock.wallClock.now)
        entry.expiry = .sinceStored(day)
        await ageing.cache.store(entry, for: CacheKey("picture"))
        #expect(await ageing.holds("picture"))
        ageing.clock.advance(by: day)
        #expect(await ageing.holds("picture") == false)
        #expect(await ageing.cache.contains(CacheKey("picture")) == false)
        try gate.execute("COMMIT")
        await ageing.cache.flush()
    }

    @Test func isNotMadeYoungByAClockThatIsSetBack() async throws {
        let ageing = try AgeingCache()
        try await ageing.store("picture", .sinceStored(day))
        ageing.clock.advance(by: day * -1)
        #expect(await ageing.holds("picture"))
        ageing.clock.advance(by: .seconds(-2))
        #expect(await ageing.holds("picture") == false)
    }

    @Test(arguments: [CacheExpiry.sinceStored(.zero), .sinceStored(.seconds(-1)), .sinceUsed(.zero)])
    func mayBeSoAtOnce(expiry: CacheExpiry) async throws {
        let ageing = try AgeingCache()
        try await ageing.store("picture", expiry)
        #expect(await ageing.holds("picture") == false)
    }

    @Test(arguments: [CacheExpiry.sinceStored(.seconds(Int64.max)), .sinceUsed(.seconds(Int64.max)), .never])
    func neverIsWhenItsTimeIsBeyondAllClocks(expiry: CacheExpiry) async throws {
        let ageing = try AgeingCache(DiskCache.Limits(expiry: expiry))
        try await ageing.store("own", expiry)
        try await ageing.store("general", nil)
        ageing.clock.advance(by: day * 100_000)
        #expect(await ageing.holds("own"))
        #expect(await ageing.holds("general"))
        #expect(await ageing.cache.removeExpired() == 0)
    }

    @Test func isRemovedWithAllOthersOnRequest() async throws {
        let ageing = try AgeingCache(DiskCache.Limits(expiry: .sinceStored(day * 2)))
        for key in 0..<1500 {
            var entry = try cacheEntry("\(key)", count: 10)
            entry.storedAt = Date(microseconds: ageing.clock.wallClock.now)
            entry.expiry = key % 3 == 0 ? .sinceStored(day) : key % 3 == 1 ? .never : nil
            await ageing.cache.store(entry, for: CacheKey("\(key)"))
        }
        await ageing.cache.flush()
        #expect(await ageing.cache.removeExpired() == 0)
        ageing.clock.advance(by: day)
        #expect(await ageing.cache.removeExpired() == 500)
        ageing.clock.advance(by: day)
        #expect(await ageing.cache.removeExpired() == 500)
        #expect(await ageing.cache.count == 500)
    }

    @Test(arguments: [CacheExpiry.sinceStored(day), .sinceUsed(day), nil])
    func goesFirstWhenRoomIsNeeded(general: CacheExpiry?) async throws {
        let ageing = try AgeingCache(DiskCache.Limits(count: 6, expiry: general ?? .never, trimmedShare: 0.5))
        try await ageing.store("oldest", .never)
        try await ageing.store("a", general == nil ? .sinceStored(day) : nil)
        try await ageing.store("b", general == nil ? .sinceUsed(day) : nil)
        ageing.clock.advance(by: day)
        for key in ["c", "d", "e", "f"] { try await ageing.store(key, nil) }
        await ageing.cache.flush()
        var kept: [String] = []
        for key in ["oldest", "a", "b", "c", "d", "e", "f"] where await ageing.holds(key) { kept.append(key) }
        #expect(kept == ["d", "e", "f"])
    }

    @Test func leavesRoomForTheOldestThatIsStillGood() async throws {
        let ageing = try AgeingCache(DiskCache.Limits(count: 5, trimmedShare: 0.6))
        try await ageing.store("oldest", nil)
        for key in ["a", "b", "c"] { try await ageing.store(key, .sinceStored(day)) }
        ageing.clock.advance(by: day)
        for key in ["d", "e"] { try await ageing.store(key, nil) }
        #expect(await ageing.cache.count == 3)
        for key in ["oldest", "d", "e"] { #expect(await ageing.holds(key)) }
    }
}

@Suite
struct `The order in which entries go` {
    @Test(arguments: [Duration.seconds(0), .seconds(-3600), .seconds(-86_400 * 10_000)])
    func isThatOfTheLastUseAcrossRunsAlsoWhenTheClockIsSetBack(step: Duration) async throws {
        let ageing = try AgeingCache()
        for key in 0..<10 { try await ageing.test.fill([key], count: 100) }
        ageing.clock.advance(by: step)
        for key in [3, 0, 7] { #expect(await ageing.test.holds("\(key)", count: 100)) }
        await ageing.cache.flush()

        ageing.clock.advance(by: step)
        let second = ageing.again
        for key in [5, 1] { #expect(await second.holds("\(key)", count: 100)) }
        try await second.fill([10], count: 100)
        #expect(await second.holds("2", count: 100))
        await second.cache.flush()

        ageing.clock.advance(by: step)
        let third = ageing.again
        var order: [Int] = []
        while await third.cache.count > 0 {
            let before = await third.kept(of: 0...10)
            await third.cache.trim(toCount: before.count - 1)
            order += Set(before).subtracting(await third.kept(of: 0...10))
        }
        #expect(order == [4, 6, 8, 9, 3, 0, 7, 5, 1, 10, 2])
    }

    @Test func isWrittenBeforeATrim() async throws {
        let folder = try TemporaryDirectory()
        let test = CacheUnderTest(folder.path)
        try await test.fill(0..<10)
        #expect(await test.holds("0", count: 1000))
        await test.cache.trim(toCount: 2)
        #expect(await test.kept(of: 0..<10) == [0, 9])
    }
}
