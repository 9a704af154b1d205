import BowerbirdCore
import BowerbirdTestSupport
import Foundation
import Testing

@testable import BowerbirdLoading

/// What is staged stays so until the test asks for it to be written.
private func writerThatNobodyCalls(_ path: String) -> (DiskWriter, StagedQueue) {
    let staged = StagedQueue()
    let writer = DiskWriter(
        folder: CacheFolder(path: path), settings: DiskCacheSettings(), staged: staged, accesses: AccessLog(),
        warnings: WarningReporter(folder: path) { _ in })
    return (writer, staged)
}

private let variants = ["a 1x1", "a 2x2", "a tinted"].map { CacheKey($0, source: "a") }

@Suite
struct `Entries of one source` {
    @Test(arguments: [10, 100_000])
    func goTogether(count: Int) async throws {
        let folder = try TemporaryDirectory()
        let test = CacheUnderTest(folder.path)
        for key in variants { try await test.store(key, count: count) }
        try await test.store("other", count: 10)
        await test.cache.remove(source: "a")
        for key in variants { #expect(await test.cache.entry(for: key) == nil) }
        #expect(await test.holds("other", count: 10))
        #expect(await test.cache.totalByteCount == 10)
        #expect(test.files.isEmpty)
        #expect(try test.database().integer("SELECT count(*) FROM blobs") == 1)
    }

    @Test func goBeforeTheyAreWritten() async throws {
        let folder = try TemporaryDirectory()
        let (writer, staged) = writerThatNobodyCalls(folder.path)
        for key in variants + [CacheKey("b")] {
            let entry = try cacheEntry("x", count: 10)
            staged.withLock { $0.add(entry, for: key, at: 1) }
        }
        await writer.remove(source: "a")
        #expect(staged.withLock { $0.begin().writes.map(\.key) } == [CacheKey("b")])
    }

    @Test(arguments: ["", "'; DROP TABLE entries; --", "东方不败", "a\u{0}b", String(repeating: "long'", count: 20_000)])
    func mayHaveAnyTextAsTheirSource(source: String) async throws {
        let folder = try TemporaryDirectory()
        let test = CacheUnderTest(folder.path)
        try await test.store(CacheKey("a", source: source), count: 10)
        try await test.store("b", count: 10)
        await test.cache.remove(source: source + "?")
        #expect(await test.cache.count == 2)
        await test.cache.remove(source: source)
        #expect(await test.cache.count == 1)
    }

    @Test func goForOtherProcessesToo() async throws {
        let folder = try TemporaryDirectory()
        let (mine, theirs) = (CacheUnderTest(folder.path), CacheUnderTest(folder.path))
        for key in variants { try await mine.store(key, count: 10) }
        #expect(await theirs.cache.contains(variants[0]))
        await theirs.cache.remove(source: "a")
        #expect(await mine.cache.contains(variants[0]) == false)
        #expect(await mine.cache.count == 0)
    }

    @Test func areFoundThroughAnIndex() async throws {
        let folder = try TemporaryDirectory()
        let test = CacheUnderTest(folder.path)
        try await test.store("a", count: 10)
        var plan = ""
        let query = "EXPLAIN QUERY PLAN DELETE FROM entries WHERE \(SourceRows.condition)"
        try test.database().prepare(query).run { row in plan += "\(row.text(3) ?? "")\n" }
        #expect(plan.contains("entries_by_source (source_digest=?)"))
        #expect(plan.contains("(digest=?)"))
        #expect(!plan.contains("SCAN"))
    }
}

@Suite
struct `Asking a disk cache whether it has an entry` {
    @Test(arguments: [1, 10, 100_000])
    func isAnsweredFromTheDisk(count: Int) async throws {
        let folder = try TemporaryDirectory()
        try await CacheUnderTest(folder.path).store("picture", count: count)
        let test = CacheUnderTest(folder.path)
        #expect(await test.cache.contains(CacheKey("picture")))
        #expect(await test.cache.contains(CacheKey("another")) == false)
        await test.cache.remove(for: CacheKey("picture"))
        #expect(await test.cache.contains(CacheKey("picture")) == false)
    }

    @Test func seesWhatIsYetToBeWritten() async throws {
        let folder = try TemporaryDirectory()
        let test = CacheUnderTest(folder.path) { $0.busyTimeout = .seconds(60) }
        try await test.store("old", count: 10)
        let gate = try test.database()
        try gate.execute("BEGIN IMMEDIATE")
        await test.cache.store(try cacheEntry("new", count: 10), for: CacheKey("new"))
        #expect(await test.cache.contains(CacheKey("new")))
        #expect(await test.cache.contains(CacheKey("old")))
        try gate.execute("COMMIT")
        await test.cache.flush()
    }

    @Test func isNoUse() async throws {
        let folder = try TemporaryDirectory()
        let test = CacheUnderTest(folder.path, maximumByteCount: 3000)
        for key in ["a", "b", "c"] { try await test.store(key, count: 1000) }
        #expect(await test.cache.contains(CacheKey("a")))
        try await test.store("d", count: 1000)
        #expect(await test.cache.contains(CacheKey("a")) == false)
    }

