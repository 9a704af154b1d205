/// Watches how scarce memory is, for somebody who has a clock: `check()` about once a second. It has no thread.
///
///     let level = monitor.check()
///     buffers.forEach { $0.respond(to: level) }
public final class MemoryPressureMonitor: Sendable {
    private let root: String
    private let state = Lock(State())

    /// - Parameter root: The folder with `proc` and `sys`; another than `/` is for tests.
    public init(root: String = "/") { self.root = root }

    /// What the last check came to; `.normal` before the first.
    public var level: MemoryPressure.Level { state.withLock { $0.level } }

    /// Reads anew. Any thread may call it; it takes about 150 microseconds.
    public func check() -> MemoryPressure.Level {
        let pressure = MemoryPressure.current(root: root)
        return state.withLock { $0.take(pressure) }
    }

    /// A level rises at once. It falls when three checks in a row said less, to the worst of them: memory that has just
    /// been given up must not be taken again at once.
    struct State: Sendable {
        private(set) var level = MemoryPressure.Level.normal
        private var last: MemoryPressure?
        private var lower: [MemoryPressure.Level] = []

        mutating func take(_ pressure: MemoryPressure) -> MemoryPressure.Level {
            let now = pressure.level(after: last)
            last = pressure
            lower = now < level ? lower + [now] : []
            if lower.count == 3, let worst = lower.max() {
                level = worst
                lower = []
            }
            level = max(level, now)
            return level
        }
    }
}
