import Glibc

/// A time since the machine was started, as exact as a tick of its clock (a few milliseconds): asking costs nothing.
struct CoarseTime: Sendable {
    private let time: timespec

    static var now: CoarseTime {
        var time = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC_COARSE, &time)
        return CoarseTime(time: time)
    }

    static func - (left: CoarseTime, right: CoarseTime) -> Duration {
        .seconds(left.time.tv_sec - right.time.tv_sec) + .nanoseconds(left.time.tv_nsec - right.time.tv_nsec)
    }
}
