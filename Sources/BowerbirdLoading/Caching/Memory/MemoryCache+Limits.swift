import BowerbirdCore

extension MemoryCache {
    /// How much a `MemoryCache` keeps, and for how long. A limit of 0 keeps nothing.
    public struct Limits: Hashable, Sendable {
        /// The sum of all costs, in bytes. Never negative, and never so much that the sum with one more overflows.
        public var cost: Int { didSet { cost = Self.sensible(cost) } }
        /// How many pictures. Never negative.
        public var count: Int { didSet { count = max(0, count) } }
        /// When pictures grow too old that say nothing of it themselves (`CachedImage.expiry`).
        public var expiry: CacheExpiry
        /// How much of `cost` one picture may take, from 0 to 1: a larger one is not kept, for it would be in the place of
        /// many that are looked at more often. 1 keeps whatever fits.
        public var maximumEntryShare: Double { didSet { maximumEntryShare = Self.sensible(maximumEntryShare) } }

        /// By default 15 % of the memory that this process may use, at most 768 MB, a tenth of that for one picture, and
        /// any number of pictures for as long as there is room.
        public init(
            cost: Int = Self.defaultCost, count: Int = .max, expiry: CacheExpiry = .never,
            maximumEntryShare: Double = 0.1
        ) {
            self.cost = Self.sensible(cost)
            self.count = max(0, count)
            self.expiry = expiry
            self.maximumEntryShare = Self.sensible(maximumEntryShare)
        }

        private static func sensible(_ cost: Int) -> Int { min(max(0, cost), .max / 2) }

        private static func sensible(_ share: Double) -> Double { share.isNaN ? 0 : min(max(0, share), 1) }

        /// 768 MB holds 90 pictures that fill a 1920 × 1080 screen: more than anyone leafs back through, and still
        /// little on a machine that has it.
        public static let defaultCost = min(MemoryAvailability.processLimit / 100 * 15, 768 << 20)

        /// The most that one picture may cost; nil where none may be kept.
        var maximumEntryCost: Int? {
            guard cost > 0, count > 0 else { return nil }
            return maximumEntryShare == 1 ? cost : Int(Double(cost) * maximumEntryShare)
        }
    }
}
