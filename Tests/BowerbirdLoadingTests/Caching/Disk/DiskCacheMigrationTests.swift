import BowerbirdCore
import BowerbirdTestSupport
import Foundation
import Testing

@testable import BowerbirdLoading

@Suite
struct `A folder of an earlier version` {
    @Test func isTakenOverWithItsEntriesAndLeavesNothingBehind() async throws {
        let folder = try TemporaryDirectory()
        try FlatFolder(folder).fill(entries: 150)
        let test = CacheUnderTest(folder.path)
        _ = await test.cache.contains(CacheKey("0"))
        await test.cache.settle()
        #expect(await test.cache.count == 150)
        for index in 0..<150 { #expect(await test.holds("\(index)", count: FlatFolder.count(index))) }
        let found = try #require(await test.cache.entry(for: CacheKey("3")))
        #expect(found.url == "http://example.org/3")
        #expect(found.mediaType == "image/png")
        #expect(found.storedAt == Date(timeIntervalSince1970: 1003))
        #expect(found.userInfo == [7])
        #expect(found.freshness?.headers == ["etag": "\"3\"", "x": "y"])
        #expect(test.warnings.reasons == [])
        #expect(Set(FileNames.inFolder(folder.path)).count == 4)
        #expect(try StoreContent(of: #require(test.place)).orphans == [])
        #expect(test.files.count == 50)
    }

    @Test func keepsTheOrderOfLastUse() async throws {
        let folder = try TemporaryDirectory()
        try FlatFolder(folder).fill(entries: 10)
        let test = CacheUnderTest(folder.path)
        _ = await test.cache.contains(CacheKey("0"))
        await test.cache.settle()
        var order: [String] = []
        try test.database().prepare("SELECT key FROM entries ORDER BY accessed_at").run {
            order.append($0.text(0) ?? "")
        }
        #expect(order == (0..<10).reversed().map { "\($0)" })
    }

    @Test func hasFilesThatRebuildItsDatabase() async throws {
        let folder = try TemporaryDirectory()
        try FlatFolder(folder).fill(entries: 6)
        let first = CacheUnderTest(folder.path)
        _ = await first.cache.contains(CacheKey("0"))
        await first.cache.settle()
        try Data("garbage".utf8).write(to: URL(fileURLWithPath: #require(first.place).database))
        let test = CacheUnderTest(folder.path)
        _ = await test.cache.contains(CacheKey("0"))
        await test.cache.settle()
        for index in [0, 3] { #expect(await test.holds("\(index)", count: FlatFolder.count(index))) }
    }

    @Test func neverGivesBackWhatWasStoredOrRemovedSince() async throws {
        let folder = try TemporaryDirectory()
        try FlatFolder(folder).fill(entries: 150)
        let test = CacheUnderTest(folder.path)
        try await test.store("149", count: 5)
        await test.cache.remove(for: CacheKey("148"))
        await test.cache.settle()
        #expect(await test.holds("149", count: 5))
        #expect(await test.cache.contains(CacheKey("148")) == false)
        #expect(await test.cache.count == 149)
    }

    @Test(arguments: ["garbage", ""])
    func ofNoKnownFormatIsThrownAwayWithOneWarning(content: String) async throws {
        let folder = try TemporaryDirectory()
        try folder.write(String(repeating: content, count: 10_000), to: "entries.sqlite")
        try folder.write("what was it?", to: "bodies/0000000000000001")
        let test = CacheUnderTest(folder.path)
        try await test.store("picture", count: 10)
        await test.cache.settle()
        #expect(await test.holds("picture", count: 10))
        #expect(test.warnings.reasons == [.corrupt])
        #expect(Set(FileNames.inFolder(folder.path)).count == 4)
        #expect(await CacheUnderTest(folder.path).holds("picture", count: 10))
    }

    @Test func ofALaterFormatIsLeftAlone() async throws {
        let folder = try TemporaryDirectory()
        try folder.write("another format", to: "v4-abc/entries.sqlite")
        try FileManager.default.createSymbolicLink(atPath: folder.path + "/v4", withDestinationPath: "v4-abc")
        let test = CacheUnderTest(folder.path)
        try await test.store("picture", count: 10)
        await test.cache.removeAll()
        await test.cache.settle()
        #expect(try String(contentsOfFile: folder.path + "/v4/entries.sqlite", encoding: .utf8) == "another format")
    }
}

/// A folder as format 2 had it. Every third entry has a file; what comes later was used earlier.
private final class FlatFolder {
    private let folder: TemporaryDirectory
    private let database: Database

    init(_ folder: TemporaryDirectory) throws {
        self.folder = folder
        database = try Database(path: folder.path + "/entries.sqlite", access: .readWrite, busyTimeout: .zero)
        try database.execute(Self.tables)
    }

    static func count(_ index: Int) -> Int { index % 3 == 0 ? 70_000 + index : index + 1 }

    func fill(entries: Int) throws {
        let insert = try database.prepare(
            "INSERT INTO entries VALUES (NULL, ?, ?, ?, ?, 'image/png', ?, ?, ?, ?, ?, x'07', 5, 200, ?, NULL, ?, '')")
        let insertBlob = try database.prepare("INSERT INTO blobs VALUES (?, ?)")
        for index in 0..<entries {
            let entry = try cacheEntry("\(index)", count: Self.count(index))
            let isFile = index % 3 == 0
            if isFile {
                let name = "bodies/" + FileNames.hexadecimal(UInt64(index + 1))
                try folder.write("", to: name)
                try Data(Array(entry.data)).write(to: folder.url(of: name))
            }
            try insert.run([
                .bytes(DiskKey("\(index)").digest), .text("\(index)"), .text("\(index)"), .text(entry.url),
                .integer((1000 + index) * 1_000_000), .integer(5000 - index), .integer(entry.data.count),
                .integer(entry.data.checksum), isFile ? .integer(index + 1) : .null, .text("\"\(index)\""),
                .text("x:y\n"),
            ])
            if !isFile { try insertBlob.run([.integer(database.lastInsertedRow), .image(entry.data)]) }
        }
    }

    private static let tables = """
        PRAGMA journal_mode = WAL;
        CREATE TABLE entries (
            id INTEGER PRIMARY KEY, digest BLOB NOT NULL UNIQUE, key TEXT NOT NULL, source TEXT NOT NULL,
            url TEXT NOT NULL, media_type TEXT, stored_at INTEGER NOT NULL, accessed_at INTEGER NOT NULL,
            length INTEGER NOT NULL, checksum INTEGER NOT NULL, file INTEGER, user_info BLOB, received_at INTEGER,
            status INTEGER, entity_tag TEXT, last_modified TEXT, headers TEXT, variants TEXT
        );
        CREATE INDEX entries_by_access ON entries (accessed_at);
        CREATE INDEX entries_by_source ON entries (source);
        CREATE TABLE blobs (id INTEGER PRIMARY KEY, bytes BLOB NOT NULL);
        CREATE TABLE totals (entries INTEGER NOT NULL, bytes INTEGER NOT NULL);
        INSERT INTO totals VALUES (0, 0);
        CREATE TRIGGER entry_added AFTER INSERT ON entries BEGIN
            UPDATE totals SET entries = entries + 1, bytes = bytes + new.length;
        END;
        CREATE TRIGGER entry_removed AFTER DELETE ON entries BEGIN
            DELETE FROM blobs WHERE id = old.id;
            UPDATE totals SET entries = entries - 1, bytes = bytes - old.length;
        END;
        PRAGMA user_version = 2;
        """
}
