import BowerbirdCore
import Synchronization

/// Which entries were read, and when, and which were found to be too old: noted in memory and written to the disk with
/// the next batch, because a write for each read would cost more than the read.
final class AccessLog: Sendable {
    struct Notes: Sendable {
        /// The row of the entry, and the time of its last use in microseconds since 1970.
        var times: [Int64: Int64] = [:]
        /// The rows to be removed, each with the checksum of the bytes that are too old.
        var expired: [Int64: Int64] = [:]

        var isEmpty: Bool { times.isEmpty && expired.isEmpty }
    }

    private let notes = InlinedLock(Notes())

    /// Returns how many entries wait to be written down.
    func note(_ row: Int64, at time: Int64) -> Int {
        notes.withLock { notes in
            notes.times[row] = time
            return notes.times.count
        }
    }

    func noteExpired(_ row: EntryRow) {
        notes.withLock { $0.expired[row.id] = row.checksum }
    }

    /// A use that is not written down yet.
    func lastUse(of row: Int64) -> Int64? { notes.withLock { $0.times[row] } }

    /// All there is; the log is empty then.
    func take() -> Notes {
        notes.withLock { notes in
            defer { notes = Notes() }
            return notes
        }
    }
}
