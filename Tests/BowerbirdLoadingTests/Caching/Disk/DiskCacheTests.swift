import BowerbirdCore
import BowerbirdTestSupport
import Foundation
import Testing

@testable import BowerbirdLoading

@Suite struct DiskCacheTests {
    @Test(arguments: [1, 8192, 65_535, 65_536, 65_537, 1_000_000])
    func bytesOfAnyLengthComeBackFromTheDisk(count: Int) async throws {
        let folder = try TemporaryDirectory()
        try await CacheUnderTest(folder.path).store("picture", count: count)
        let later = CacheUnderTest(folder.path)
        #expect(await later.holds("picture", count: count))
        #expect(later.files.count == (count > 65_536 ? 1 : 0))
        #expect(await later.cache.totalByteCount == count)
        #expect(await later.cache.count == 1)
    }

    @Test func aCacheThatIsNotUsedTouchesNoDisk() async throws {
        let folder = try TemporaryDirectory()
        await DiskCache(folder: folder.path + "/cache").flush()
        #expect(!FileManager.default.fileExists(atPath: folder.path + "/cache"))
    }

    @Test func everyFactComesBackFromTheDisk() async throws {
        let folder = try TemporaryDirectory()
        var stored = try cacheEntry("picture", count: 10)
        stored.mediaType = "image/png; charset=\"?\""
        stored.storedAt = Date(timeIntervalSince1970: 1_700_000_000.25)
        stored.freshness = Freshness(
            status: 203,
            headers: [
                "etag": "W/\"o'clock\"", "last-modified": "Tue, 14 Nov 2023 22:13:20 GMT",
                "cache-control": "a=\"b: c\"",
                "vary": "Accept, Cookie",
            ],
            requestHeaders: ["Accept": "x"], receivedAt: Date(timeIntervalSince1970: 1_800_000_000.5))
        stored.userInfo = [0, 1, 255, 0]
        let writing = CacheUnderTest(folder.path)
        await writing.cache.store(stored, for: CacheKey("picture"))
        await writing.cache.flush()

        let found = try #require(await CacheUnderTest(folder.path).cache.entry(for: CacheKey("picture")))
        #expect(found.url == stored.url)
        #expect(found.mediaType == stored.mediaType)
        #expect(found.storedAt == stored.storedAt)
        #expect(found.freshness == stored.freshness)
        #expect(found.userInfo == stored.userInfo)
    }

    @Test func factsThatAreMissingStayMissing() async throws {
        let folder = try TemporaryDirectory()
        try await CacheUnderTest(folder.path).store("picture", count: 10)
        let found = try #require(await CacheUnderTest(folder.path).cache.entry(for: CacheKey("picture")))
        #expect(found.mediaType == nil)
        #expect(found.freshness == nil)
        #expect(found.userInfo == nil)
    }

    @Test func factsThatAreEmptyStayEmpty() async throws {
        let folder = try TemporaryDirectory()
        var stored = try cacheEntry("picture", count: 10)
        stored.freshness = Freshness(status: 200, headers: [:], receivedAt: Date(timeIntervalSince1970: 0))
        stored.userInfo = []
        let test = CacheUnderTest(folder.path)
        await test.cache.store(stored, for: CacheKey("picture"))
        await test.cache.flush()
        let found = try #require(await test.cache.entry(for: CacheKey("picture")))
        #expect(found.freshness == stored.freshness)
        #expect(found.userInfo == [])
    }

    @Test func datesBeyondTheCalendarDoNoHarm() async throws {
        let folder = try TemporaryDirectory()
        let writing = CacheUnderTest(folder.path)
        for (key, seconds) in [("late", 1e300), ("early", -1e300), ("never", .nan), ("forever", .infinity)] {
            var strange = try cacheEntry(key, count: 10)
            strange.storedAt = Date(timeIntervalSince1970: seconds)
            strange.freshness = Freshness(status: .min, headers: [:], receivedAt: Date(timeIntervalSince1970: seconds))
            await writing.cache.store(strange, for: CacheKey(key))
        }
        await writing.cache.flush()
        #expect(await writing.cache.count == 4)
        #expect(await writing.holds("never", count: 10))
    }

    @Test(arguments: [
        "", "'; DROP TABLE entries; --", "\"quoted\" 'twice' `thrice`", "東方不败　🐦", "a\u{0}b", "%00?#", "line\nline",
        String(repeating: "long'", count: 200_000),
    ])
    func anyTextIsAKey(key: String) async throws {
        let folder = try TemporaryDirectory()
        let writing = CacheUnderTest(folder.path)
        try await writing.store(key, count: 100)
        try await writing.store("another", count: 50)
        let later = CacheUnderTest(folder.path)
        #expect(await later.holds(key, count: 100))
        #expect(await later.holds("another", count: 50))
        await later.cache.remove(for: CacheKey(key))
        #expect(await later.cache.count == 1)
    }

