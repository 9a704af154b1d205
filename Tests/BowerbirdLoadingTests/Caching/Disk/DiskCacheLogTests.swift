import BowerbirdCore
import BowerbirdTestSupport
import Foundation
import Testing

@testable import BowerbirdLoading

@Suite("The log of a disk cache")
struct DiskCacheLogTests {
    private static func logByteCount(_ folder: TemporaryDirectory) -> Int {
        let facts = try? FileManager.default.attributesOfItem(atPath: folder.path + "/entries.sqlite-wal")
        return facts?[.size] as? Int ?? 0
    }

    @Test func isBoundedWhileWritingFlatOut() throws {
        let folder = try TemporaryDirectory()
        let cache = CacheUnderTest(folder.path).cache.synchronous
        let data = try #require(EncodedImage([UInt8](repeating: 7, count: 60_000)))
        var largest = 0
        for index in 0..<3400 {
            cache.store(CacheEntry(data: data, url: "\(index)"), for: CacheKey("\(index)"))
            if index % 50 == 0 { largest = max(largest, Self.logByteCount(folder)) }
        }
        cache.flush()
        largest = max(largest, Self.logByteCount(folder))
        // The limit, 24 MB, and one batch.
        #expect(largest < 40 << 20, "it had \(largest) bytes")
        #expect(cache.count == 3400)
    }

    @Test func isCutOffWhenNothingIsWrittenForAWhile() async throws {
        let folder = try TemporaryDirectory()
        let test = CacheUnderTest(folder.path) { $0.logIdleTime = .milliseconds(1) }
        try await test.store("picture", count: 10_000)
        #expect(await eventually { Self.logByteCount(folder) == 0 })
        #expect(await test.holds("picture", count: 10_000))
    }

    @Test(arguments: [DiskCache.Durability.process, .power])
    func nothingIsLostWhicheverDurabilityIsAskedFor(durability: DiskCache.Durability) async throws {
        let folder = try TemporaryDirectory()
        let test = CacheUnderTest(folder.path) { $0.durability = durability }
        for (key, count) in [("small", 100), ("large", 100_000)] { try await test.store(key, count: count) }
        let later = CacheUnderTest(folder.path)
        #expect(await later.holds("small", count: 100))
        #expect(await later.holds("large", count: 100_000))
    }

    @Test func theDatabaseTakesLittleMoreThanItsPictures() throws {
        let folder = try TemporaryDirectory()
        let cache = CacheUnderTest(folder.path).cache.synchronous
        let data = try #require(EncodedImage([UInt8](repeating: 7, count: 8192)))
        for index in 0..<1000 {
            let address = "https://example.org/pictures/\(index)/".padding(toLength: 80, withPad: "x", startingAt: 0)
            cache.store(CacheEntry(data: data, url: address), for: CacheKey(address))
        }
        cache.flush()
        let test = CacheUnderTest(folder.path)
        try test.database().execute("PRAGMA wal_checkpoint(TRUNCATE)")
        let path = try #require(test.place).database
        let facts = try FileManager.default.attributesOfItem(atPath: path)
        let byteCount = try #require(facts[.size] as? Int)
        #expect(Double(byteCount) <= 1.15 * 8192 * 1000)
    }
}

@Suite("Where the bytes of an entry lie")
struct InlineLimitTests {
    @Test(arguments: [(20_480, 20_480, 0), (20_481, 20_480, 1), (1, 0, 1), (300_000, .max, 0)])
    func followsFromTheLimit(count: Int, limit: Int, fileCount: Int) async throws {
        let folder = try TemporaryDirectory()
        let test = CacheUnderTest(folder.path) { $0.inlineByteLimit = limit }
        try await test.store("picture", count: count)
        #expect(test.files.count == fileCount)
        #expect(try test.database().integer("SELECT count(*) FROM blobs") == Int64(1 - fileCount))
        #expect(await CacheUnderTest(folder.path).holds("picture", count: count))
    }

    @Test(arguments: [[0, .max, 0], [.max, 0, .max]])
    func changesWithTheLimitAndLeavesNothingBehind(limits: [Int]) async throws {
        let folder = try TemporaryDirectory()
        for (round, limit) in limits.enumerated() {
            let test = CacheUnderTest(folder.path) { $0.inlineByteLimit = limit }
            if round > 0 { #expect(await test.holds("picture", count: 20_000), "the limit hides what is there") }
            try await test.store("picture", count: 20_000)
            #expect(test.files.count == (limit == 0 ? 1 : 0))
            #expect(try test.database().integer("SELECT count(*) FROM blobs") == (limit == 0 ? 0 : 1))
        }
    }
}
