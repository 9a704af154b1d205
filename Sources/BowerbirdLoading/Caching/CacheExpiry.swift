/// When something in a cache has grown too old to be used.
public enum CacheExpiry: Hashable, Sendable {
    /// Never, by age alone; it may still have to make room.
    case never
    /// So long after it was stored.
    case sinceStored(Duration)
    /// So long after it was last used: each use begins the time anew.
    case sinceUsed(Duration)
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
