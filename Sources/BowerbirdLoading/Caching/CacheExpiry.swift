import FoundationEssentials

/// When something in a cache has grown too old to be used.
public enum CacheExpiry: Hashable, Sendable {
    /// Never, by age alone; it may still have to make room.
    case never
    /// So long after it was stored.
    case sinceStored(Duration)
    /// So long after it was last used: each use begins the time anew.
    case sinceUsed(Duration)
}

extension CacheExpiry? {
    /// Whether what was stored then is too old by its age alone. When it was used last only its cache knows.
    ///
    /// The time since counts in either direction: a clock that was set back must not make anything young.
    func isOver(for storedAt: Date?, at now: @autoclosure () -> Date) -> Bool {
        guard case .sinceStored(let duration) = self, let storedAt else { return false }
        return abs(now().timeIntervalSince(storedAt)) >= duration / .seconds(1)
    }
}

extension CacheExpiry {
    /// Nil where it never is.
    var age: Duration? {
        switch self {
        case .never: nil
        case .sinceStored(let age), .sinceUsed(let age): age
        }
    }
}
