import Glibc

typealias Milliseconds = Int

/// The time of the loop's timers. Reading it is no system call.
enum Monotonic {
    static var now: Milliseconds {
        var time = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return time.tv_sec * 1000 + time.tv_nsec / 1_000_000
    }
}

extension Duration {
    /// Whole milliseconds for a timer: at least 1, at most those of 24 days, more than which libcurl does not take.
    var milliseconds: Milliseconds {
        let longest = Duration.milliseconds(Int64(Int32.max))
        let (seconds, attoseconds) = min(max(.milliseconds(1), self), longest).components
        return Int(seconds) * 1000 + Int(attoseconds / 1_000_000_000_000_000)
    }
}
