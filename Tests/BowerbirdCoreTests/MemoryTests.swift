import BowerbirdTestSupport
import FoundationEssentials
import Testing

@testable import BowerbirdCore

extension TemporaryDirectory {
    /// A file of the kernel.
    fileprivate func put(_ text: String, _ name: String) throws {
        let file = url(of: name)
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file)
    }
}

@Suite
struct `The memory that this process may use` {
    private let root: TemporaryDirectory

    init() throws {
        root = try TemporaryDirectory()
        try root.put("MemTotal:       1000 kB\nMemFree: 10 kB\nMemAvailable:  600 kB\n", "proc/meminfo")
    }

    private var current: MemoryAvailability { .current(root: root.path) }
    private let machine = MemoryAvailability(total: 1_024_000, free: 614_400)

    @Test func isThatOfTheMachineWithoutAGroup() throws {
        #expect(current == machine)
        try root.put("4:memory:/user\n", "proc/self/cgroup")
        #expect(current == machine)
        try root.put("", "proc/self/cgroup")
        #expect(current == machine)
        try root.put("0::/user/app\n", "proc/self/cgroup")
        #expect(current == machine)
    }

    @Test func isThatOfTheTightestGroupOnTheWay() throws {
        try root.put("900\n", "sys/fs/cgroup/memory.max")
        try root.put("500\n", "sys/fs/cgroup/user/memory.max")
        try root.put("max\n", "sys/fs/cgroup/user/app/memory.max")
        try root.put("4:memory:/else\n0::/user/app\n", "proc/self/cgroup")
        #expect(current.total == 500)
        try root.put("0::/\n", "proc/self/cgroup")
        #expect(current.total == 900)
        #expect(current.free == 900)
    }

    @Test func isWhatItsGroupHasNotUsedYet() throws {
        try root.put("0::/app\n", "proc/self/cgroup")
        try root.put("500000\n", "sys/fs/cgroup/app/memory.max")
        try root.put("300000\n", "sys/fs/cgroup/app/memory.current")
        #expect(current == MemoryAvailability(total: 500_000, free: 200_000))
        try root.put("anon 1\ninactive_file 50000\n", "sys/fs/cgroup/app/memory.stat")
        #expect(current.free == 250_000, "files that are only kept for later are free")
        try root.put("400000\n", "sys/fs/cgroup/app/memory.high")
        #expect(current == MemoryAvailability(total: 400_000, free: 150_000))
        try root.put("999999999\n", "sys/fs/cgroup/app/memory.current")
        #expect(current.free == 0)
        try root.put("inactive_file 9999999999\n", "sys/fs/cgroup/app/memory.stat")
        #expect(current.free == 400_000)
    }

    @Test func isNoMoreThanTheMachineHasFree() throws {
        try root.put("0::/app\n", "proc/self/cgroup")
        try root.put("900000\n", "sys/fs/cgroup/app/memory.max")
        #expect(current == MemoryAvailability(total: 900_000, free: 614_400))
    }

    @Test(arguments: [
        "", "-5", "MemTotal: -5 kB\nMemAvailable: x kB", "MemTotal:\n\n:", "MemTotal 99999999999999999999 kB", "\u{0}",
        "MemTotal: 9223372036854775807 kB\nMemAvailable: 9223372036854775807 kB",
    ])
    func isAskedOtherwiseWhereTheTextMakesNoSense(text: String) throws {
        for name in ["proc/meminfo", "proc/self/cgroup", "sys/fs/cgroup/memory.max"] { try root.put(text, name) }
        #expect(current.total > 64 << 20)
        #expect((0...current.total).contains(current.free))
    }

    @Test func isThatOfThisMachine() {
        #expect(MemoryAvailability.processLimit > 64 << 20)
        let now = MemoryAvailability.current()
        #expect(now.free > 0)
        #expect(now.free <= now.total)
    }

    @Test func isReadAsFarAs64Kilobytes() throws {
        try root.put(String(repeating: "x", count: 100_000), "long")
        #expect(KernelFile.text(root.path + "/long")?.count == 64 << 10)
        #expect(KernelFile.text(root.path) == nil, "a folder")
        #expect(KernelFile.text(root.path + "/none") == nil)
    }
}

@Suite
struct `Memory pressure` {
    private let plenty = MemoryAvailability(total: 1000, free: 500)

    private func pressure(some: Double? = 0, all: Double? = 0) -> MemoryPressure {
        MemoryPressure(someStalled: some, allStalled: all, availability: plenty)
    }

    @Test(
        arguments: [
            (0, 0, .normal), (9.99, 9.99, .normal), (10, 0, .warning), (100, 9.99, .warning), (12, 10, .critical),
            (10, nil, .warning), (nil, nil, .normal),
        ] as [(Double?, Double?, MemoryPressure.Level)])
    func isAsMuchAsTheTimeThatIsLost(some: Double?, all: Double?, level: MemoryPressure.Level) {
        #expect(pressure(some: some, all: all).level() == level)
    }

    @Test func isWhatIsFreeWhereTheKernelDoesNotSayMore() {
        let levels = [500, 50, 49, 20, 19, 0].map { free in
            MemoryPressure(availability: MemoryAvailability(total: 1000, free: free)).level()
        }
        #expect(levels == [.normal, .normal, .warning, .warning, .critical, .critical])
        let full = MemoryAvailability(total: 1000, free: 0)
        #expect(MemoryPressure(someStalled: 0, allStalled: 0, availability: full).level() == .normal)
    }

