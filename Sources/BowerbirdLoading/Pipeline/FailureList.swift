public import BowerbirdCore
public import FoundationEssentials

/// Which failures a pipeline remembers, so that what cannot succeed is not asked for again and again.
///
/// Faults that lie with the request are never remembered: it was cancelled, it has limits of its own (bytes, pixels,
/// scans, memory), its edits failed, or its source is no server's.
public enum FailurePolicy: Hashable, Sendable {
    /// Each reason for its time. The default.
    ///
    /// - Bytes that are no picture or a damaged one: 1 hour.
    /// - Bytes that end too early, or none at all: 1 minute, because it may have been the connection.
    /// - The statuses 404 and 410: 10 minutes. Others from 400 to 499, and redirects in circles: 1 minute.
    /// - 401, 403 and 407 are not remembered: they speak of who asks, and a renewed signature or password has the same
    ///   key. Nor are 408, 425 and 429, statuses from 500 on, and everything about the way there: names, connections,
    ///   certificates, silence. Those pass by themselves; see `RetryPolicy`.
    case byReason
    /// Every failure until the same request succeeds or is removed, for as long as the program runs: what SDWebImage
    /// calls its list of failed URLs. As there, being offline (no name, no connection, a connection that broke, silence)
    /// is no failure of the URL; a status is one.
    case session
    /// None.
    case off
}

/// The requests that failed lately, and why. Any thread may use it; a call takes about a microsecond, but for those that
/// go through the whole list and say so.
///
/// Record a failure before anybody hears of it, so that asking again at once finds it here.
public final class FailureList: Sendable {
    /// As it was given.
    public let policy: FailurePolicy
    private let state: Lock<State>

    /// An empty list. When it has more than `maximumCount`, the oldest failures go.
    public init(policy: FailurePolicy = .byReason, maximumCount: Int = 10_000) {
        self.policy = policy
        state = Lock(State(maximumCount: maximumCount))
    }

    /// Why `key` failed, while that counts.
    public func failure(for key: CacheKey, at date: Date = Date()) -> ImageError? {
        state.withLock { $0.failure(for: key, at: date) }
    }

    /// Remembers the failure for as long as the policy says; one that it does not remember changes nothing.
    public func record(_ error: ImageError, for key: CacheKey, at date: Date = Date()) {
        guard let timeToLive = policy.timeToLive(of: error) else { return }
        state.withLock { $0.record(error, for: key, at: date, timeToLive: timeToLive) }
    }

    /// Forgets the failure of `key`: it has succeeded, or is to be tried again.
    public func remove(for key: CacheKey) { state.withLock { $0.remove(key) } }

    /// Forgets the failures of every key of the source. Goes through the whole list.
    public func remove(source: String) { state.withLock { $0.remove(source: source) } }

    /// Forgets everything: after the network came back, say.
    public func removeAll() { state.withLock { $0.removeAll() } }

    /// How many failures are remembered, those included whose time is over and for which nobody has asked since.
    public var count: Int { state.withLock { $0.count } }
}

extension FailureList {
    /// The list as a value.
    struct State {
        private struct Failure {
            let error: ImageError
            let date: Date
            let timeToLive: TimeInterval
            /// Failures are numbered in the order of their recording.
            let number: Int
        }

        private let maximumCount: Int
        private var failures: [CacheKey: Failure] = [:]
        private var lastNumber = 0

        init(maximumCount: Int) { self.maximumCount = max(0, maximumCount) }

        var count: Int { failures.count }

        /// The time since counts in either direction: a clock that was set back must not make a failure last.
        mutating func failure(for key: CacheKey, at date: Date) -> ImageError? {
            guard let failure = failures[key] else { return nil }
            if abs(date.timeIntervalSince(failure.date)) < failure.timeToLive { return failure.error }
            failures[key] = nil
            return nil
        }

        mutating func record(_ error: ImageError, for key: CacheKey, at date: Date, timeToLive: TimeInterval) {
            lastNumber += 1
            failures[key] = Failure(error: error, date: date, timeToLive: timeToLive, number: lastNumber)
            if failures.count > maximumCount { removeOldest() }
        }

        /// A tenth at a time, so that not every record of a long list looks for the oldest.
        private mutating func removeOldest() {
            let excess = failures.count - (maximumCount - maximumCount / 10)
            for key in failures.sorted(by: { $0.value.number < $1.value.number }).prefix(excess).map(\.key) {
                failures[key] = nil
            }
        }

        mutating func remove(_ key: CacheKey) { failures[key] = nil }

        mutating func remove(source: String) { failures = failures.filter { $0.key.source != source } }

        mutating func removeAll() { failures = [:] }
    }
}
