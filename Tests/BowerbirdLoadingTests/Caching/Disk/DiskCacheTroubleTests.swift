import BowerbirdCore
import BowerbirdTestSupport
import Foundation
import Testing

@testable import BowerbirdLoading

@Suite struct DiskCacheTroubleTests {
    @Test(arguments: ["file", "file/below", "/proc/bowerbird", ""])
    func aFolderThatCannotBeMadeIsReportedOnceAndHoldsNothing(place: String) async throws {
        let folder = try TemporaryDirectory()
        try folder.write("in the way", to: "file")
        let path = place.isEmpty || place.hasPrefix("/") ? place : "\(folder.path)/\(place)"
        let test = CacheUnderTest(path)
        for key in ["a", "b"] { try await test.store(key, count: 100_000) }
        await test.cache.remove(for: CacheKey("a"))
        await test.cache.removeAll()
        #expect(await test.cache.entry(for: CacheKey("b")) == nil)
        #expect(await test.cache.count == 0)
        #expect(test.warnings.reasons == [.folderUnavailable])
    }

    @Test func aFolderThatIsRemovedWhileOpenIsMadeAnew() async throws {
        let folder = try TemporaryDirectory()
        let path = folder.path + "/cache"
        let test = CacheUnderTest(path)
        try await test.store("before", count: 1000)
        #expect(await test.holds("before", count: 1000))
        for key in ["first", "second"] {
            try FileManager.default.removeItem(atPath: path)
            #expect(await test.cache.entry(for: CacheKey("before")) == nil)
            try await test.store(key, count: 100_000)
            #expect(await test.holds(key, count: 100_000))
        }
        #expect(test.warnings.reasons == [.removed, .removed])
    }

    @Test func aDatabaseThatAnotherProcessHoldsIsReportedAndUsedAgainLater() async throws {
        let folder = try TemporaryDirectory()
        let clock = ManualClock()
        let test = CacheUnderTest(folder.path) {
            $0.busyTimeout = .milliseconds(1)
            $0.uptime = { clock.now.offset }
        }
        try await test.store("before", count: 1000)
        let other = try test.database()
        try other.execute("BEGIN IMMEDIATE")
        try await test.store("during", count: 1000)
        #expect(test.warnings.reasons == [.locked])
        #expect(await test.cache.entry(for: CacheKey("during")) == nil)
        #expect(await test.holds("before", count: 1000))
        try other.execute("COMMIT")
        clock.advance(by: .seconds(1))
        try await test.store("after", count: 1000)
        #expect(await test.holds("after", count: 1000))
    }

    @Test func aFolderThatCouldNotBeMadeIsTriedAgainAfterAPause() async throws {
        let folder = try TemporaryDirectory()
        let clock = ManualClock()
        try folder.write("in the way", to: "cache")
        let test = CacheUnderTest(folder.path + "/cache") { $0.uptime = { clock.now.offset } }
        try await test.store("a", count: 10)
        try FileManager.default.removeItem(atPath: folder.path + "/cache")
        try await test.store("b", count: 10)
        #expect(await test.holds("b", count: 10) == false)
        clock.advance(by: .seconds(1))
        try await test.store("c", count: 100_000)
        #expect(await test.holds("c", count: 100_000))
        #expect(test.warnings.reasons == [.folderUnavailable])
    }

