import BowerbirdCore
import BowerbirdTestSupport
import Foundation
import Testing

@testable import BowerbirdLoading

extension CacheUnderTest {
    /// Those of the keys that are found.
    func kept(of keys: some Sequence<Int>) async -> [Int] {
        var kept: [Int] = []
        for key in keys where await cache.contains(CacheKey("\(key)")) { kept.append(key) }
        return kept
    }

    func fill(_ keys: some Sequence<Int>, count: Int = 1000) async throws {
        for key in keys { await cache.store(try cacheEntry("\(key)", count: count), for: CacheKey("\(key)")) }
        await cache.flush()
    }

    func allocated() throws -> Int { Int(try database().integer("SELECT sum(allocated) FROM totals") ?? 0) }
}

@Suite
struct `The limits of a disk cache` {
    @Test func aLimitOfEntriesKeepsThoseUsedLast() async throws {
        let folder = try TemporaryDirectory()
        let test = CacheUnderTest(folder.path, DiskCache.Limits(count: 10))
        for key in 0..<10 { try await test.fill([key]) }
        #expect(await test.cache.count == 10)
        #expect(await test.holds("0", count: 1000))
        try await test.fill([10])
        #expect(await test.kept(of: 0...10) == [0, 4, 5, 6, 7, 8, 9, 10])
    }

    @Test(arguments: [DiskCache.Limits(byteCount: 0), DiskCache.Limits(count: 0)])
    func aLimitOfNothingKeepsNothing(limits: DiskCache.Limits) async throws {
        let folder = try TemporaryDirectory()
        try await CacheUnderTest(folder.path).fill(0..<3)
        let test = CacheUnderTest(folder.path, limits)
        for count in [10, 100_000] { try await test.fill([count], count: count) }
        #expect(await test.cache.count == 0)
        #expect(try test.allocated() == 0)
        #expect(test.files.isEmpty)
    }

    @Test(arguments: [(0.5, 5), (0, 0), (1, 10), (-1, 0), (2, 10), (Double.nan, 8)])
    func theShareThatATrimLeavesIsChosen(share: Double, left: Int) async throws {
        let folder = try TemporaryDirectory()
        let test = CacheUnderTest(folder.path, DiskCache.Limits(count: 10, trimmedShare: share))
        try await test.fill(0..<10)
        try await test.fill([10])
        #expect(await test.cache.count == left)
    }

    @Test func areChangedWhileItRuns() async throws {
        let folder = try TemporaryDirectory()
        let test = CacheUnderTest(folder.path)
        try await test.fill(0..<100)
        test.cache.limits.count = 10
        await test.cache.flush()
        #expect(await test.cache.count == 8)
        test.cache.limits.count = .max
        try await test.fill(100..<150)
        #expect(await test.cache.count == 58)
        #expect(test.cache.limits == DiskCache.Limits())
    }

    @Test func areThoseOfTheConfiguration() async throws {
        let folder = try TemporaryDirectory()
        let limits = DiskCache.Limits(count: 2, trimmedShare: 1)
        let cache = DiskCache(.init(folder: folder.path, limits: limits, inlineByteLimit: 0))
        #expect(cache.folder == folder.path)
        #expect(cache.limits == limits)
        for key in ["a", "b", "c"] { await cache.store(try cacheEntry(key, count: 10), for: CacheKey(key)) }
        await cache.flush()
        #expect(await cache.count == 2)
        #expect(CacheUnderTest(folder.path).files.count == 2)
    }

    @Test func whatFilesTakeIsCountedInBlocks() async throws {
        let folder = try TemporaryDirectory()
        let test = CacheUnderTest(folder.path) { $0.inlineByteLimit = 0 }
        try await test.fill(0..<3, count: 10)
        var blocks = 0
        for path in test.files {
            var facts = stat()
            try #require(stat(path, &facts) == 0)
            blocks += Int(facts.st_blocks) * 512
        }
        #expect(blocks > 3 * 10)
        #expect(try test.allocated() == blocks)
        await test.cache.remove(for: CacheKey("0"))
        await test.cache.flush()
        #expect(try test.allocated() == blocks / 3 * 2)
    }

