import BowerbirdCore
import BowerbirdTestSupport
import Foundation
import Testing

@testable import BowerbirdLoading

@Suite struct DiskCacheDamageTests {
    @Test func aFlippedByteInAFileIsAMissAndHeals() async throws {
        let folder = try TemporaryDirectory()
        let test = CacheUnderTest(folder.path)
        try await test.store("picture", count: 100_000)
        let file = URL(fileURLWithPath: try #require(test.files.first))
        var data = try Data(contentsOf: file)
        data[50_000] ^= 1
        try data.write(to: file)
        try await Self.expectMissThenHealing(test, count: 100_000)
    }

    @Test func aFileThatWasCutIsAMissAndHeals() async throws {
        let folder = try TemporaryDirectory()
        let test = CacheUnderTest(folder.path)
        try await test.store("picture", count: 100_000)
        let file = URL(fileURLWithPath: try #require(test.files.first))
        try Data(contentsOf: file).prefix(99_999).write(to: file)
        try await Self.expectMissThenHealing(test, count: 100_000)
    }

    @Test func aFileThatIsGoneIsAMissAndHeals() async throws {
        let folder = try TemporaryDirectory()
        let test = CacheUnderTest(folder.path)
        try await test.store("picture", count: 100_000)
        try FileManager.default.removeItem(atPath: try #require(test.place).bodies)
        try await Self.expectMissThenHealing(test, count: 100_000)
    }

    @Test(arguments: [
        "UPDATE blobs SET bytes = zeroblob(1000)", "UPDATE blobs SET bytes = substr(bytes, 1, 999)",
        "DELETE FROM blobs",
        "UPDATE entries SET length = 9000000000000000000", "UPDATE entries SET length = -1",
        "UPDATE entries SET checksum = checksum + 1", "UPDATE entries SET file = -1", "UPDATE entries SET file = 7",
    ])
    func aRowThatWasTamperedWithIsAMissAndHeals(statement: String) async throws {
        let folder = try TemporaryDirectory()
        let test = CacheUnderTest(folder.path)
        try await test.store("picture", count: 1000)
        try test.database().execute(statement)
        try await Self.expectMissThenHealing(test, count: 1000)
    }

    /// SQLite has no checksums, so a sum can be anything.
    @Test(arguments: [
        "UPDATE totals SET bytes = 9223372036854775807; UPDATE entries SET length = -9223372036854775808",
        "UPDATE totals SET bytes = 9223372036854775807", "UPDATE totals SET bytes = -9223372036854775808",
        "UPDATE entries SET length = 9223372036854775807",
    ])
    func sumsThatMakeNoSenseCostEntriesAndNothingElse(statement: String) async throws {
        let folder = try TemporaryDirectory()
        let test = CacheUnderTest(folder.path, maximumByteCount: 10_000)
        try await test.store("picture", count: 1000)
        try test.database().execute(statement)
        try await test.store("another", count: 9500)
        try await test.store("last", count: 1000)
        #expect(await test.holds("last", count: 1000))
    }

    @Test func healingNeverRemovesAnEntryThatWasWrittenAnewMeanwhile() async throws {
        let folder = try TemporaryDirectory()
        let test = CacheUnderTest(folder.path)
        try await test.store("picture", count: 1000)
        let store = try DiskStore(CacheFolder(path: folder.path), DiskCacheSettings())
        var rows: [EntryRow] = []
        try test.database().prepare("SELECT \(EntryRow.columns) FROM entries").run { rows.append(EntryRow($0)) }
        try await test.store("picture", count: 2000)
        #expect(try store.remove(try #require(rows.first)) == false)
        #expect(await test.holds("picture", count: 2000))
    }

    @Test func aDatabaseOfGarbageIsBuiltAnewWithOneWarning() async throws {
        let folder = try TemporaryDirectory()
        let test = CacheUnderTest(folder.path)
        try test.begin(with: String(repeating: "garbage ", count: 20_000))
        #expect(await test.cache.entry(for: CacheKey("picture")) == nil)
        try await test.store("picture", count: 1000)
        #expect(await test.holds("picture", count: 1000))
        #expect(test.warnings.reasons == [.corrupt])
        #expect(await CacheUnderTest(folder.path).holds("picture", count: 1000))
    }

    @Test func aDatabaseOfAnotherVersionIsBuiltAnew() async throws {
        let folder = try TemporaryDirectory()
        try await CacheUnderTest(folder.path).store("picture", count: 1000)
        try CacheUnderTest(folder.path).database().execute("PRAGMA user_version = 999")
        let test = CacheUnderTest(folder.path)
        #expect(await test.cache.entry(for: CacheKey("picture")) == nil)
        try await test.store("picture", count: 2000)
        #expect(await test.holds("picture", count: 2000))
    }

    @Test func aDatabaseWithForeignTablesIsBuiltAnew() async throws {
        let folder = try TemporaryDirectory()
        let test = CacheUnderTest(folder.path)
        try test.begin(with: "")
        try test.database().execute("CREATE TABLE entries (picture)")
        try await test.store("picture", count: 2000)
        #expect(await test.holds("picture", count: 2000))
        #expect(test.warnings.reasons == [.corrupt])
    }

    @Test(arguments: ["read", "write"])
    func damageBehindAGoodHeaderIsFoundLaterAndEndsInANewDatabase(finder: String) async throws {
        let folder = try TemporaryDirectory()
        let test = CacheUnderTest(folder.path)
        try test.begin(with: "")
        try Self.copyDatabase(of: try await Self.filledFolder(), to: try #require(test.place), damagedAfter: 1)
        if finder == "read" { #expect(await test.cache.entry(for: CacheKey("3")) == nil) }
        try await test.store("new", count: 1000)
        #expect(await test.holds("new", count: 1000))
        #expect(await test.cache.count == 1)
        #expect(test.warnings.reasons == [.corrupt])
    }

    private static func filledFolder() async throws -> TemporaryDirectory {
        let folder = try TemporaryDirectory()
        let test = CacheUnderTest(folder.path)
        for index in 0..<50 {
            await test.cache.store(try cacheEntry("\(index)", count: 3000), for: CacheKey("\(index)"))
        }
        await test.cache.flush()
        try test.database().execute("PRAGMA wal_checkpoint(TRUNCATE)")
        return folder
    }

    private static func copyDatabase(
        of folder: TemporaryDirectory, to place: StoreFolder, damagedAfter page: Int
    ) throws {
        let source = try #require(CacheFolder(path: folder.path).currentStore)
        var data = try Data(contentsOf: URL(fileURLWithPath: source.database))
        let damaged = page * 4096..<data.count
        data.replaceSubrange(damaged, with: Data(repeating: 0xA5, count: damaged.count))
        try data.write(to: URL(fileURLWithPath: place.database))
    }

    private static func expectMissThenHealing(_ test: CacheUnderTest, count: Int) async throws {
        #expect(await test.cache.entry(for: CacheKey("picture")) == nil)
        #expect(await test.cache.count == 0)
        #expect(test.files.isEmpty)
        try await test.store("picture", count: count)
        #expect(await test.holds("picture", count: count))
        #expect(test.warnings.reasons == [.damagedEntry])
        #expect(test.warnings.details == ["picture"])
    }
}
