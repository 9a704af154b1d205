import BowerbirdCore
import Synchronization

extension DiskCache {
    /// How much a `DiskCache` keeps, and for how long.
    ///
    /// When a limit is passed, entries go: first those that are too old, then those that were used longest ago. Pinned
    /// entries have a limit of their own and never go by themselves.
    public struct Limits: Hashable, Sendable {
        /// What all entries that are not pinned may take of the volume, in bytes: whole blocks of it for files, pages of
        /// the database for what lies there. An entry that alone is larger is not kept; 0 keeps none. Nil, the default,
        /// stands for 2 % of the volume, at least 64 MB and at most 1 GB.
        public var byteCount: Int?
        /// How many entries that are not pinned. By default any number; 0 keeps none.
        public var count: Int
        /// When an entry grows too old that has no expiry of its own. It is then a miss. By default never.
        public var expiry: CacheExpiry
        /// What is to stay free on the volume, in bytes: when less is, entries go until it is, or until none is left but
        /// the pinned ones. By default 0: the cache cares for its own size alone.
        public var freeByteCount: Int
        /// What pinned entries may take of the volume, in bytes. What would pass it is not pinned. Lowering it unpins
        /// nothing. By default there is no limit: each was pinned on purpose.
        public var pinnedByteCount: Int
        /// How far entries go once `byteCount` or `count` is passed: down to this share of it, so that trimming is not
        /// done anew with every write. Within 0…1; by default 0.8.
        public var trimmedShare: Double

        /// By default 2 % of the volume, any number, and no expiry.
        public init(
            byteCount: Int? = nil, count: Int = .max, expiry: CacheExpiry = .never, freeByteCount: Int = 0,
            pinnedByteCount: Int = .max, trimmedShare: Double = 0.8
        ) {
            self.byteCount = byteCount
            self.count = count
            self.expiry = expiry
            self.freeByteCount = freeByteCount
            self.pinnedByteCount = pinnedByteCount
            self.trimmedShare = trimmedShare
        }

        /// The share of a limit that a trim leaves.
        func trimmed(_ limit: Int) -> Int {
            let share = trimmedShare.isNaN ? 0.8 : min(max(trimmedShare, 0), 1)
            return Int(exactly: (Double(limit) * share).rounded(.down)) ?? limit
        }
    }
}

/// Limits that may change while the cache is used.
final class CurrentLimits: Sendable {
    private let limits: InlinedLock<DiskCache.Limits>

    init(_ limits: DiskCache.Limits) { self.limits = InlinedLock(limits) }

    var value: DiskCache.Limits {
        get { limits.withLock { $0 } }
        set { limits.withLock { $0 = newValue } }
    }
}
