import BowerbirdCore
import BowerbirdTestSupport
import Foundation
import Testing

@testable import BowerbirdLoading

@Suite struct DiskCacheKillTests {
    /// A child writes small and large entries, over and over under the same keys, until it is killed at a random moment;
    /// all children use the same folder.
    @Test func afterTwentyKillsEveryEntryThatIsFoundIsWhole() async throws {
        let folder = try TemporaryDirectory()
        var found = 0
        for round in 0..<20 {
            await #expect(processExitsWith: .signal(SIGKILL)) { [path = folder.path as String, round = round as Int] in
                try await writeUntilKilled(path, round: round)
            }
            found += try await Self.verify(folder.path)
        }
        #expect(found > 100)
    }

    /// Returns how many entries were found.
    private static func verify(_ path: String) async throws -> Int {
        let test = CacheUnderTest(path)
        var found = 0
        for index in 0..<keyCount {
            guard let entry = await test.cache.entry(for: CacheKey("\(index)")) else { continue }
            found += 1
            #expect(Version.isWhole(entry, key: "\(index)"))
        }
        await test.cache.flush()
        #expect(test.warnings.reasons.isEmpty)
        return found
    }
}

private let keyCount = 30

private func writeUntilKilled(_ path: String, round: Int) async throws {
    let cache = DiskCache(folder: path, maximumByteCount: 500_000)
    for number in 1... {
        let key = "\(number % keyCount)"
        await cache.store(try Version(key: key, number: round * 1_000_000 + number).entry, for: CacheKey(key))
        if number % 5 == 0 { await cache.flush() }
        // From here on the cache is in use; the moment is random, and so is what the writer is doing then.
        if number == keyCount { killThisProcess(after: .random(in: 0...0.05)) }
    }
}

private func killThisProcess(after seconds: TimeInterval) {
    Thread.detachNewThread {
        let end = ProcessInfo.processInfo.systemUptime + seconds
        while ProcessInfo.processInfo.systemUptime < end {}
        kill(getpid(), SIGKILL)
    }
}
