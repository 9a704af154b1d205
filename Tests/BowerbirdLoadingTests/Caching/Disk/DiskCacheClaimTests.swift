import BowerbirdCore
import BowerbirdTestSupport
import Foundation
import Testing

@testable import BowerbirdLoading

@Suite
struct `A claim to load something` {
    private let key = CacheKey("picture")

    @Test func isHadByOneAndGoesToTheNextWhenItIsLetGo() async throws {
        let folder = try TemporaryDirectory()
        let (mine, theirs) = (DiskCache(folder: folder.path), DiskCache(folder: folder.path))
        let clock = ManualClock()
        var claim = await mine.claim(key)
        #expect(try #require(claim).hasWaited == false)
        #expect(await theirs.claim(CacheKey("another"))?.hasWaited == false)
        let waiting = Task { await theirs.claim(key, timeout: .seconds(30), clock: clock)?.hasWaited }
        for pause in [5, 10, 20, 40, 80, 100, 100] {
            await clock.waitForSleepers(1)
            clock.advance(by: .milliseconds(pause - 1))
            #expect(clock.sleeperCount == 1)
            clock.advance(by: .milliseconds(1))
        }
        await clock.waitForSleepers(1)
        claim = nil
        clock.advance(by: .milliseconds(100))
        #expect(await waiting.value == true)
        withExtendedLifetime(claim) {}
    }

    @Test func isGivenUpAfterTheTimeout() async throws {
        let folder = try TemporaryDirectory()
        let cache = DiskCache(folder: folder.path)
        let clock = ManualClock()
        let claim = await cache.claim(key)
        let waiting = Task { await cache.claim(key, timeout: .milliseconds(4), clock: clock) == nil }
        await clock.waitForSleepers(1)
        clock.advance(by: .milliseconds(5))
        #expect(await waiting.value)
        withExtendedLifetime(claim) {}
    }

    @Test func isNotWaitedForByATaskThatIsCancelled() async throws {
        let folder = try TemporaryDirectory()
        let cache = DiskCache(folder: folder.path)
        let clock = ManualClock()
        let claim = await cache.claim(key)
        let waiting = Task { await cache.claim(key, timeout: .seconds(30), clock: clock) == nil }
        await clock.waitForSleepers(1)
        waiting.cancel()
        #expect(await waiting.value)
        withExtendedLifetime(claim) {}
    }

    @Test func isNotNeededWhereTheFolderCannotBeUsed() async {
        #expect(await DiskCache(folder: "/proc/bowerbird").claim(key) == nil)
    }

    @Test func isLetGoByAProcessThatIsKilled() async throws {
        let folder = try TemporaryDirectory()
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = folder.path as String] in
            let cache = DiskCache(folder: path)
            let claim = await cache.claim(CacheKey("picture"))
            guard claim != nil else { exit(1) }
            kill(getpid(), SIGKILL)
            withExtendedLifetime(claim) {}
        }
        #expect(await DiskCache(folder: folder.path).claim(key)?.hasWaited == false)
    }

    /// Three processes want the same ten pictures; each writes down what it loaded.
    @Test func makesThreeProcessesLoadEachPictureOnce() async throws {
        let folder = try TemporaryDirectory()
        await withTaskGroup { group in
            for child in 0..<3 {
                group.addTask {
                    await #expect(processExitsWith: .success) {
                        [path = folder.path as String, child = child as Int] in
                        try await loadAll(path + "/cache", log: "\(path)/loaded-\(child)")
                        exit(EXIT_SUCCESS)
                    }
                }
            }
        }
        let loaded = try (0..<3).flatMap { child in
            try String(contentsOfFile: "\(folder.path)/loaded-\(child)", encoding: .utf8).split(separator: " ")
        }
        #expect(loaded.sorted() == (0..<10).map { Substring("\($0)") })
    }
}

private func loadAll(_ path: String, log: String) async throws {
    let test = CacheUnderTest(path) { $0.identityAge = .zero }
    var loaded: [String] = []
    for number in 0..<10 where await test.cache.entry(for: CacheKey("\(number)")) == nil {
        let claim = await test.cache.claim(CacheKey("\(number)"))
        guard await test.cache.entry(for: CacheKey("\(number)")) == nil else { continue }
        loaded.append("\(number)")
        try await test.store("\(number)", count: 1000)
        withExtendedLifetime(claim) {}
    }
    try loaded.joined(separator: " ").write(toFile: log, atomically: true, encoding: .utf8)
}
