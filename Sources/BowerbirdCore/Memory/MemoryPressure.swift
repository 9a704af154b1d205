/// What Linux says of how scarce memory is, at one moment.
public struct MemoryPressure: Hashable, Sendable {
    /// How bad it is.
    public enum Level: Int, Hashable, Sendable, Comparable, CaseIterable {
        case normal
        /// What can be made again should be given up.
        case warning
        /// Processes are about to be killed.
        case critical

        public static func < (left: Level, right: Level) -> Bool { left.rawValue < right.rawValue }
    }

    /// In how much of the last ten seconds somebody waited for memory, in per cent; nil where the kernel does not say.
    public var someStalled: Double?
    /// In how much of them everybody did.
    public var allStalled: Double?
    /// What has happened to the control group of this process.
    public var events: Events
    /// How much there is.
    public var availability: MemoryAvailability

    /// How often something has happened, since the group was made.
    public struct Events: Hashable, Sendable {
        /// It passed its `memory.high` and was slowed down.
        public var high = 0
        /// It was about to pass its `memory.max`.
        public var max = 0
        /// It could not be given what it asked for.
        public var outOfMemory = 0
        /// A process of it was killed.
        public var killed = 0

        /// Nothing has happened.
        public init() {}
    }

    /// Memory that nobody waits for, unless more is said.
    public init(
        someStalled: Double? = nil, allStalled: Double? = nil, events: Events = Events(),
        availability: MemoryAvailability
    ) {
        self.someStalled = someStalled
        self.allStalled = allStalled
        self.events = events
        self.availability = availability
    }

    /// How bad that is. What happened to the group counts where `earlier` says what had happened before.
    ///
    /// A warning when a tenth of the time is lost, critical when a tenth of it is lost by everybody. Only a kernel that
    /// does not say so is judged by how much is free, under 5 % and under 2 %: that little, by itself, is no distress.
    public func level(after earlier: MemoryPressure? = nil) -> Level {
        max(stallLevel ?? freeLevel, earlier.map { events.level(after: $0.events) } ?? .normal)
    }

    private var stallLevel: Level? {
        guard let someStalled else { return nil }
        if let allStalled, allStalled >= 10 { return .critical }
        return someStalled >= 10 ? .warning : .normal
    }

    private var freeLevel: Level {
        if availability.free < availability.total / 50 { return .critical }
        return availability.free < availability.total / 20 ? .warning : .normal
    }
}

extension MemoryPressure.Events {
    fileprivate func level(after earlier: Self) -> MemoryPressure.Level {
        if outOfMemory > earlier.outOfMemory || killed > earlier.killed { return .critical }
        return high > earlier.high || max > earlier.max ? .warning : .normal
    }
}

// MARK: Reading

extension MemoryPressure {
    /// As it is now, of the machine and of the control group of this process, whichever is worse. Reads some files of the
    /// kernel, which takes about 150 microseconds.
    /// - Parameter root: The folder with `proc` and `sys`; another than `/` is for tests.
    public static func current(root: String = "/") -> MemoryPressure {
        let availability = MemoryAvailability.current(root: root)
        let root = root == "/" ? "" : root
        var pressure = MemoryPressure(availability: availability)
        pressure.add(stallsIn: KernelFile.text(root + "/proc/pressure/memory") ?? "")
        if let group = ControlGroup(root: root).own {
            pressure.add(stallsIn: KernelFile.text(group + "/memory.pressure") ?? "")
            pressure.events = Events(parsing: KernelFile.text(group + "/memory.events") ?? "")
        }
        return pressure
    }

    /// The worse of what is known and what a file of pressure stall information says:
    ///
    ///     some avg10=0.12 avg60=0.00 avg300=0.00 total=1234
    ///     full avg10=0.00 avg60=0.00 avg300=0.00 total=567
    mutating func add(stallsIn text: String) {
        for line in text.split(whereSeparator: \.isNewline) {
            guard let share = Self.share(in: line) else { continue }
            if line.hasPrefix("some ") { someStalled = max(someStalled ?? 0, share) }
            if line.hasPrefix("full ") { allStalled = max(allStalled ?? 0, share) }
        }
    }
}

extension MemoryPressure {
    /// That of the last ten seconds, in per cent.
    private static func share(in line: Substring) -> Double? {
        let words = line.split(separator: " ")
        guard words.count >= 2, words[1].hasPrefix("avg10="), let share = Double(words[1].dropFirst("avg10=".count))
        else { return nil }
        return (0...100).contains(share) ? share : nil
    }
}

extension MemoryPressure.Events {
    /// From the text of `memory.events`; what it does not say is 0.
    init(parsing text: String) {
        let counts = KernelFile.counts(in: text)
        high = counts["high"] ?? 0
        max = counts["max"] ?? 0
        outOfMemory = counts["oom"] ?? 0
        killed = counts["oom_kill"] ?? 0
    }
}
