import BowerbirdCore
import Glibc
import Synchronization

/// The time of day, in microseconds since 1970, by which a disk cache notes when things were stored and used.
///
/// `next()` orders: it never gives a time twice and never goes back, also when the system's clock is set back, and also
/// behind what the database has from an earlier run. `now` is what the system says, and measures ages.
final class WallClock: Sendable {
    private let latest = Lock<Int64>(.min)
    private let system: @Sendable () -> Int64

    init(system: @escaping @Sendable () -> Int64 = { WallClock.systemTime }) {
        self.system = system
    }

    var now: Int64 { system() }

    /// The system's time, or where that has been given already, the one after the latest.
    func next() -> Int64 {
        let now = system()
        return latest.withLock { latest in
            latest = max(now, latest == .max ? latest : latest + 1)
            return latest
        }
    }

    /// From here on `next()` is later than `time`, which somebody has written down.
    func advance(past time: Int64) {
        latest.withLock { $0 = max($0, time) }
    }

    private static var systemTime: Int64 {
        var time = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000
    }
}
