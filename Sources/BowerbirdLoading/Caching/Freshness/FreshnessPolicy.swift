import FoundationEssentials

/// For how long a picture of the data cache is used without asking the server.
public enum FreshnessPolicy: Hashable, Sendable {
    /// For ever: what is there is final. The default.
    case keep
    /// For this long since it came, or since the server confirmed it last.
    case keepFor(Duration)
    /// As the server said, by HTTP's rules. What did not come by HTTP is kept.
    case http

    /// What to do with `entry`. With `isRefreshing` the server is asked in any case, but for an answer that calls itself
    /// immutable and is fresh, where HTTP's rules count.
    func decision(
        for entry: CacheEntry, requestHeaders: [String: String], isRefreshing: Bool, at date: Date
    ) -> Freshness.Decision {
        decision(
            on: entry.freshness, storedAt: entry.storedAt, requestHeaders: requestHeaders, isRefreshing: isRefreshing,
            at: date)
    }

    /// The same for anything that was made of such an entry. Without a time of storing it never grows old.
    func decision(
        on freshness: Freshness?, storedAt: Date?, requestHeaders: [String: String], isRefreshing: Bool, at date: Date
    ) -> Freshness.Decision {
        let confirmation = freshness?.confirmation(for: requestHeaders) ?? .fetch
        switch self {
        case .keep: return isRefreshing ? confirmation : .use
        case .keepFor(let duration):
            let isYoung = Self.isYounger(freshness?.receivedAt ?? storedAt, than: duration, at: date)
            return !isRefreshing && isYoung ? .use : confirmation
        case .http:
            guard let freshness else { return isRefreshing ? .fetch : .use }
            switch freshness.decision(for: requestHeaders, at: date) {
            case .use where freshness.directives.immutable: return .use
            case .use where isRefreshing, .useAndRevalidate where isRefreshing: return confirmation
            case let decision: return decision
            }
        }
    }

    /// The time since counts in either direction: a clock that was set back must not make an entry young.
    private static func isYounger(_ start: Date?, than duration: Duration, at date: Date) -> Bool {
        start.map { abs(date.timeIntervalSince($0)) < duration / .seconds(1) } ?? true
    }
}
