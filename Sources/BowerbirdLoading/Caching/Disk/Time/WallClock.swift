import BowerbirdCore
import Glibc
import Synchronization

/// The time of day, in microseconds since 1970, by which a disk cache notes when things were stored and used.
///
/// `next()` orders: it never gives a time twice and never goes back, also when the system's clock is set back, and also
/// behind what the database has from an earlier run. `now` is what the system says, and measures ages.
final class WallClock: Sendable {
    private struct State {
        var first: Int64?
        var latest = Int64.min
        /// Times up to this one were given before it was known what is written down.
        var earlyEnd = Int64.min
        /// What brings them behind it.
        var shift: Int64 = 0
    }

    private let state = InlinedLock(State())
    private let system: @Sendable () -> Int64

    init(system: @escaping @Sendable () -> Int64 = { WallClock.systemTime }) {
        self.system = system
    }

    var now: Int64 { system() }

    /// The system's time, or where that has been given already, the one after the latest.
    func next() -> Int64 {
        let now = system()
        return state.withLock { state in
            state.latest = max(now, state.latest.advanced(atMostBy: 1))
            state.first = state.first ?? state.latest
            return state.latest
        }
    }

    /// Somebody has written `time` down: from here on all is later, and `settled` brings behind it what was given before.
    func advance(past time: Int64) {
        state.withLock { state in
            if let first = state.first, time >= first {
                state.earlyEnd = state.latest
                state.shift = time.advanced(atMostBy: 1) &- first
                state.latest = state.latest.advanced(atMostBy: state.shift)
            }
            state.latest = max(state.latest, time)
        }
    }

    /// What is written down for a time that `next()` gave. The order stays.
    func settled(_ time: Int64) -> Int64 {
        state.withLock { time <= $0.earlyEnd ? time.advanced(atMostBy: $0.shift) : time }
    }

    private static var systemTime: Int64 {
        var time = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000
    }
}

extension Int64 {
    /// The end of time where that would be passed.
    fileprivate func advanced(atMostBy step: Int64) -> Int64 {
        let (sum, isBeyond) = addingReportingOverflow(step)
        return isBeyond ? .max : sum
    }
}
