import BowerbirdCore
import BowerbirdTestSupport
import Foundation
import Testing

@testable import BowerbirdLoading

private let key = CacheKey("0")

@Suite
struct `A pinned entry of a disk cache` {
    @Test(arguments: [1000, 100_000])
    func staysWhenOthersMakeRoom(count: Int) async throws {
        let folder = try TemporaryDirectory()
        let test = CacheUnderTest(folder.path, DiskCache.Limits(count: 4, trimmedShare: 0.5))
        try await test.fill(0..<3, count: count)
        #expect(await test.cache.pin(key, as: "album"))
        try await test.fill(3..<6, count: count)
        #expect(await test.kept(of: 0..<6) == [0, 4, 5])
        await test.cache.trim(toByteCount: 0)
        #expect(await test.kept(of: 0..<6) == [0])
    }

    @Test func staysAlsoWhenAllElseIsKeptOut() async throws {
        let folder = try TemporaryDirectory()
        let test = CacheUnderTest(folder.path, DiskCache.Limits(byteCount: 0))
        #expect(await test.cache.pin(key, as: "album"))
        try await test.fill(0..<2, count: 100_000)
        #expect(await test.kept(of: 0..<2) == [0])
        #expect(test.files.count == 1)
    }

    @Test func isNeverTooOld() async throws {
        let folder = try TemporaryDirectory()
        let clock = TestClock()
        let test = CacheUnderTest(folder.path) { $0.clock = clock.wallClock }
        for name in ["0", "1"] {
            var entry = try cacheEntry(name, count: 10)
            entry.storedAt = Date(microseconds: clock.wallClock.now)
            entry.expiry = .sinceStored(.seconds(60))
            await test.cache.store(entry, for: CacheKey(name))
        }
        await test.cache.pin(key, as: "album")
        clock.advance(by: .seconds(60))
        #expect(await test.kept(of: 0..<2) == [0])
        #expect(await test.cache.removeExpired() <= 1)
        #expect(await test.holds("0", count: 10))
        await test.cache.unpin(key, as: "album")
        #expect(await test.cache.contains(key) == false)
    }

    @Test func staysAsLongAsAnyNameHoldsIt() async throws {
        let folder = try TemporaryDirectory()
        let test = CacheUnderTest(folder.path)
        try await test.fill(0..<2)
        for name in ["a", "b", "b", "'; DROP TABLE pins; --"] { #expect(await test.cache.pin(key, as: name)) }
        #expect(await test.cache.pinNames == ["a", "b", "'; DROP TABLE pins; --"])
        for name in ["b", "a", "none"] { await test.cache.unpin(key, as: name) }
        await test.cache.trim(toCount: 0)
        #expect(await test.kept(of: 0..<2) == [0])
        await test.cache.unpin(key, as: "'; DROP TABLE pins; --")
        await test.cache.trim(toCount: 0)
        #expect(await test.cache.count == 0)
        #expect(await test.cache.pinNames.isEmpty)
    }

    @Test func isLetGoWithItsWholeSet() async throws {
        let folder = try TemporaryDirectory()
        let test = CacheUnderTest(folder.path)
        try await test.fill(0..<4)
        for key in 0..<3 { await test.cache.pin(CacheKey("\(key)"), as: "album") }
        await test.cache.pin(CacheKey("1"), as: "other")
        await test.cache.unpinAll(as: "album")
        await test.cache.trim(toCount: 0)
        #expect(await test.kept(of: 0..<4) == [1])
        #expect(await test.cache.pinNames == ["other"])
    }

    @Test func mayBePinnedBeforeItComesAndByAnotherProcess() async throws {
        let folder = try TemporaryDirectory()
        let (mine, theirs) = (CacheUnderTest(folder.path), CacheUnderTest(folder.path))
        #expect(await theirs.cache.pin(key, as: "album"))
        #expect(await theirs.cache.pinnedKeys(as: "album") == [key])
        #expect(await mine.cache.contains(key) == false)
        try await mine.fill(0..<2)
        await mine.cache.trim(toCount: 0)
        #expect(await mine.kept(of: 0..<2) == [0])
    }

    @Test func isPinnedBeforeItIsWritten() async throws {
        let folder = try TemporaryDirectory()
        let test = CacheUnderTest(folder.path)
        await test.cache.store(try cacheEntry("0", count: 10), for: key)
        #expect(await test.cache.pin(key, as: "album"))
        await test.cache.trim(toCount: 0)
        #expect(await test.holds("0", count: 10))
    }

    @Test func staysPinnedWhenItIsStoredAnew() async throws {
        let folder = try TemporaryDirectory()
        let test = CacheUnderTest(folder.path)
        try await test.fill([0])
        await test.cache.pin(key, as: "album")
        for count in [100_000, 10] { try await test.fill([0], count: count) }
        await test.cache.trim(toCount: 0)
        #expect(await test.holds("0", count: 10))
        #expect(test.files.isEmpty)
    }

    @Test func isRemovedOnPurposeAndPinnedAgainWhenItComesBack() async throws {
        let folder = try TemporaryDirectory()
        let test = CacheUnderTest(folder.path)
        await test.cache.pin(key, as: "album")
        for remove in [{ await $0.remove(for: key) }, { await $0.remove(source: "0") }] as [(DiskCache) async -> Void] {
            try await test.fill([0])
            await remove(test.cache)
            #expect(await test.cache.contains(key) == false)
        }
        try await test.fill([0])
        await test.cache.trim(toCount: 0)
        #expect(await test.cache.contains(key))
    }

    @Test func goesWithAllOthersAndItsPinsAsWell() async throws {
        let folder = try TemporaryDirectory()
        let test = CacheUnderTest(folder.path)
        try await test.fill(0..<2)
        await test.cache.pin(key, as: "album")
        await test.cache.removeAll()
        #expect(await test.cache.count == 0)
        #expect(await test.cache.pinNames.isEmpty)
        try await test.fill(0..<2)
        await test.cache.trim(toCount: 0)
        #expect(await test.cache.count == 0)
    }
}

@Suite
struct `The limit of pinned entries` {
    @Test func isItsOwn() async throws {
        let folder = try TemporaryDirectory()
        let test = CacheUnderTest(folder.path, DiskCache.Limits(pinnedByteCount: 2500))
        try await test.fill(0..<3)
        var answers: [Bool] = []
        for key in 0..<3 { answers.append(await test.cache.pin(CacheKey("\(key)"), as: "album")) }
        #expect(answers == [true, true, false])
        #expect(await test.cache.pin(key, as: "another name takes no more room"))
        #expect(await test.cache.pinnedKeys(as: "album").count == 2)
        await test.cache.trim(toCount: 0)
        #expect(await test.kept(of: 0..<3) == [0, 1])
        test.cache.limits.pinnedByteCount = 3000
        try await test.fill([2])
        #expect(await test.cache.pin(CacheKey("2"), as: "album"))
    }

