import BowerbirdCore
import BowerbirdTestSupport
import Foundation
import Synchronization
import Testing

@testable import BowerbirdLoading

@Suite struct SynchronousDiskCacheTests {
    @Test(arguments: [100, 100_000])
    func everyCallDoesWhatItsAsynchronousTwinDoes(count: Int) throws {
        let folder = try TemporaryDirectory()
        let test = CacheUnderTest(folder.path)
        let cache = test.cache.synchronous
        let key = CacheKey("picture")
        let variant = CacheKey("picture small", source: "picture")
        #expect(cache.entry(for: key) == nil)
        #expect(!cache.contains(key))
        cache.store(try cacheEntry("picture", count: count), for: key)
        #expect(cache.contains(key), "it is not found while it waits to be written")
        cache.flush()
        #expect(cache.entry(for: key).map { Array($0.data) } == content(of: "picture", count: count))
        #expect(cache.contains(key))
        #expect(cache.count == 1)
        #expect(cache.totalByteCount == count)
        cache.remove(for: key)
        #expect(!cache.contains(key))
        for key in [key, variant] { cache.store(try cacheEntry("picture", count: count), for: key) }
        cache.flush()
        cache.remove(source: "picture")
        #expect(cache.count == 0)
        cache.store(try cacheEntry("picture", count: count), for: key)
        cache.removeAll()
        #expect(!cache.contains(key))
        #expect(test.files.isEmpty)
        #expect(test.warnings.reasons.isEmpty)
    }

    @Test func newFactsAreWrittenDown() throws {
        let folder = try TemporaryDirectory()
        let cache = CacheUnderTest(folder.path).cache.synchronous
        var entry = try cacheEntry("picture", count: 10)
        let old = Freshness(status: 200, headers: ["etag": "1"], receivedAt: Date(timeIntervalSince1970: 1))
        entry.freshness = old
        cache.store(entry, for: CacheKey("picture"))
        cache.flush()
        let new = old.renewed(by: [:], at: Date(timeIntervalSince1970: 2))
        cache.renew(new, for: CacheKey("picture"))
        let later = CacheUnderTest(folder.path).cache.synchronous
        #expect(later.entry(for: CacheKey("picture"))?.freshness == new)
    }

    @Test(arguments: [false, true])
    func anEntryWithoutBytesIsRefusedAndTheOlderStays(isDown: Bool) async throws {
        let folder = try TemporaryDirectory()
        let test = CacheUnderTest(folder.path)
        let empty = try cacheEntry("picture", count: 0)
        await test.cache.store(empty, for: CacheKey("another"))
        await test.cache.store(try cacheEntry("picture", count: 10), for: CacheKey("picture"))
        if isDown { await test.cache.flush() }
        await test.cache.store(empty, for: CacheKey("picture"))
        #expect(await test.holds("picture", count: 10))
        await test.cache.flush()
        #expect(await test.holds("picture", count: 10))
        #expect(await test.cache.count == 1)
        #expect(await test.cache.contains(CacheKey("another")) == false)
    }
}

@Suite struct DiskReaderTests {
    private static func filled(_ folder: TemporaryDirectory, settings: DiskCacheSettings) throws -> DiskReader {
        let cache = CacheUnderTest(folder.path).cache.synchronous
        for (name, count) in [("small", 8000), ("large", 200_000)] {
            cache.store(try cacheEntry(name, count: count), for: CacheKey(name))
        }
        cache.flush()
        return DiskReader(folder: CacheFolder(path: folder.path), settings: settings)
    }

    private static func isWhole(_ answer: DiskReader.Answer, _ name: String, _ count: Int) -> Bool {
        guard case .hit(let entry, _) = answer else { return false }
        return Array(entry.data) == content(of: name, count: count)
    }

    @Test func manyThreadsReadAtOnceWhileAWriteIsOpen() throws {
        let folder = try TemporaryDirectory()
        let reader = try Self.filled(folder, settings: DiskCacheSettings())
        let other = try CacheUnderTest(folder.path).database()
        try other.execute("BEGIN IMMEDIATE; DELETE FROM entries")
        let threads = (0..<8).map { _ in
            OwnThread {
                for _ in 0..<50 {
                    #expect(Self.isWhole(reader.read(DiskKey("small")), "small", 8000))
                    #expect(Self.isWhole(reader.read(DiskKey("large")), "large", 200_000))
                }
            }
        }
        for thread in threads { thread.join() }
        try other.execute("COMMIT")
        guard case .miss = reader.read(DiskKey("small")) else {
            Issue.record("what another connection has removed is still found")
            return
        }
        #expect((1...4).contains(reader.idleConnections.count))
    }

    @Test func noReadLeavesAStatementBegun() throws {
        let folder = try TemporaryDirectory()
        let reader = try Self.filled(folder, settings: DiskCacheSettings())
        for name in ["small", "large", "none"] {
            _ = reader.read(DiskKey(name))
            _ = reader.find(DiskKey(name))
            #expect(reader.idleConnections.map(\.isBusy) == [false])
        }
        // A reader that holds a mark of the log would make this "busy", the first column.
        let other = try CacheUnderTest(folder.path).database()
        #expect(try other.integer("PRAGMA wal_checkpoint(TRUNCATE)") == 0)
    }

    @Test func readersThatShareALockSeeEveryChangeAndHoldNobodyUp() async throws {
        let folder = try TemporaryDirectory()
        var settings = DiskCacheSettings()
        settings.sharedLockReadCount = 1
        let reader = try Self.filled(folder, settings: settings)
        let other = try CacheUnderTest(folder.path).database()
        for count in 1...200 {
            try other.execute("UPDATE entries SET media_type = '\(count)'")
            guard case .hit(let entry, _) = reader.read(DiskKey("small")) else {
                Issue.record("an entry is lost")
                return
            }
            #expect(entry.mediaType == "\(count)")
        }
        #expect(try await eventually { try other.integer("PRAGMA wal_checkpoint(TRUNCATE)") == 0 })
    }

    @Test func aDatabaseThatWasReplacedIsNoticedWhenItIsTimeToLook() throws {
        let folder = try TemporaryDirectory()
        var settings = DiskCacheSettings()
        settings.identityAge = .seconds(3600)
        let reader = try Self.filled(folder, settings: settings)
        #expect(Self.isWhole(reader.read(DiskKey("small")), "small", 8000))
        let place = CacheFolder(path: folder.path)
        place.discard(try #require(place.currentStore))
        try CacheUnderTest(folder.path).cache.synchronous.flush(storing: "other")
        #expect(Self.isWhole(reader.read(DiskKey("small")), "small", 8000), "the folder is asked with every read")
        reader.checkSoon()
        #expect(Self.isWhole(reader.read(DiskKey("other")), "other", 100))
        guard case .miss = reader.read(DiskKey("small")) else {
            Issue.record("the old database is still read")
            return
        }
    }
}

extension SynchronousDiskCache {
    fileprivate func flush(storing name: String) throws {
        store(try cacheEntry(name, count: 100), for: CacheKey(name))
        flush()
    }
}
