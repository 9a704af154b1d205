import BowerbirdCore
import FoundationEssentials

/// What is written down of an entry besides its bytes: into its row, and behind the bytes of one that has a file.
struct EntryFacts: Sendable {
    var key: String
    /// What its key was made from.
    var source: String
    var url: String
    var mediaType: String?
    /// When the bytes came, as the entry says.
    var storedAt: Int64
    /// When they were given to the cache, by the cache's clock.
    var writtenAt: Int64
    var expiry: CacheExpiry?
    /// In order.
    var tags: [String]
    var userInfo: [UInt8]?
    /// Nil when it did not come by HTTP.
    var freshness: FreshnessRecord?
    var length: Int
    var checksum: Int64
}

extension EntryFacts {
    init(_ write: StagedWrites.Write, _ clock: WallClock) {
        let entry = write.entry
        self.init(
            key: write.key.text, source: write.key.source, url: entry.url, mediaType: entry.mediaType,
            storedAt: entry.storedAt.microseconds, writtenAt: clock.settled(write.time), expiry: entry.expiry,
            tags: entry.tags.sorted(), userInfo: entry.userInfo, freshness: entry.freshness.map(FreshnessRecord.init),
            length: entry.data.count, checksum: entry.data.checksum)
    }
}
