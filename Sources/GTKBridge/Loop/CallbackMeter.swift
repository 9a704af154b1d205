internal import Glibc

/// How much of the main thread's processor time our callbacks use: not GTK's own drawing, and not time spent waiting.
///
/// Off until `start()`, when a callback costs one comparison; on, two clock reads. A callback inside another one
/// counts as part of it.
public enum CallbackMeter {
    /// What called us.
    public nonisolated enum Kind: String, Sendable {
        /// Work that was queued for the main actor, drained by the main loop.
        case mainQueue
        /// A GObject signal.
        case signal
        /// The frame clock.
        case tick
        /// A canvas was asked to draw.
        case snapshot
        /// A canvas was asked for its size, or given one.
        case layout
        /// A canvas entered or left a window or the screen.
        case lifecycle
    }

    /// One callback: what it was and how much processor time it took.
    public nonisolated struct Reading: Sendable, Equatable {
        /// What called us.
        public var kind: Kind
        /// Processor time of the main thread.
        public var duration: Duration
    }

    /// What was seen since `start()`.
    public nonisolated struct Report: Sendable, Equatable {
        /// The callback that took longest; nil before the first one.
        public internal(set) var longest: Reading?
        /// How many callbacks there were.
        public internal(set) var count = 0
    }

    /// What has been seen so far; nil while the meter is off.
    public private(set) static var report: Report?
    private static var isInsideCallback = false
    private static var isSkipping = false

    /// The callback that took longest since `start()`.
    public static var longest: Reading? { report?.longest }

    /// Starts from nothing, also when it was on already.
    public static func start() {
        report = Report()
    }

    /// Turns the meter off and returns what it saw.
    @discardableResult
    public static func stop() -> Report? {
        defer { report = nil }
        return report
    }

    /// Leaves the callback that is running out of the report: work that belongs to the looking, such as screenshots.
    public static func skipCurrent() {
        isSkipping = isInsideCallback
    }

    /// The one door from C into Swift: on the main actor, and measured.
    nonisolated static func enter<Result: Sendable>(_ kind: Kind, _ body: @MainActor () -> Result) -> Result {
        MainActor.assumeIsolated {
            guard report != nil, !isInsideCallback else { return body() }
            return measure(kind, body)
        }
    }

    private static func measure<Result>(_ kind: Kind, _ body: @MainActor () -> Result) -> Result {
        isInsideCallback = true
        let start = threadTime()
        defer {
            if !isSkipping { report?.add(Reading(kind: kind, duration: threadTime() - start)) }
            (isInsideCallback, isSkipping) = (false, false)
        }
        return body()
    }

    private static func threadTime() -> Duration {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
}

extension CallbackMeter.Report {
    nonisolated mutating func add(_ reading: CallbackMeter.Reading) {
        count += 1
        guard reading.duration > longest?.duration ?? .zero else { return }
        longest = reading
    }
}