    @Test func isWhatHasHappenedSince() {
        let before = pressure()
        func level(_ change: (inout MemoryPressure.Events) -> Void) -> MemoryPressure.Level {
            var after = before
            change(&after.events)
            #expect(after.level() == .normal, "not known when")
            return after.level(after: before)
        }
        #expect(level { $0.high = 1 } == .warning)
        #expect(level { $0.max = 1 } == .warning)
        #expect(level { $0.outOfMemory = 1 } == .critical)
        #expect(level { $0.killed = 1 } == .critical)
        #expect(level { _ in } == .normal)
        #expect(level { $0.high = -1 } == .normal)
    }

    @Test func isReadFromTheTextOfTheKernel() {
        var read = MemoryPressure(availability: plenty)
        read.add(
            stallsIn: """
                some avg10=1.25 avg60=99.00 avg300=0.00 total=17
                full avg10=0.50 avg60=99.00 avg300=0.00 total=5

                """)
        #expect(read == pressure(some: 1.25, all: 0.5))
        read.add(stallsIn: "some avg10=7.00 avg60=0\nfull avg10=0.10 avg60=0")
        #expect(read == pressure(some: 7, all: 0.5), "the worse counts")
    }

    @Test(arguments: [
        "", "some", "some avg10=", "some avg10=nan", "some avg10=inf", "some avg10=-1", "some avg10=101",
        "avg10=5 some",
        "other avg10=5", "some avg60=5", "\u{0}\u{FFFD}", "some  avg10=x\nfull\n",
    ])
    func isNotReadFromGarbage(text: String) {
        var read = MemoryPressure(availability: plenty)
        read.add(stallsIn: text)
        #expect(read == MemoryPressure(availability: plenty))
    }

    @Test func countsWhatHappensToItsGroup() {
        let events = MemoryPressure.Events(parsing: "low 9\nhigh 1\nmax 2\noom 3\noom_kill 4\noom_group_kill 5\n")
        #expect([events.high, events.max, events.outOfMemory, events.killed] == [1, 2, 3, 4])
        for text in ["", "high", "high x", "high -4", "high 99999999999999999999", "\u{0}"] {
            #expect(MemoryPressure.Events(parsing: text) == .init())
        }
    }

    @Test(arguments: UInt64(0)..<200)
    func isReadFromAnyBytes(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let words = ["some", "full", "avg10=", "high", " ", "\n", ":", "5", "-", ".", "\u{FFFD}", "1e400", "oom"]
        let text = (0..<60).compactMap { _ in words.randomElement(using: &random) }.joined()
        var read = MemoryPressure(availability: plenty)
        read.add(stallsIn: text)
        read.events = MemoryPressure.Events(parsing: text)
        #expect(read.someStalled.map { (0...100).contains($0) } ?? true)
        #expect(read.events.high >= 0)
    }

    @Test func isTheWorseOfTheMachineAndTheGroup() throws {
        let root = try TemporaryDirectory()
        try root.put("some avg10=3.00\nfull avg10=2.00", "proc/pressure/memory")
        try root.put("0::/app", "proc/self/cgroup")
        try root.put("some avg10=4.00\nfull avg10=1.00", "sys/fs/cgroup/app/memory.pressure")
        try root.put("high 7", "sys/fs/cgroup/app/memory.events")
        let read = MemoryPressure.current(root: root.path)
        #expect(read.someStalled == 4)
        #expect(read.allStalled == 2)
        #expect(read.events.high == 7)
        #expect(MemoryPressure.current(root: root.path + "/none").someStalled == nil)
    }

    @Test func isNotSoHighHereThatNothingCouldBeTested() {
        #expect(MemoryPressure.current().availability.total == MemoryAvailability.processLimit)
    }
}

@Suite
struct `A monitor of memory pressure` {
    private func levels(_ stalls: [Double]) -> [MemoryPressure.Level] {
        var state = MemoryPressureMonitor.State()
        return stalls.map { stall in
            state.take(
                MemoryPressure(
                    someStalled: stall, allStalled: stall < 50 ? 0 : stall,
                    availability: MemoryAvailability(total: 1000, free: 500)))
        }
    }

    @Test func risesAtOnceAndFallsAfterThreeChecks() {
        #expect(levels([0, 10, 0, 0, 0, 0]) == [.normal, .warning, .warning, .warning, .normal, .normal])
        let falling = levels([50, 0, 0, 10, 0, 0, 0])
        #expect(falling == [.critical, .critical, .critical, .warning, .warning, .warning, .normal])
    }

    @Test func countsOnlyChecksInARow() {
        #expect(levels([10, 0, 0, 10, 0, 0]) == Array(repeating: .warning, count: 6))
    }

    @Test func comparesWithTheCheckBefore() throws {
        let root = try TemporaryDirectory()
        try root.put("some avg10=0.00\nfull avg10=0.00", "proc/pressure/memory")
        try root.put("0::/", "proc/self/cgroup")
        try root.put("oom_kill 4", "sys/fs/cgroup/memory.events")
        let monitor = MemoryPressureMonitor(root: root.path)
        #expect(monitor.level == .normal)
        #expect(monitor.check() == .normal, "what was before it does not count")
        try root.put("oom_kill 5", "sys/fs/cgroup/memory.events")
        #expect(monitor.check() == .critical)
        #expect(monitor.level == .critical)
        for _ in 0..<3 { _ = monitor.check() }
        #expect(monitor.level == .normal)
    }
}
