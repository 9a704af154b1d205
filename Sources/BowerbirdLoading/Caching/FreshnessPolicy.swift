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
        let confirmation = entry.freshness?.confirmation(for: requestHeaders) ?? .fetch
        switch self {
        case .keep: return isRefreshing ? confirmation : .use
        case .keepFor(let duration):
            return !isRefreshing && entry.isYounger(than: duration, at: date) ? .use : confirmation
        case .http:
            guard let freshness = entry.freshness else { return isRefreshing ? .fetch : .use }
            switch freshness.decision(for: requestHeaders, at: date) {
            case .use where freshness.directives.immutable: return .use
            case .use where isRefreshing, .useAndRevalidate where isRefreshing: return confirmation
            case let decision: return decision
            }
        }
    }
}

extension CacheEntry {
    /// The time since counts in either direction: a clock that was set back must not make an entry young.
    fileprivate func isYounger(than duration: Duration, at date: Date) -> Bool {
        abs(date.timeIntervalSince(freshness?.receivedAt ?? storedAt)) < duration / .seconds(1)
    }
}
