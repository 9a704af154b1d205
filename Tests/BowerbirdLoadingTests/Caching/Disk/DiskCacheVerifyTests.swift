import BowerbirdCore
import BowerbirdTestSupport
import Foundation
import Testing

@testable import BowerbirdLoading

@Suite
struct `Verifying a disk cache` {
    @Test func readsEveryEntryAndTellsHowFarItIs() async throws {
        let folder = try TemporaryDirectory()
        let test = CacheUnderTest(folder.path)
        try await test.fill(0..<300, count: 100)
        try await test.fill([300], count: 100_000)
        let steps = Lock<[Int]>([])
        let result = await test.cache.verify { checked, total in
            #expect(total == 301)
            steps.withLock { $0.append(checked) }
        }
        #expect(result.checkedCount == 301 && result.checkedByteCount == 130_000)
        #expect(result.isSound && result.isComplete)
        #expect(steps.withLock { $0 } == Array(1...301))
    }

    @Test func removesWhatIsDamagedOrGone() async throws {
        let folder = try TemporaryDirectory()
        let test = CacheUnderTest(folder.path)
        try await test.fill([0, 1], count: 10)
        for key in [2, 3] { try await test.fill([key], count: 100_000) }
        try test.database().execute(
            "UPDATE blobs SET bytes = zeroblob(10) WHERE id = (SELECT id FROM entries WHERE key = '1')")
        let files = test.files
        try folder.spoilFiles()
        try FileManager.default.removeItem(atPath: try #require(files.first))
        let result = await test.cache.verify()
        #expect(result.damaged.count == 2 && result.damaged.contains(CacheKey("1")))
        #expect(result.missing.count == 1)
        #expect(Set(result.damaged + result.missing) == [CacheKey("1"), CacheKey("2"), CacheKey("3")])
        #expect(!result.isSound)
        #expect(await test.cache.count == 1)
        #expect(test.files.isEmpty)
        #expect(await test.cache.verify().isSound)
    }

    @Test func countsFilesThatBelongToNoEntry() async throws {
        let folder = try TemporaryDirectory()
        let test = CacheUnderTest(folder.path)
        try await test.fill([0], count: 100_000)
        let file = try #require(test.files.first)
        let stray = BodyName(newFor: DiskKey("stray").digest)
        let place = (file as NSString).deletingLastPathComponent
        try FileManager.default.copyItem(atPath: file, toPath: "\(place)/\(stray.fileName)")
        try Data("not ours".utf8).write(to: URL(fileURLWithPath: place + "/readme"))
        let moved = BodyFiles(folder: (place as NSString).deletingLastPathComponent)
        let folderOfStray = (moved.path(of: stray) as NSString).deletingLastPathComponent
        try FileManager.default.createDirectory(atPath: folderOfStray, withIntermediateDirectories: true)
        try FileManager.default.moveItem(atPath: "\(place)/\(stray.fileName)", toPath: moved.path(of: stray))
        let result = await test.cache.verify()
        #expect(result.strayFileCount == 1 && result.strayByteCount >= 100_000)
        #expect(result.damaged.isEmpty && result.missing.isEmpty && !result.isSound)
    }

    @Test func ofACacheThatIsNotThereFindsNothingAndMakesNoFolder() async throws {
        let folder = try TemporaryDirectory()
        let test = CacheUnderTest(folder.path + "/none")
        #expect(await test.cache.verify() == DiskCache.Verification())
        #expect(!FileManager.default.fileExists(atPath: test.folder))
        #expect(!DiskCache.exists(in: test.folder))
        try await test.fill([0])
        #expect(DiskCache.exists(in: test.folder))
    }

    @Test func endsWhenItsTaskIsCancelled() async throws {
        let folder = try TemporaryDirectory()
        let test = CacheUnderTest(folder.path)
        try await test.fill(0..<50, count: 10)
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return await test.cache.verify()
        }
        let result = await task.value
        #expect(!result.isComplete)
        #expect(result.checkedCount == 0)
    }
}