    /// Mode bits forbid root nothing, so it is somebody else who uses the cache; what is open stays open to him.
    @Test(.enabled(if: getuid() == 0, "only root can become somebody without permission"))
    func aFolderThatBecomesReadOnlyIsReportedOnceAndWrittenAgainLater() async throws {
        let folder = try TemporaryDirectory()
        try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: folder.path)
        await #expect(processExitsWith: .success) { [path = folder.path as String] in
            guard setgid(65534) == 0, setuid(65534) == 0 else { exit(2) }
            let test = CacheUnderTest(path + "/cache")
            try await test.store("before", count: 100_000)
            let bodies = try #require(test.place).bodies
            chmod(bodies, 0o500)
            for key in ["during", "during too"] { try await test.store(key, count: 100_000) }
            guard await test.holds("before", count: 100_000), test.warnings.reasons == [.readOnly],
                await test.cache.entry(for: CacheKey("during")) == nil
            else { exit(3) }
            chmod(bodies, 0o700)
            try await test.store("after", count: 100_000)
            let isWritten = await test.holds("after", count: 100_000) && test.warnings.reasons == [.readOnly]
            exit(isWritten ? EXIT_SUCCESS : EXIT_FAILURE)
        }
    }

    @Test(.enabled(if: getuid() == 0, "only root can become somebody without permission"))
    func aFolderWithoutPermissionIsReportedAsReadOnly() async throws {
        let folder = try TemporaryDirectory()
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.path)
        await #expect(processExitsWith: .success) { [path = folder.path as String] in
            guard setgid(65534) == 0, setuid(65534) == 0 else { exit(2) }
            let test = CacheUnderTest(path + "/cache")
            try await test.store("picture", count: 1000)
            let isMiss = await test.cache.entry(for: CacheKey("picture")) == nil
            exit(isMiss && test.warnings.reasons == [.readOnly] ? EXIT_SUCCESS : EXIT_FAILURE)
        }
    }
}

@Suite(.enabled(if: SmallVolume.isPossible, "mounting a small file system needs root"))
struct DiskCacheVolumeTests {
    @Test func aReadOnlyVolumeIsReportedOnce() async throws {
        let volume = try SmallVolume(options: "ro")
        let test = CacheUnderTest(volume.path + "/cache")
        for key in ["a", "b"] { try await test.store(key, count: 1000) }
        #expect(await test.cache.entry(for: CacheKey("a")) == nil)
        #expect(test.warnings.reasons == [.readOnly])
    }

    @Test func onAFullVolumeTheOldestMakesRoomWithoutAWarning() async throws {
        let volume = try SmallVolume(options: "size=1m")
        let test = CacheUnderTest(volume.path + "/cache")
        for index in 0..<20 { try await test.store("\(index)", count: 150_000) }
        #expect(await test.holds("19", count: 150_000))
        #expect(await test.holds("0", count: 150_000) == false)
        #expect(await test.cache.count >= 3)
        #expect(test.warnings.reasons.isEmpty)
    }

    @Test func aBatchThatDoesNotFitIsKeptAsFarAsThereIsRoom() async throws {
        let volume = try SmallVolume(options: "size=1m")
        let test = CacheUnderTest(volume.path + "/cache") { $0.busyTimeout = .seconds(60) }
        try await Self.storeAtOnce(test, entries: 10, of: 200_000)
        #expect(await test.holds("9", count: 200_000))
        #expect(await test.cache.count >= 2)
        #expect(test.warnings.reasons.isEmpty)
    }

    @Test func whatNeverFitsIsReportedOnceAndWhatWasThereStays() async throws {
        let volume = try SmallVolume(options: "size=1m")
        let test = CacheUnderTest(volume.path + "/cache") { $0.busyTimeout = .seconds(60) }
        try await test.store("before", count: 1000)
        for _ in 0..<2 { try await Self.storeAtOnce(test, entries: 2, of: 2_000_000) }
        #expect(test.warnings.reasons == [.full])
        try await test.store("after", count: 1000)
        #expect(await test.holds("after", count: 1000))
        #expect(test.warnings.reasons == [.full])
        try await test.store("never", count: 2_000_000)
        #expect(test.warnings.reasons == [.full, .full])
        #expect(try #require(test.place.map { StoreContent(of: $0) }).orphans == [])
    }

    /// Nothing is written until all are staged: they make one batch, however slow this machine is.
    private static func storeAtOnce(_ test: CacheUnderTest, entries: Int, of count: Int) async throws {
        if test.place == nil { try await test.store("first", count: 10) }
        let gate = try test.database()
        try gate.execute("BEGIN IMMEDIATE")
        for index in 0..<entries {
            await test.cache.store(try cacheEntry("\(index)", count: count), for: CacheKey("\(index)"))
        }
        try gate.execute("COMMIT")
        await test.cache.flush()
    }
}