    @Test func keysThatAgreeUpToAZeroByteAreTwo() async throws {
        let folder = try TemporaryDirectory()
        let test = CacheUnderTest(folder.path)
        try await test.store("a\u{0}b", count: 10)
        #expect(await test.cache.entry(for: CacheKey("a\u{0}c")) == nil)
        #expect(await test.cache.entry(for: CacheKey("a")) == nil)
    }

    @Test func aKeyWithTheSameDigestAndAnotherTextIsAMiss() async throws {
        let folder = try TemporaryDirectory()
        let test = CacheUnderTest(folder.path)
        try await test.store("mine", count: 10)
        try test.database().execute("UPDATE entries SET key = 'crafted'")
        #expect(await test.cache.entry(for: CacheKey("mine")) == nil)
        #expect(await test.cache.count == 1)
    }

    @Test(arguments: [(100, 200), (100, 100_000), (100_000, 100), (100_000, 200_000)])
    func anOverwrittenEntryLeavesNothingBehind(first: Int, second: Int) async throws {
        let folder = try TemporaryDirectory()
        let test = CacheUnderTest(folder.path)
        try await test.store("picture", count: first)
        try await test.store("picture", count: second)
        #expect(await test.holds("picture", count: second))
        #expect(await test.cache.count == 1)
        #expect(await test.cache.totalByteCount == second)
        #expect(test.files.count == (second > 65_536 ? 1 : 0))
        #expect(try test.database().integer("SELECT count(*) FROM blobs") == (second > 65_536 ? 0 : 1))
    }

    @Test(arguments: [100, 100_000])
    func aRemovedEntryIsGoneWithItsBytes(count: Int) async throws {
        let folder = try TemporaryDirectory()
        let test = CacheUnderTest(folder.path)
        try await test.store("picture", count: count)
        try await test.store("other", count: 10)
        await test.cache.remove(for: CacheKey("picture"))
        #expect(await test.cache.entry(for: CacheKey("picture")) == nil)
        await test.cache.flush()
        #expect(await test.cache.entry(for: CacheKey("picture")) == nil)
        #expect(test.files.isEmpty)
        #expect(await test.cache.totalByteCount == 10)
        #expect(try test.database().integer("SELECT count(*) FROM blobs") == 1)
    }

    @Test func anEntryRemovedBeforeItWasWrittenIsNotWritten() async throws {
        let folder = try TemporaryDirectory()
        let test = CacheUnderTest(folder.path)
        await test.cache.store(try cacheEntry("picture", count: 10), for: CacheKey("picture"))
        await test.cache.remove(for: CacheKey("picture"))
        await test.cache.flush()
        #expect(await test.cache.entry(for: CacheKey("picture")) == nil)
    }

    @Test func removingEverythingGivesTheRoomBack() async throws {
        let folder = try TemporaryDirectory()
        let test = CacheUnderTest(folder.path)
        for index in 0..<100 {
            await test.cache.store(try cacheEntry("\(index)", count: 60_000), for: CacheKey("\(index)"))
        }
        try await test.store("large", count: 200_000)
        await test.cache.store(try cacheEntry("staged", count: 10), for: CacheKey("staged"))
        await test.cache.removeAll()
        #expect(await test.cache.count == 0)
        #expect(await test.cache.totalByteCount == 0)
        #expect(await test.cache.entry(for: CacheKey("staged")) == nil)
        #expect(test.files.isEmpty)
        await test.cache.settle()
        #expect(try FileManager.default.subpathsOfDirectory(atPath: folder.path).count < 10)
        let database = try #require(test.place).database
        let size = try FileManager.default.attributesOfItem(atPath: database)[.size] as? Int
        #expect(try #require(size) < 100_000)
    }

    @Test func theFolderIsForTheUserAloneAndTaggedAsACache() async throws {
        let folder = try TemporaryDirectory()
        let test = CacheUnderTest(folder.path + "/deep/er")
        try await test.store("picture", count: 100_000)
        for place in ["/deep", "/deep/er", "/deep/er/v3/", "/deep/er/v3/bodies"] {
            let mode = try FileManager.default.attributesOfItem(atPath: folder.path + place)[.posixPermissions] as? Int
            #expect(mode == 0o700)
        }
        let tag = try String(contentsOfFile: folder.path + "/deep/er/CACHEDIR.TAG", encoding: .utf8)
        #expect(tag.hasPrefix("Signature: 8a477f597d28d172789f06886806bc55\n"))
    }

    @Test func aFolderOfDataIsNotMarkedAsACache() async throws {
        let folder = try TemporaryDirectory()
        let cache = DiskCache(.init(folder: folder.path, isMarkedAsCache: false))
        await cache.store(try cacheEntry("picture", count: 10), for: CacheKey("picture"))
        await cache.flush()
        #expect(await cache.contains(CacheKey("picture")))
        #expect(!FileManager.default.fileExists(atPath: folder.path + "/CACHEDIR.TAG"))
    }

