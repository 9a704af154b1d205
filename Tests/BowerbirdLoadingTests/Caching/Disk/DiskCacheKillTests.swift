import BowerbirdCore
import BowerbirdTestSupport
import Foundation
import Testing

@testable import BowerbirdLoading

/// Children write small and large entries, over and over under the same keys, remove some and now and then all, until
/// they are killed at a random moment.
@Suite struct DiskCacheKillTests {
    /// In each of 34 rounds four folders at once, with one child in three of them and three in the last: 204 kills.
    @Test func afterTwoHundredKillsWhatIsFoundIsWholeAndNothingIsLeftBehind() async throws {
        let folders = try (0..<4).map { _ in try TemporaryDirectory() }
        var found = 0
        for round in 0..<34 {
            await withTaskGroup { group in
                for (index, folder) in folders.enumerated() {
                    for child in 0..<(index == 3 ? 3 : 1) {
                        group.addTask { await Self.runAndKill(folder.path, round * 10 + child) }
                    }
                }
            }
            for folder in folders { found += try await Self.verify(folder.path) }
        }
        #expect(found > 1000)
    }

    private static func runAndKill(_ path: String, _ seed: Int) async {
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String, seed = seed as Int] in
            try await writeUntilKilled(path, seed: seed)
        }
    }

    /// Returns how many entries were found.
    private static func verify(_ path: String) async throws -> Int {
        let test = CacheUnderTest(path)
        // A use of the cache that opens it for writing, as the next start does.
        await test.cache.store(try Version(key: "start", number: 1).entry, for: CacheKey("start"))
        await test.cache.settle()
        var found = 0
        for index in 0..<keyCount {
            guard let entry = await test.cache.entry(for: CacheKey("\(index)")) else { continue }
            found += 1
            #expect(Version.isWhole(entry, key: "\(index)"))
        }
        let place = try #require(test.place)
        let content = StoreContent(of: place)
        #expect(content.orphans == [])
        #expect(content.rowsWithoutFile == [])
        #expect(test.warnings.reasons == [])
        let names = Set(FileNames.inFolder(path))
        #expect(names == ["CACHEDIR.TAG", "lock", "v3", String(place.path.dropFirst(path.count + 1))])
        return found
    }
}

private let keyCount = 30

private func writeUntilKilled(_ path: String, seed: Int) async throws {
    let cache = DiskCache(folder: path, maximumByteCount: 500_000)
    // From the first call on the cache is in use; the moment is random, and so is what the writer is doing then.
    killThisProcess(after: .random(in: 0...0.05))
    for number in 1... {
        let key = "\(number % keyCount)"
        await cache.store(try Version(key: key, number: seed * 1_000_000 + number).entry, for: CacheKey(key))
        if number % 7 == 0 { await cache.remove(for: CacheKey("\(number * 3 % keyCount)")) }
        if number % 200 == 0 { await cache.removeAll() }
        if number % 5 == 0 { await cache.flush() }
    }
}

private func killThisProcess(after seconds: TimeInterval) {
    Thread.detachNewThread {
        let end = ProcessInfo.processInfo.systemUptime + seconds
        while ProcessInfo.processInfo.systemUptime < end {}
        kill(getpid(), SIGKILL)
    }
}
