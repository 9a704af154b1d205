import BowerbirdCore
import BowerbirdTestSupport
import Foundation
import Testing

@testable import BowerbirdLoading

@Suite
struct `The statistics of a disk cache` {
    @Test func tellWhatItHolds() async throws {
        let folder = try TemporaryDirectory()
        let limits = DiskCache.Limits(byteCount: 1_000_000, expiry: .sinceStored(.seconds(60)))
        let test = CacheUnderTest(folder.path, limits)
        var old = try cacheEntry("old", count: 10)
        old.storedAt = Date(timeIntervalSince1970: 1_000_000_000)
        await test.cache.store(old, for: CacheKey("old"))
        for (key, count) in [("small", 1000), ("large", 100_000)] {
            await test.cache.store(try cacheEntry(key, count: count), for: CacheKey(key))
        }
        await test.cache.pin(CacheKey("small"), as: "album")
        let statistics = await test.cache.statistics
        #expect(statistics.entryCount == 3)
        #expect(statistics.byteCount == 101_010)
        #expect(try statistics.allocatedByteCount == test.allocated())
        #expect(statistics.allocatedByteCount >= 101_010)
        #expect(statistics.pinnedCount == 1 && statistics.pinnedAllocatedByteCount == 1000)
        #expect(statistics.fileCount == 1 && statistics.inlineCount == 2)
        #expect(statistics.expiredCount == 1)
        #expect(statistics.databaseByteCount + statistics.logByteCount > 1000)
        #expect(try #require(statistics.freeByteCount) > 0)
        #expect(statistics.oldest == old.storedAt)
        #expect(try #require(statistics.newest) > old.storedAt + 1000)
        #expect(statistics.limitByteCount == 1_000_000)
    }

    @Test func ofACacheThatIsNotThereAreZeroAndMakeNoFolder() async throws {
        let folder = try TemporaryDirectory()
        let test = CacheUnderTest(folder.path + "/none")
        let statistics = await test.cache.statistics
        #expect(statistics.entryCount == 0 && statistics.oldest == nil && statistics.freeByteCount == nil)
        #expect(!FileManager.default.fileExists(atPath: test.folder))
    }
}
