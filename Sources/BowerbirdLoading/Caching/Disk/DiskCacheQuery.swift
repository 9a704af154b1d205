public import BowerbirdCore
public import FoundationEssentials

extension DiskCache {
    /// Which entries are meant: those for which everything holds that is set. Nothing set means all.
    public struct Query: Hashable, Sendable {
        /// The host of their address, exactly: `example.org` is not `www.example.org`. Upper and lower case are the same.
        public var host: String?
        /// What their address begins with.
        public var urlPrefix: String?
        /// What their key begins with.
        public var keyPrefix: String?
        /// A tag that they have.
        public var tag: String?
        /// The source of their key.
        public var source: String?
        /// They were stored earlier.
        public var storedBefore: Date?
        /// They were stored then or later.
        public var storedAfter: Date?
        /// They were used for the last time earlier.
        public var usedBefore: Date?
        /// They were used then or later.
        public var usedAfter: Date?
        /// Whether they are pinned. Nil means both kinds where entries are looked at, and those that are not pinned where
        /// entries are removed.
        public var isPinned: Bool?
        /// Whether they have grown too old.
        public var isExpired: Bool?

        /// All entries, until something is set.
        public init(
            host: String? = nil, urlPrefix: String? = nil, keyPrefix: String? = nil, tag: String? = nil,
            source: String? = nil, storedBefore: Date? = nil, storedAfter: Date? = nil, usedBefore: Date? = nil,
            usedAfter: Date? = nil, isPinned: Bool? = nil, isExpired: Bool? = nil
        ) {
            self.host = host
            self.urlPrefix = urlPrefix
            self.keyPrefix = keyPrefix
            self.tag = tag
            self.source = source
            self.storedBefore = storedBefore
            self.storedAfter = storedAfter
            self.usedBefore = usedBefore
            self.usedAfter = usedAfter
            self.isPinned = isPinned
            self.isExpired = isExpired
        }
    }

    /// In which order entries are listed.
    public enum Order: String, CaseIterable, Hashable, Sendable {
        case usedLastFirst, usedLongestAgoFirst, storedLastFirst, largestFirst
    }

    /// What is known of an entry, without its bytes.
    public struct CachedFile: Hashable, Sendable {
        public var key: CacheKey
        /// The address it came from.
        public var url: String
        public var mediaType: String?
        /// The bytes of the file.
        public var byteCount: Int
        /// What these take of the volume, in bytes.
        public var allocatedByteCount: Int
        public var storedAt: Date
        /// The last use that is written down.
        public var usedAt: Date
        /// When it grows too old; nil for never.
        public var expiresAt: Date?
        public var isPinned: Bool
        /// Whether its bytes lie in the database and not in a file of their own.
        public var isInline: Bool
        public var tags: Set<String>
    }
}
