import BowerbirdCore
import Synchronization

/// Which entries were read, and when: noted in memory and written to the disk with the next batch, because a write for
/// each read would cost more than the read.
final class AccessLog: Sendable {
    /// The row of the entry, and the time of its last use in microseconds since 1970.
    private let times = Lock<[Int64: Int64]>([:])

    /// Returns how many entries wait to be written down.
    func note(_ row: Int64, at time: Int64) -> Int {
        times.withLock { times in
            times[row] = time
            return times.count
        }
    }

    /// All there is; the log is empty then.
    func take() -> [Int64: Int64] {
        times.withLock { times in
            defer { times = [:] }
            return times
        }
    }
}
