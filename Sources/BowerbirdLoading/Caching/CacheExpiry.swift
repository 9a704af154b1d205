/// When something in a cache has grown too old to be used.
public enum CacheExpiry: Hashable, Sendable {
    /// Never, by age alone; it may still have to make room.
    case never
    /// So long after it was stored.
    case sinceStored(Duration)
    /// So long after it was last used: each use begins the time anew.
    case sinceUsed(Duration)
}
