import BowerbirdCore
import BowerbirdTestSupport
import Foundation
import Testing

@testable import BowerbirdLoading

@Suite
struct `Several processes on one folder` {
    /// Three children store, read, remove and clear under the same keys, and end by themselves.
    @Test func neverSeeAnythingDamagedAndLeaveNothingBehind() async throws {
        let folder = try TemporaryDirectory()
        await withTaskGroup { group in
            for child in 0..<3 {
                group.addTask {
                    await #expect(processExitsWith: .success) {
                        [path = folder.path as String, child = child as Int] in
                        exit(try await workBesideOthers(path, child) ? EXIT_SUCCESS : EXIT_FAILURE)
                    }
                }
            }
        }
        let test = CacheUnderTest(folder.path)
        try await test.store("last", count: 100)
        await test.cache.settle()
        let content = StoreContent(of: try #require(test.place))
        #expect(content.orphans == [])
        #expect(content.rowsWithoutFile == [])
        #expect(test.warnings.reasons == [])
    }

    @Test func findWhatWasStoredAfterAnotherHasCleared() async throws {
        let folder = try TemporaryDirectory()
        let caches = (0..<3).map { _ in CacheUnderTest(folder.path) }
        for round in 0..<5 {
            for (index, test) in caches.enumerated() { try await test.store("\(index)", count: 80_000 + index) }
            await caches[round % 3].cache.removeAll()
            let writer = caches[(round + 1) % 3]
            try await writer.store("new", count: 90_000 + round)
            #expect(await writer.holds("new", count: 90_000 + round))
            #expect(await writer.cache.count == 1)
            #expect(await CacheUnderTest(folder.path).holds("new", count: 90_000 + round))
        }
        for test in caches {
            await test.cache.settle()
            #expect(test.warnings.reasons == [])
        }
        #expect(FileNames.inFolder(folder.path).count == 4)
    }

    @Test func leaveTheFilesOfALivingOneAlone() async throws {
        let folder = try TemporaryDirectory()
        let test = CacheUnderTest(folder.path)
        try await test.store("first", count: 10)
        let living = try DiskStore(CacheFolder(path: folder.path), DiskCacheSettings())
        let name = BodyName(newFor: DiskKey("key").digest)
        try living.announce([name])
        #expect(living.bodies.makeFolder(for: name))
        try Data([1]).write(to: URL(fileURLWithPath: living.bodies.path(of: name)))
        try await CacheUnderTest(folder.path).store("second", count: 10)
        #expect(test.files.count == 1)
        withExtendedLifetime(living) {}
    }

    @Test func removeWhatADeadOneWasWriting() async throws {
        let folder = try TemporaryDirectory()
        let test = CacheUnderTest(folder.path)
        try await test.store("first", count: 10)
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = folder.path as String] in
            let dying = try DiskStore(CacheFolder(path: path), DiskCacheSettings())
            let name = BodyName(newFor: DiskKey("key").digest)
            try dying.announce([name])
            guard dying.bodies.makeFolder(for: name) else { exit(1) }
            try Data([1]).write(to: URL(fileURLWithPath: dying.bodies.path(of: name)))
            kill(getpid(), SIGKILL)
        }
        #expect(test.files.count == 1)
        try await CacheUnderTest(folder.path).store("second", count: 10)
        #expect(test.files.isEmpty)
        #expect(try test.database().integer("SELECT count(*) FROM obsolete_files") == 0)
    }

    @Test func deleteTheTrashThatADeadOneLeft() async throws {
        let folder = try TemporaryDirectory()
        for name in ["trash-1/bodies/ab/c", "trash-2", "v3-unfinished/bodies/ab/c", "v3.new-1"] {
            try folder.write("x", to: name)
        }
        try FileManager.default.createSymbolicLink(
            atPath: folder.path + "/trash-1/link", withDestinationPath: "../mine")
        try folder.write("x", to: "mine/file")
        let test = CacheUnderTest(folder.path)
        try await test.store("picture", count: 10)
        await test.cache.settle()
        let names = Set(FileNames.inFolder(folder.path))
        #expect(names.count == 5)
        #expect(names.isSuperset(of: ["mine", "v3", "lock", "CACHEDIR.TAG"]))
        #expect(FileNames.inFolder(folder.path + "/mine") == ["file"])
    }
}

/// False where something was not whole, or a warning was given.
private func workBesideOthers(_ path: String, _ child: Int) async throws -> Bool {
    let test = CacheUnderTest(path, maximumByteCount: 1_000_000)
    var isWhole = true
    for step in 0..<200 {
        let key = "\((step * 7 + child) % 12)"
        switch step % 5 {
        case 0, 1: await test.cache.store(try Version(key: key, number: step * 3 + child).entry, for: CacheKey(key))
        case 2: await test.cache.flush()
        case 3 where step % 20 == 3: await test.cache.remove(for: CacheKey(key))
        case 4 where step == 99 + child * 5: await test.cache.removeAll()
        default:
            guard let entry = await test.cache.entry(for: CacheKey(key)) else { continue }
            isWhole = Version.isWhole(entry, key: key) && isWhole
        }
    }
    await test.cache.settle()
    return isWhole && test.warnings.reasons.isEmpty
}