    @Test(arguments: [1, 489, 4000, 4050, 4060, 4100, 5000, 8192, 8200, 20_480, 65_536])
    func whatBytesInTheDatabaseTakeIsCountedInPages(count: Int) async throws {
        let folder = try TemporaryDirectory()
        let test = CacheUnderTest(folder.path)
        try await test.fill(0..<50, count: count)
        let database = try test.database()
        try database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        let facts = "FROM dbstat WHERE name = 'blobs' AND pagetype"
        let overflow = Int(try database.integer("SELECT sum(pgsize) \(facts) = 'overflow'") ?? 0)
        let shared = Int(try #require(try database.integer("SELECT sum(payload) \(facts) = 'leaf'")))
        let estimate = try test.allocated()
        // Each row has a few bytes of its own.
        #expect((overflow + shared - 50 * 8...overflow + shared).contains(estimate))
    }

    @Test func pinnedEntriesAreNotCounted() async throws {
        let folder = try TemporaryDirectory()
        let test = CacheUnderTest(folder.path, DiskCache.Limits(count: 2, trimmedShare: 1))
        try await test.fill(0..<2)
        try test.database().execute(
            "UPDATE entries SET is_pinned = 1; UPDATE totals SET entries = 2 WHERE is_pinned = 1; "
                + "UPDATE totals SET entries = 0, bytes = 0, allocated = 0 WHERE is_pinned = 0")
        try await test.fill(2..<6)
        #expect(await test.kept(of: 0..<6) == [0, 1, 4, 5])
    }

    @Test func aTrimIsAskedFor() async throws {
        let folder = try TemporaryDirectory()
        let test = CacheUnderTest(folder.path)
        try await test.fill(0..<300)
        await test.cache.trim(toCount: 200)
        #expect(await test.kept(of: 0..<300) == Array(100..<300))
        await test.cache.trim(toByteCount: 50_500)
        #expect(await test.kept(of: 0..<300) == Array(250..<300))
        await test.cache.trim(toByteCount: -1)
        #expect(await test.cache.count == 0)
    }

    @Test func aTrimTakesInWhatIsYetToBeWritten() async throws {
        let folder = try TemporaryDirectory()
        let test = CacheUnderTest(folder.path)
        for key in 0..<20 { await test.cache.store(try cacheEntry("\(key)", count: 10), for: CacheKey("\(key)")) }
        await test.cache.trim(toCount: 5)
        #expect(await test.kept(of: 0..<20) == Array(15..<20))
    }

    @Test func whatIsStoredDuringATrimIsWrittenBetweenTwoOfItsSteps() async throws {
        let folder = try TemporaryDirectory()
        let gate = Gate()
        let test = CacheUnderTest(folder.path) { settings in
            settings.trimCount = 10
            settings.pauseInTrim = { await gate.pass() }
        }
        try await test.fill(0..<100)
        async let trim: Void = test.cache.trim(toCount: 0)
        await gate.waitForArrivals()
        let left = try #require(try test.database().integer("SELECT count(*) FROM entries"))
        #expect((1..<100).contains(left))
        await test.cache.store(try cacheEntry("new", count: 10), for: CacheKey("new"))
        await eventuallyWritten("new", test)
        #expect(await test.holds("99", count: 1000), "the trim was over before the entry was written")
        gate.open()
        await trim
        #expect(await test.cache.count == 0)
        #expect(gate.arrivals >= 10)
    }

    /// `flush` would take the trim's next step.
    private func eventuallyWritten(_ key: String, _ test: CacheUnderTest) async {
        let isWritten = await eventually {
            ((try? test.database().integer("SELECT count(*) FROM entries WHERE key = '\(key)'")) ?? 0) == 1
        }
        #expect(isWritten)
    }
}

@Suite(.enabled(if: SmallVolume.isPossible, "mounting a small file system needs root"))
struct `A volume that fills up` {
    @Test func keepsSoMuchFreeAsWasAskedFor() async throws {
        let volume = try SmallVolume(options: "size=4m")
        let limits = DiskCache.Limits(byteCount: 4 << 20, freeByteCount: 2 << 20)
        let test = CacheUnderTest(volume.path + "/cache", limits)
        for key in 0..<30 { try await test.fill([key], count: 100_000) }
        let free = try #require(CacheFolder(path: test.folder).freeByteCount)
        #expect(free >= 2 << 20)
        #expect(await test.holds("29", count: 100_000))
        #expect(await test.cache.count >= 5)
        #expect(test.warnings.reasons.isEmpty)
    }
}
