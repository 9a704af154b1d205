import BowerbirdCore
import BowerbirdTestSupport
import Foundation
import Testing

@testable import BowerbirdLoading

/// A folder with pictures, as it comes with a program.
private struct Preseeded {
    let folder: TemporaryDirectory
    var path: String { folder.path + "/100 % #1? 东" }

    init(_ keys: [String] = ["small", "large"]) async throws {
        folder = try TemporaryDirectory()
        for key in keys { try await CacheUnderTest(path).store(key, count: key == "large" ? 100_000 : 10) }
        // As the last process that closed it leaves it.
        try CacheUnderTest(path).database().execute("PRAGMA wal_checkpoint(TRUNCATE)")
    }

    /// The names, sizes and times of all that is in it.
    func snapshot() throws -> [String: [String]] {
        var snapshot: [String: [String]] = [:]
        for name in FileManager.default.enumerator(atPath: path)?.allObjects as? [String] ?? [] {
            let facts = try FileManager.default.attributesOfItem(atPath: "\(path)/\(name)")
            snapshot[name] = [FileAttributeKey.size, .modificationDate].map { "\(facts[$0] ?? "")" }
        }
        return snapshot
    }
}

@Suite
struct `Folders that a disk cache only reads` {
    @Test func areAskedForWhatIsNotThereAndStayAsTheyAre() async throws {
        let (preseeded, folder) = (try await Preseeded(), try TemporaryDirectory())
        let before = try preseeded.snapshot()
        let test = CacheUnderTest(folder.path) { $0.readOnlyFolders = [folder.path + "/none", preseeded.path] }
        #expect(await test.holds("small", count: 10))
        #expect(await test.holds("large", count: 100_000))
        #expect(await test.cache.contains(CacheKey("small")))
        #expect(await test.cache.contains(CacheKey("other")) == false)
        #expect(await test.cache.entry(for: CacheKey("other")) == nil)
        #expect(test.cache.synchronous.contains(CacheKey("large")))
        await test.cache.flush()
        await test.cache.removeAll()
        #expect(await test.cache.count == 0)
        #expect(await test.holds("small", count: 10))
        #expect(try preseeded.snapshot() == before)
        #expect(!before.isEmpty)
    }

    @Test func areAskedAfterTheCacheItselfAndInTheirOrder() async throws {
        let (first, second) = (try await Preseeded(), try await Preseeded())
        let folder = try TemporaryDirectory()
        let source = CacheUnderTest(second.path).cache
        await source.remove(for: CacheKey("small"))
        await source.flush()
        let test = CacheUnderTest(folder.path) { $0.readOnlyFolders = [second.path, first.path] }
        #expect(await test.holds("small", count: 10))
        try await test.store("small", count: 20)
        #expect(await test.holds("small", count: 20))
        await test.cache.remove(for: CacheKey("small"))
        #expect(await test.holds("small", count: 10))
    }

    @Test func giveNothingThatIsDamaged() async throws {
        let (preseeded, folder) = (try await Preseeded(), try TemporaryDirectory())
        try preseeded.folder.spoilFiles()
        let before = try preseeded.snapshot()
        let test = CacheUnderTest(folder.path) { $0.readOnlyFolders = [preseeded.path] }
        #expect(await test.cache.entry(for: CacheKey("large")) == nil)
        #expect(try preseeded.snapshot() == before)
    }

    @Test func giveNothingThatIsTooOldByItsOwnExpiry() async throws {
        let (preseeded, folder) = (try await Preseeded(), try TemporaryDirectory())
        var entry = try cacheEntry("old", count: 10)
        entry.storedAt = Date(timeIntervalSince1970: 0)
        entry.expiry = .sinceStored(.seconds(60))
        let source = CacheUnderTest(preseeded.path)
        await source.cache.store(entry, for: CacheKey("old"))
        await source.cache.flush()
        let test = CacheUnderTest(folder.path) { settings in
            settings.readOnlyFolders = [preseeded.path]
            settings.limits.value.expiry = .sinceStored(.zero)
        }
        #expect(await test.cache.contains(CacheKey("old")) == false)
        #expect(await test.cache.entry(for: CacheKey("old")) == nil)
        #expect(await test.holds("small", count: 10))
    }

    @Test func areReadWhileSomebodyWritesToThem() async throws {
        let (preseeded, folder) = (try await Preseeded(), try TemporaryDirectory())
        let source = CacheUnderTest(preseeded.path)
        try await source.store("new", count: 10)
        let test = CacheUnderTest(folder.path) { $0.readOnlyFolders = [preseeded.path] }
        #expect(await test.holds("new", count: 10))
        try await source.store("newer", count: 10)
        #expect(await test.holds("newer", count: 10))
    }

    @Test(.enabled(if: SmallVolume.isPossible, "mounting a small file system needs root"))
    func mayLieOnAMediumThatCannotBeWrittenTo() async throws {
        let (preseeded, folder) = (try await Preseeded(), try TemporaryDirectory())
        let volume = try SmallVolume(options: "size=4m")
        let copy = volume.path + "/cache"
        try FileManager.default.copyItem(atPath: preseeded.path, toPath: copy)
        let remount = Process()
        remount.executableURL = URL(fileURLWithPath: "/bin/mount")
        remount.arguments = ["-o", "remount,ro", volume.path]
        try remount.run()
        remount.waitUntilExit()
        try #require(remount.terminationStatus == 0)
        let test = CacheUnderTest(folder.path) { $0.readOnlyFolders = [copy] }
        #expect(await test.holds("small", count: 10))
        #expect(await test.holds("large", count: 100_000))
    }
}

extension TemporaryDirectory {
    /// Overwrites the end of each file with a larger body that is somewhere below.
    func spoilFiles() throws {
        for name in FileManager.default.enumerator(atPath: path)?.allObjects as? [String] ?? [] {
            guard name.contains("bodies/"), let file = FileHandle(forWritingAtPath: "\(path)/\(name)") else { continue }
            try file.seek(toOffset: 50_000)
            try file.write(contentsOf: Data("spoilt".utf8))
            try file.close()
        }
    }
}