    @Test func makesWhatComesLaterAnOrdinaryEntry() async throws {
        let folder = try TemporaryDirectory()
        let test = CacheUnderTest(folder.path, DiskCache.Limits(pinnedByteCount: 1500))
        for key in 0..<2 { #expect(await test.cache.pin(CacheKey("\(key)"), as: "album")) }
        try await test.fill([0])
        try await test.fill([1])
        await test.cache.trim(toCount: 0)
        #expect(await test.kept(of: 0..<2) == [0])
        await test.cache.remove(for: key)
        try await test.fill([1])
        await test.cache.trim(toCount: 0)
        #expect(await test.kept(of: 0..<2) == [1])
    }

    @Test func isNoneForWhatDoesNotFitAtAll() async throws {
        let folder = try TemporaryDirectory()
        let limits = DiskCache.Limits(byteCount: 50_000, pinnedByteCount: 60_000)
        let test = CacheUnderTest(folder.path, limits)
        try await test.fill([1])
        #expect(await test.cache.pin(key, as: "album"))
        try await test.fill([0], count: 100_000)
        #expect(await test.kept(of: 0..<2) == [1])
        #expect(test.files.isEmpty)
    }

    @Test func ofNothingPinsNothing() async throws {
        let folder = try TemporaryDirectory()
        let test = CacheUnderTest(folder.path, DiskCache.Limits(pinnedByteCount: 0))
        #expect(await test.cache.pin(key, as: "album") == false)
        #expect(await test.cache.pinNames.isEmpty)
    }
}

@Suite
struct `A list of pins` {
    @Test func isExportedAndPinnedElsewhere() async throws {
        let folders = (try TemporaryDirectory(), try TemporaryDirectory())
        let (here, there) = (CacheUnderTest(folders.0.path), CacheUnderTest(folders.1.path))
        let sized = CacheKey("a 10x10", source: "a")
        await here.cache.store(try cacheEntry("a", count: 10), for: sized)
        await here.cache.pin(sized, as: "album")
        await here.cache.pin(CacheKey("b"), as: "album")
        let list = await here.cache.pinList(named: "album")
        #expect(list.pins == [.init(key: "a 10x10", source: "a", url: "http://example.org/a"), .init(key: "b")])

        let copy = try JSONDecoder().decode(DiskCache.PinList.self, from: JSONEncoder().encode(list))
        #expect(copy == list)
        #expect(await there.cache.pin(copy))
        #expect(await there.cache.pinnedKeys(as: "album") == [sized, CacheKey("b")])
        #expect(await there.cache.pin(DiskCache.PinList(name: "none", pins: [])))
    }
}
