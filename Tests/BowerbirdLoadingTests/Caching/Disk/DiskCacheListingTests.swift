import BowerbirdCore
import BowerbirdTestSupport
import Foundation
import Testing

@testable import BowerbirdLoading

/// A cache with pictures of some addresses, stored a day after one another.
private struct Album {
    let folder: TemporaryDirectory
    let clock = TestClock()
    let test: CacheUnderTest
    var cache: DiskCache { test.cache }

    static let urls = [
        "https://example.org/a.png", "http://example.org:8080/b.png", "https://user:pw@EXAMPLE.org/c.png",
        "https://www.example.org/d.png", "https://other.net/?from=https://example.org/", "https://example.orgs/f_.png",
        "https://example.org@evil.net/g.png", "no address", "https://example%org/100%25.png",
    ]

    init(_ urls: [String] = Self.urls, tags: [[String]] = []) async throws {
        let (folder, clock) = (try TemporaryDirectory(), clock)
        self.folder = folder
        test = CacheUnderTest(folder.path) { $0.clock = clock.wallClock }
        for (index, url) in urls.enumerated() {
            let data = try #require(EncodedImage(content(of: url, count: 10 + index)))
            let entry = CacheEntry(
                data: data, url: url, mediaType: "image/png", storedAt: Date(microseconds: clock.wallClock.now),
                tags: Set(index < tags.count ? tags[index] : []))
            await cache.store(entry, for: CacheKey("key \(index)", source: url))
            clock.advance(by: .seconds(86_400))
        }
        await cache.flush()
    }

    /// The numbers of the entries that a query means.
    func numbers(_ query: DiskCache.Query) async -> [Int] {
        await cache.list(query).map { $0.byteCount - 10 }.sorted()
    }

    func date(ofDay day: Int) -> Date { Date(microseconds: TestClock().wallClock.now + Int64(day) * 86_400_000_000) }
}

@Suite
struct `Listing a disk cache` {
    @Test func tellsWhatIsKnownOfEachEntry() async throws {
        let folder = try TemporaryDirectory()
        let clock = TestClock()
        let test = CacheUnderTest(folder.path) { $0.clock = clock.wallClock }
        let entry = CacheEntry(
            data: try #require(EncodedImage(content(of: "a", count: 100_000))), url: "https://example.org/a",
            mediaType: "image/webp", storedAt: Date(microseconds: clock.wallClock.now),
            expiry: .sinceUsed(.seconds(60)), tags: ["x", "y"])
        await test.cache.store(entry, for: CacheKey("a 10x10", source: "a"))
        await test.cache.store(try cacheEntry("b", count: 10), for: CacheKey("b"))
        await test.cache.flush()
        clock.advance(by: .seconds(30))
        #expect(await test.cache.entry(for: CacheKey("a 10x10")) != nil)
        await test.cache.pin(CacheKey("b"), as: "album")
        let files = await test.cache.list()
        try #require(files.count == 2)
        let (a, b) = (files[0], files[1])
        #expect(a.key == CacheKey("a 10x10") && a.key.source == "a" && a.url == "https://example.org/a")
        #expect(a.mediaType == "image/webp" && a.byteCount == 100_000 && a.allocatedByteCount >= 100_000)
        #expect(a.storedAt == entry.storedAt && a.usedAt == entry.storedAt + 30 && a.expiresAt == entry.storedAt + 90)
        #expect(!a.isPinned && !a.isInline && a.tags == ["x", "y"])
        #expect(b.key == CacheKey("b") && b.byteCount == 10 && b.expiresAt == nil && b.isPinned && b.isInline)
        #expect(b.tags.isEmpty)
    }

    @Test func findsAHostAndNoOther() async throws {
        let album = try await Album()
        #expect(await album.numbers(.init(host: "example.org")) == [0, 1, 2])
        #expect(await album.numbers(.init(host: "Example.ORG")) == [0, 1, 2])
        #expect(await album.numbers(.init(host: "www.example.org")) == [3])
        #expect(await album.numbers(.init(host: "evil.net")) == [6])
        #expect(await album.numbers(.init(host: "example_org")) == [])
        #expect(await album.numbers(.init(host: "example%org")) == [8])
        #expect(await album.numbers(.init(host: "%")) == [])
        #expect(await album.numbers(.init(host: "")) == [])
        #expect(await album.numbers(.init(host: "' OR 1 --")) == [])
    }

    @Test func findsWhatBeginsLikeThat() async throws {
        let album = try await Album()
        #expect(await album.numbers(.init(urlPrefix: "https://example.org")) == [0, 5, 6])
        #expect(await album.numbers(.init(urlPrefix: "https://example.org/")) == [0])
        #expect(await album.numbers(.init(urlPrefix: "HTTPS://")) == [])
        #expect(await album.numbers(.init(urlPrefix: "%")) == [])
        #expect(await album.numbers(.init(keyPrefix: "key 1")) == [1])
        #expect(await album.numbers(.init(keyPrefix: "")) == Array(0..<9))
    }

