import BowerbirdCore
import FoundationEssentials

/// The time of day, which never goes backwards: each answer is later than the one before, even where somebody sets the
/// clock of the machine back. So the order of uses is their order in time.
final class WallClock: Sendable {
    private let source: @Sendable () -> Int64
    private let last = Lock<Int64>(.min)

    /// - Parameter source: Microseconds since 1970.
    init(source: @escaping @Sendable () -> Int64 = { Date().microseconds }) { self.source = source }

    /// Microseconds since 1970.
    func now() -> Int64 {
        let now = source()
        return last.withLock { last in
            last = max(now, last == .max ? last : last + 1)
            return last
        }
    }

    /// From now on every answer is later than `time`, which an earlier run of the program wrote down. One that makes no
    /// sense is not believed.
    func advance(to time: Int64) {
        guard time < .max / 2 else { return }
        last.withLock { $0 = max($0, time) }
    }
}
