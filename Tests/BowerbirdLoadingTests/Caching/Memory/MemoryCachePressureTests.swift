import BowerbirdCore
import BowerbirdTestSupport
import FoundationEssentials
import Testing

@testable import BowerbirdLoading

@Suite struct MemoryCachePressureTests {
    private let clock = ManualClock()

    @Test(arguments: [(MemoryPressure.Level.normal, 100), (.warning, 50), (.critical, 10)])
    func pressureTrimsByStepsTheOldestFirst(level: MemoryPressure.Level, rest: Int) throws {
        let cache = MemoryCache(cost: 1000, clock)
        for number in 0..<100 { cache.store(try pixel(), for: CacheKey("\(number)")) }
        cache.respond(to: level)
        #expect(cache.count == rest)
        #expect(!cache.contains(CacheKey("\(99 - rest)")))
        #expect(cache.contains(CacheKey("\(100 - rest)")))
    }

    @Test func trimsToACostACountAndAFraction() throws {
        let cache = MemoryCache(cost: 10_000, clock)
        for number in 0..<1000 { cache.store(try pixel(), for: CacheKey("\(number)")) }
        cache.trim(toCost: 9995)
        #expect(cache.count == 999)
        cache.trim(toCount: 900)
        #expect(cache.count == 900)
        cache.trim(toFraction: 0.1)
        #expect(cache.count == 100)
        cache.trim(toFraction: .nan)
        #expect(cache.count == 0)
        cache.trim(toCost: -1)
        cache.trim(toCount: -1)
        #expect(cache.totalCost == 0)
    }

    @Test func aCacheThatIsUsedLooksAtPressureByItself() async throws {
        let machine = try Machine()
        let cache = MemoryCache(
            limits: .init(cost: 100 << 20), monitor: MemoryPressureMonitor(root: machine.root), clock: clock)
        try machine.set(stalled: 50)
        for number in 0..<20 { cache.store(try pixel(cost: 5 << 20), for: CacheKey("\(number)")) }
        // The first look may have come before most was there.
        clock.advance(by: .seconds(1))
        cache.store(try pixel(cost: 5 << 20), for: CacheKey("last"))
        #expect(await eventually { cache.totalCost <= 50 << 20 })
    }

    @Test func itLooksAtMostOnceASecondAndOnlyAfterMuchWasStored() {
        var looks = PressureLooks()
        func times(_ count: Int, cost: Int, at second: Int) -> Int {
            (0..<count).count { _ in
                looks.count(cost)
                return looks.isTime { .seconds(second) }
            }
        }
        #expect(times(1000, cost: 4000, at: 0) == 0)
        #expect(times(1000, cost: 4000, at: 0) == 1)
        #expect(times(1000, cost: 4 << 20, at: 0) == 0)
        #expect(times(1000, cost: 4 << 20, at: 1) == 1)
    }

    /// A folder with the files in which Linux says how scarce memory is.
    private struct Machine {
        private let folder: TemporaryDirectory
        var root: String { folder.path }

        init() throws {
            folder = try TemporaryDirectory()
            try FileManager.default.createDirectory(
                at: folder.url(of: "proc/pressure"), withIntermediateDirectories: true)
            try write("MemTotal: 1000000 kB\nMemAvailable: 900000 kB\n", to: "proc/meminfo")
        }

        func set(stalled: Int) throws {
            try write("some avg10=\(stalled).00 avg60=0.00\nfull avg10=0.00\n", to: "proc/pressure/memory")
        }

        private func write(_ text: String, to name: String) throws {
            _ = try folder.write(Array(text.utf8), to: name)
        }
    }
}