    @Test func findsKeysOfAnyText() async throws {
        let folder = try TemporaryDirectory()
        let test = CacheUnderTest(folder.path)
        for key in ["a\u{0}b", "a\u{0}c", "a", "东方不败", "东风"] { try await test.store(CacheKey(key), count: 10) }
        #expect(await test.cache.list(.init(keyPrefix: "a\u{0}c")).map(\.key.text) == ["a\u{0}c"])
        #expect(await test.cache.count(.init(keyPrefix: "a")) == 3)
        #expect(await test.cache.list(.init(keyPrefix: "东方")).map(\.key.text) == ["东方不败"])
    }

    @Test func findsTagsSourcesAndTimes() async throws {
        let album = try await Album(tags: [["red"], ["red", "blue"], ["%"]])
        #expect(await album.numbers(.init(tag: "red")) == [0, 1])
        #expect(await album.numbers(.init(tag: "blue")) == [1])
        #expect(await album.numbers(.init(tag: "%")) == [2])
        #expect(await album.numbers(.init(tag: "re")) == [])
        #expect(await album.numbers(.init(source: "no address")) == [7])
        #expect(await album.numbers(.init(storedBefore: album.date(ofDay: 2))) == [0, 1])
        #expect(await album.numbers(.init(storedAfter: album.date(ofDay: 7))) == [7, 8])
        #expect(await album.cache.entry(for: CacheKey("key 0")) != nil)
        #expect(await album.numbers(.init(usedAfter: album.date(ofDay: 8))) == [0, 8])
        #expect(await album.numbers(.init(usedBefore: album.date(ofDay: 2))) == [1])
        #expect(await album.numbers(.init(host: "example.org", tag: "red", storedAfter: album.date(ofDay: 1))) == [1])
    }

    @Test func findsWhatIsPinnedAndWhatIsTooOld() async throws {
        let album = try await Album()
        await album.cache.pin(CacheKey("key 3"), as: "album")
        #expect(await album.numbers(.init(isPinned: true)) == [3])
        #expect(await album.numbers(.init(isPinned: false)).count == 8)
        #expect(await album.numbers(.init(isExpired: true)) == [])
        #expect(await album.numbers(.init(isExpired: false)).count == 9)
        for expiry in [CacheExpiry.sinceStored(.seconds(86_400 * 5)), .sinceUsed(.seconds(86_400 * 5))] {
            album.cache.limits.expiry = expiry
            #expect(await album.numbers(.init(isExpired: true)) == [0, 1, 2, 4])
            #expect(await album.numbers(.init(isExpired: false)) == [3, 5, 6, 7, 8])
        }
    }

    @Test func findsWhatIsTooOldByItsOwnExpiry() async throws {
        let folder = try TemporaryDirectory()
        let clock = TestClock()
        let test = CacheUnderTest(folder.path, DiskCache.Limits(expiry: .sinceStored(.seconds(10)))) {
            $0.clock = clock.wallClock
        }
        let expiries: [CacheExpiry?] = [.never, .sinceStored(.seconds(60)), .sinceUsed(.seconds(60)), nil]
        for (index, expiry) in expiries.enumerated() {
            var entry = try cacheEntry("\(index)", count: 10)
            (entry.storedAt, entry.expiry) = (Date(microseconds: clock.wallClock.now), expiry)
            await test.cache.store(entry, for: CacheKey("\(index)"))
        }
        for (seconds, expected) in [(9, []), (10, ["3"]), (61, ["1", "2", "3"])] {
            clock.advance(by: .seconds(seconds) - .microseconds(clock.wallClock.now - TestClock().wallClock.now))
            let expired = await test.cache.list(.init(isExpired: true)).map(\.key.text).sorted()
            #expect(expired == expected, "after \(seconds) seconds")
        }
    }

    @Test func isInTheOrderAndOfTheLengthThatIsWanted() async throws {
        let album = try await Album()
        #expect(await album.cache.entry(for: CacheKey("key 0")) != nil)
        func order(_ order: DiskCache.Order, limit: Int = 3) async -> [Int] {
            await album.cache.list(limit: limit, order: order).map { $0.byteCount - 10 }
        }
        #expect(await order(.usedLastFirst) == [0, 8, 7])
        #expect(await order(.usedLongestAgoFirst) == [1, 2, 3])
        #expect(await order(.storedLastFirst) == [8, 7, 6])
        #expect(await order(.largestFirst) == [8, 7, 6])
        #expect(await order(.usedLastFirst, limit: 0) == [])
        #expect(await order(.usedLastFirst, limit: -1) == [])
        #expect(await order(.usedLastFirst, limit: .max).count == 9)
    }

    @Test func ofACacheThatIsNotThereIsEmptyAndMakesNoFolder() async throws {
        let folder = try TemporaryDirectory()
        let test = CacheUnderTest(folder.path + "/none")
        #expect(await test.cache.list() == [])
        #expect(await test.cache.count(.init()) == 0)
        #expect(await test.cache.keys(ofSource: "a") == [])
        #expect(await test.cache.pinNames == [])
        #expect(!FileManager.default.fileExists(atPath: test.folder))
    }