    @Test func theDefaultFolderFollowsXDG() {
        func folder(_ name: String, _ given: String?) -> String {
            DiskCache.folder(name, in: given, orInHome: ".cache", "/home/me")
        }
        #expect(folder("bowerbird/images", "/var/mine") == "/var/mine/bowerbird/images")
        #expect(folder("bowerbird/images", "mine") == "/home/me/.cache/bowerbird/images")
        #expect(folder("bowerbird/icons", nil) == "/home/me/.cache/bowerbird/icons")
        #expect(DiskCache.defaultFolder().hasSuffix("/bowerbird/images"))
        #expect(DiskCache.defaultFolder(named: "a", application: "org.example.b").hasSuffix("/org.example.b/a"))
        #expect(DiskCache.dataFolder(named: "a", application: "b").hasSuffix("/b/a"))
        #expect(DiskCache.dataFolder() != DiskCache.defaultFolder())
    }
}

@Suite struct DiskCacheConcurrencyTests {
    @Test func storedEntriesAreFoundAndReadsGoOnWhileNothingCanBeWritten() async throws {
        let folder = try TemporaryDirectory()
        let test = CacheUnderTest(folder.path) { $0.busyTimeout = .seconds(60) }
        try await test.store("old", count: 100)
        let gate = try test.database()
        try gate.execute("BEGIN IMMEDIATE")
        await test.cache.store(try cacheEntry("new", count: 100), for: CacheKey("new"))
        #expect(await test.holds("new", count: 100))
        #expect(await test.holds("old", count: 100))
        #expect(try gate.integer("SELECT count(*) FROM entries") == 1)
        try gate.execute("COMMIT")
        await test.cache.flush()
        #expect(try gate.integer("SELECT count(*) FROM entries") == 2)
        #expect(test.warnings.reasons.isEmpty)
    }

    @Test func beyondItsLimitStoringWaitsForTheWriter() async throws {
        let folder = try TemporaryDirectory()
        let test = CacheUnderTest(folder.path) { $0.stagedByteLimit = 1000 }
        await test.cache.store(try cacheEntry("large", count: 1001), for: CacheKey("large"))
        #expect(try test.database().integer("SELECT count(*) FROM entries") == 1)
    }

    @Test func readersAndWritersAtOnceSeeWholeEntries() async throws {
        let folder = try TemporaryDirectory()
        let caches = [CacheUnderTest(folder.path), CacheUnderTest(folder.path)]
        await withTaskGroup { group in
            for task in 0..<6 {
                group.addTask { await Self.work(on: caches[task % 2].cache, task: task) }
            }
        }
        for test in caches {
            await test.cache.flush()
            #expect(test.warnings.reasons.isEmpty)
        }
        #expect(await caches[0].cache.count == 10)
        #expect(try caches[0].files.count == Int(caches[0].database().integer("SELECT count(file) FROM entries") ?? -1))
    }

    @Test(arguments: ["", "garbage, not a database"])
    func manyMayOpenOneFolderAtOnceAndOneOfThemRepairsIt(content: String) async throws {
        let folder = try TemporaryDirectory()
        let caches = (0..<8).map { _ in CacheUnderTest(folder.path) }
        if !content.isEmpty { try caches[0].begin(with: content) }
        try await withThrowingTaskGroup { group in
            for (index, test) in caches.enumerated() {
                group.addTask { try await test.store("\(index)", count: 1000) }
            }
            try await group.waitForAll()
        }
        for index in 0..<8 { #expect(await caches[7 - index].holds("\(index)", count: 1000)) }
        #expect(caches.flatMap(\.warnings.reasons) == (content.isEmpty ? [] : [.corrupt]))
    }

    /// The first three tasks write, the others read. An entry names its version in its user info.
    private static func work(on cache: DiskCache, task: Int) async {
        for step in 0..<100 {
            let key = "\((step + task) % 10)"
            if task < 3 {
                guard let entry = try? Version(key: key, number: step * 10 + task).entry else { return }
                await cache.store(entry, for: CacheKey(key))
                if step % 7 == 0 { await cache.flush() }
            } else if let entry = await cache.entry(for: CacheKey(key)) {
                #expect(Version.isWhole(entry, key: key))
            }
        }
    }
}

/// One of many versions of an entry. Its bytes and its length follow from key and number.
struct Version {
    let key: String
    let number: Int

    var entry: CacheEntry {
        get throws {
            var entry = try cacheEntry("\(key)/\(number)", count: Self.count(number))
            entry.userInfo = Array("\(number)".utf8)
            return entry
        }
    }

    static func isWhole(_ entry: CacheEntry, key: String) -> Bool {
        guard let number = entry.userInfo.flatMap({ Int(String(decoding: $0, as: UTF8.self)) }) else { return false }
        return Array(entry.data) == content(of: "\(key)/\(number)", count: count(number))
    }

    /// Small ones for the database, large ones for files.
    private static func count(_ number: Int) -> Int { number % 3 == 0 ? 70_000 + number % 1000 : 100 + number % 5000 }
}
