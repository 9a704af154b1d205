import BowerbirdCore
import BowerbirdTestSupport
import Foundation
import Testing

@testable import BowerbirdLoading

@Suite struct DiskCacheEvictionTests {
    @Test func trimmingKeepsWhatWasUsedLast() async throws {
        let folder = try TemporaryDirectory()
        let test = CacheUnderTest(folder.path, maximumByteCount: 10_000)
        for index in 0..<10 { try await test.store("\(index)", count: 1000) }
        #expect(await test.cache.count == 10)
        #expect(await test.holds("0", count: 1000))
        try await test.store("10", count: 1000)
        #expect(await test.cache.totalByteCount == 8000)
        var kept: [Int] = []
        for index in 0...10 where await test.holds("\(index)", count: 1000) { kept.append(index) }
        #expect(kept == [0, 4, 5, 6, 7, 8, 9, 10])
    }

    @Test func usesAreRememberedByTheNextRun() async throws {
        let folder = try TemporaryDirectory()
        let first = CacheUnderTest(folder.path, maximumByteCount: 3000)
        for key in ["a", "b", "c"] { try await first.store(key, count: 1000) }
        #expect(await first.holds("a", count: 1000))
        await first.cache.flush()
        let second = CacheUnderTest(folder.path, maximumByteCount: 3000)
        try await second.store("d", count: 1000)
        #expect(await second.holds("a", count: 1000))
        #expect(await second.holds("d", count: 1000))
        #expect(await second.cache.count == 2)
    }

    @Test func theDefaultLimitIsAShareOfTheVolumeWithinReason() throws {
        #expect(DiskStore.defaultByteCount(onVolumeOf: 0) == 64 << 20)
        #expect(DiskStore.defaultByteCount(onVolumeOf: 10 << 30) == (10 << 30) / 50)
        #expect(DiskStore.defaultByteCount(onVolumeOf: 4 << 40) == 1 << 30)
        let folder = try TemporaryDirectory()
        #expect(try #require(CacheFolder(path: folder.path).volumeByteCount) > 64 << 10)
    }

    @Test func trimmingRemovesFiles() async throws {
        let folder = try TemporaryDirectory()
        let test = CacheUnderTest(folder.path, maximumByteCount: 520_000)
        for index in 0..<6 { try await test.store("\(index)", count: 100_000) }
        #expect(await test.cache.totalByteCount == 400_000)
        #expect(test.files.count == 4)
    }

    @Test func moreEntriesThanOneTransactionRemovesAreTrimmed() async throws {
        let folder = try TemporaryDirectory()
        try await Self.fill(CacheUnderTest(folder.path).cache, entries: 1000, of: 100)
        let test = CacheUnderTest(folder.path, maximumByteCount: 10_000)
        #expect(await test.holds("999", count: 100))
        await test.cache.flush()
        #expect(await test.cache.count == 80)
        #expect(await test.cache.totalByteCount == 8000)
    }

    @Test func anEntryLargerThanTheCacheIsNotKeptAndEvictsNoOther() async throws {
        let folder = try TemporaryDirectory()
        let test = CacheUnderTest(folder.path, maximumByteCount: 120_000)
        try await test.store("small", count: 1000)
        try await test.store("large", count: 1000)
        try await test.store("large", count: 120_001)
        #expect(await test.holds("small", count: 1000))
        #expect(await test.cache.entry(for: CacheKey("large")) == nil)
        #expect(test.files.isEmpty)
    }

    private static func fill(_ cache: DiskCache, entries: Int, of count: Int) async throws {
        for index in 0..<entries {
            await cache.store(try cacheEntry("\(index)", count: count), for: CacheKey("\(index)"))
        }
        await cache.flush()
    }
}