    @Test func ofALargeCacheComesInPages() async throws {
        let folder = try TemporaryDirectory()
        let test = CacheUnderTest(folder.path)
        try await test.fill(0..<1000, count: 10)
        let keys = await test.cache.list(order: .usedLongestAgoFirst).map(\.key.text)
        #expect(keys == (0..<1000).map(String.init))
    }

    @Test func keysOfASourceAreFoundBeforeAndAfterTheyAreWritten() async throws {
        let folder = try TemporaryDirectory()
        let test = CacheUnderTest(folder.path) { $0.busyTimeout = .seconds(60) }
        try await test.store(CacheKey("a 1", source: "a"), count: 10)
        try await test.store(CacheKey("b", source: "b"), count: 10)
        let gate = try test.database()
        try gate.execute("BEGIN IMMEDIATE")
        await test.cache.store(try cacheEntry("x", count: 10), for: CacheKey("a 2", source: "a"))
        #expect(Set(await test.cache.keys(ofSource: "a")) == [CacheKey("a 1"), CacheKey("a 2")])
        #expect(await test.cache.keys(ofSource: "a").allSatisfy { $0.source == "a" })
        await test.cache.remove(for: CacheKey("a 1"))
        #expect(await test.cache.keys(ofSource: "a") == [CacheKey("a 2")])
        try gate.execute("COMMIT")
        await test.cache.flush()
    }
}

@Suite
struct `The tags of an entry` {
    @Test(arguments: [10, 100_000])
    func comeBackWithIt(count: Int) async throws {
        let folder = try TemporaryDirectory()
        var entry = try cacheEntry("a", count: count)
        entry.tags = ["album 7", "", "a\nb", "东方", "'"]
        let test = CacheUnderTest(folder.path)
        await test.cache.store(entry, for: CacheKey("a"))
        await test.cache.flush()
        #expect(await test.cache.entry(for: CacheKey("a"))?.tags == entry.tags)
        entry.tags = ["other"]
        await test.cache.store(entry, for: CacheKey("a"))
        await test.cache.flush()
        #expect(await test.cache.entry(for: CacheKey("a"))?.tags == ["other"])
        await test.cache.remove(for: CacheKey("a"))
        await test.cache.flush()
        #expect(try test.database().integer("SELECT count(*) FROM tags") == 0)
    }
}

@Suite
struct `Removing what a query means` {
    @Test func leavesTheOthers() async throws {
        let album = try await Album()
        #expect(await album.cache.remove(.init(host: "example.org")) == 3)
        #expect(await album.numbers(.init()) == [3, 4, 5, 6, 7, 8])
        #expect(await album.cache.remove(.init(host: "example.org")) == 0)
    }

    @Test func leavesPinnedOnesUnlessToldOtherwise() async throws {
        let album = try await Album(tags: [["red"], ["red"], ["red"]])
        await album.cache.pin(CacheKey("key 1"), as: "album")
        #expect(await album.cache.remove(.init(tag: "red")) == 2)
        #expect(await album.numbers(.init(tag: "red")) == [1])
        #expect(await album.cache.remove(.init(tag: "red", isPinned: true)) == 1)
        #expect(await album.cache.count == 6)
    }

    @Test func reachesWhatIsYetToBeWritten() async throws {
        let folder = try TemporaryDirectory()
        let test = CacheUnderTest(folder.path)
        await test.cache.store(try cacheEntry("a", count: 10), for: CacheKey("a"))
        #expect(await test.cache.remove(.init(keyPrefix: "a")) == 1)
        #expect(await test.cache.contains(CacheKey("a")) == false)
    }

    @Test(arguments: [10, 70_000])
    func goesInSteps(count: Int) async throws {
        let folder = try TemporaryDirectory()
        let pauses = Gate(isOpen: true)
        let test = CacheUnderTest(folder.path) { settings in
            settings.trimCount = 16
            settings.pauseInTrim = { await pauses.pass() }
        }
        try await test.fill(0..<200, count: count)
        #expect(await test.cache.remove(.init(keyPrefix: "1")) == 111)
        #expect(pauses.arrivals >= 111 / 16)
        #expect(await test.cache.count == 89)
        #expect(test.files.count == (count > 65_536 ? 89 : 0))
        #expect(await test.cache.remove(.init()) == 89)
        #expect(await test.cache.remove(.init()) == 0)
    }

    @Test func findsItsWayThroughGapsBetweenTheNumbersOfRows() async throws {
        let folder = try TemporaryDirectory()
        let test = CacheUnderTest(folder.path)
        try await test.fill(0..<3, count: 10)
        try test.database().execute("UPDATE entries SET id = id * 100000; UPDATE blobs SET id = id * 100000")
        #expect(await test.cache.remove(.init()) == 3)
        #expect(await test.cache.count == 0)
    }
}
