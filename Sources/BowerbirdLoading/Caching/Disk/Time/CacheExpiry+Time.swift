/// An expiry as the database has it: its time in microseconds, and whether each use begins it anew. What never ends is
/// the longest time there is.
extension CacheExpiry {
    init(lifetime: Int64, isSliding: Bool) {
        let duration = Duration.microseconds(lifetime)
        self = lifetime == .max ? .never : isSliding ? .sinceUsed(duration) : .sinceStored(duration)
    }

    var lifetime: Int64 {
        switch self {
        case .never: .max
        case .sinceStored(let duration), .sinceUsed(let duration): max(0, duration.microseconds)
        }
    }

    var isSliding: Bool { if case .sinceUsed = self { true } else { false } }

    /// When it ends, by the wall clock; nil for never.
    func end(from start: Int64) -> Int64? {
        guard lifetime != .max else { return nil }
        let (end, isBeyond) = start.addingReportingOverflow(lifetime)
        return isBeyond ? nil : end
    }

    func end(storedAt: Int64, usedAt: Int64) -> Int64? { end(from: isSliding ? usedAt : storedAt) }

    /// The time since counts in either direction: a clock that was set back must not make an entry young.
    func isOver(at now: Int64, end: Int64) -> Bool {
        now >= end || (end &- now) / 2 > lifetime
    }
}

extension Duration {
    /// The nearest there is for what 64 bits do not reach.
    fileprivate var microseconds: Int64 {
        let (seconds, attoseconds) = components
        let (whole, isBeyond) = seconds.multipliedReportingOverflow(by: 1_000_000)
        guard !isBeyond else { return seconds < 0 ? .min : .max }
        return whole.addingReportingOverflow(attoseconds / 1_000_000_000_000).partialValue
    }
}