    @Test func needsTheWholeKeyAndNotItsDigest() async throws {
        let folder = try TemporaryDirectory()
        let test = CacheUnderTest(folder.path)
        try await test.store("mine", count: 10)
        try test.database().execute("UPDATE entries SET key = 'crafted'")
        #expect(await test.cache.contains(CacheKey("mine")) == false)
    }

    @Test func mendsADatabaseOfGarbage() async throws {
        let folder = try TemporaryDirectory()
        let test = CacheUnderTest(folder.path)
        try test.begin(with: String(repeating: "garbage ", count: 20_000))
        #expect(await test.cache.contains(CacheKey("picture")) == false)
        #expect(test.warnings.reasons == [.corrupt])
        try await test.store("picture", count: 10)
        #expect(await test.cache.contains(CacheKey("picture")))
    }
}

@Suite
struct `Renewing an entry` {
    private let key = CacheKey("picture")
    private let old = freshness(["etag": "\"1\"", "cache-control": "max-age=60"])
    private var new: Freshness { old.renewed(by: ["cache-control": "max-age=10"], at: receipt + 100) }

    @Test(arguments: [10, 100_000])
    func changesItsFactsAndNotItsBytes(count: Int) async throws {
        let folder = try TemporaryDirectory()
        let test = CacheUnderTest(folder.path)
        try await test.store(key, count: count, old)
        // Writing the bytes again would fail.
        try test.database().execute(
            """
            CREATE TRIGGER no_bytes BEFORE INSERT ON blobs BEGIN SELECT RAISE(ABORT, 'bytes'); END;
            CREATE TRIGGER no_entry BEFORE INSERT ON entries BEGIN SELECT RAISE(ABORT, 'entry'); END;
            """)
        let files = test.files
        await test.cache.renew(new, for: key)
        let found = try #require(await CacheUnderTest(folder.path).cache.entry(for: key))
        #expect(found.freshness == new)
        #expect(Array(found.data) == content(of: key.text, count: count))
        #expect(test.files == files)
        #expect(test.warnings.reasons.isEmpty)
    }

    @Test func reachesWhatIsYetToBeWritten() async throws {
        let folder = try TemporaryDirectory()
        let (writer, staged) = writerThatNobodyCalls(folder.path)
        let entry = try entry(old)
        staged.withLock { $0.add(entry, for: key, at: 1) }
        await writer.renew(new, for: key)
        #expect(staged.withLock { $0.entry(for: key) }?.freshness == new)
        await writer.writeStaged()
        #expect(await CacheUnderTest(folder.path).cache.entry(for: key)?.freshness == new)
    }

    @Test(arguments: [["etag": "\"2\""], [:], ["etag": "\"1\"", "last-modified": At.receipt]])
    func neverGivesBytesTheFactsOfOthers(headers: [String: String]) async throws {
        let folder = try TemporaryDirectory()
        let test = CacheUnderTest(folder.path)
        try await test.store(key, count: 10, freshness(headers))
        await test.cache.renew(new, for: key)
        #expect(await test.cache.entry(for: key)?.freshness == freshness(headers))
    }

    @Test func thatIsNotThereOrNotFromHTTPDoesNothing() async throws {
        let folder = try TemporaryDirectory()
        let test = CacheUnderTest(folder.path)
        await test.cache.renew(new, for: key)
        #expect(await test.cache.contains(key) == false)
        let bare = freshness([:])
        try await test.store(key, count: 10)
        await test.cache.renew(bare, for: key)
        #expect(try #require(await test.cache.entry(for: key)).freshness == nil)
    }

    @Test func isSeenByOtherProcesses() async throws {
        let folder = try TemporaryDirectory()
        let (mine, theirs) = (CacheUnderTest(folder.path), CacheUnderTest(folder.path))
        try await mine.store(key, count: 10, old)
        #expect(await theirs.cache.entry(for: key)?.freshness == old)
        await mine.cache.renew(new, for: key)
        #expect(await theirs.cache.entry(for: key)?.freshness == new)
    }

    @Test func worksForCachesThatKnowNoBetterWay() async throws {
        let cache = SimpleCache()
        await cache.renew(new, for: key)
        #expect(await cache.contains(key) == false)
        await cache.store(try entry(old), for: key)
        #expect(await cache.contains(key))
        await cache.renew(freshness(["etag": "\"2\""]), for: key)
        #expect(await cache.entry(for: key)?.freshness == old)
        await cache.renew(new, for: key)
        #expect(await cache.entry(for: key)?.freshness == new)
    }

    private func entry(_ freshness: Freshness) throws -> CacheEntry {
        var entry = try cacheEntry(key.text, count: 10)
        entry.freshness = freshness
        return entry
    }
}

/// Has only what the protocol asks for.
private actor SimpleCache: DataCache {
    private var entries: [CacheKey: CacheEntry] = [:]
    func entry(for key: CacheKey) async -> CacheEntry? { entries[key] }
    func store(_ entry: CacheEntry, for key: CacheKey) async { entries[key] = entry }
    func remove(for key: CacheKey) async { entries[key] = nil }
    func remove(source: String) async { entries = entries.filter { $0.key.source != source } }
    func removeAll() async { entries = [:] }
}

extension CacheUnderTest {
    func store(_ key: CacheKey, count: Int, _ freshness: Freshness? = nil) async throws {
        var entry = try cacheEntry(key.text, count: count)
        entry.freshness = freshness
        await cache.store(entry, for: key)
        await cache.flush()
    }
}
