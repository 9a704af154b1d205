public import BowerbirdCore
public import FoundationEssentials

/// The original bytes of pictures, kept from one run of the program to the next.
///
/// A cache may forget: none of these calls fails. What cannot be kept is not kept, and a damaged entry is a miss.
public protocol DataCache: Sendable {
    /// The entry, whole and as it was stored, or nil.
    func entry(for key: CacheKey) async -> CacheEntry?
    /// Returns once `entry(for:)` finds the entry; writing it down may still be under way.
    func store(_ entry: CacheEntry, for key: CacheKey) async
    /// After it returns, `entry(for:)` does not find the entry.
    func remove(for key: CacheKey) async
    /// After it returns, `entry(for:)` finds nothing.
    func removeAll() async
}

/// One file in a `DataCache`, with the facts that came with it.
public struct CacheEntry: Sendable {
    /// The bytes of the file.
    public var data: EncodedImage
    /// The address it came from.
    public var url: String
    /// The `Content-Type` of the answer.
    public var mediaType: String?
    /// Wall-clock time.
    public var storedAt: Date
    /// When HTTP calls it stale; nil where the answer did not say.
    public var expiresAt: Date?
    /// The `ETag` of the answer, with its quotes.
    public var entityTag: String?
    /// The `Last-Modified` of the answer, as it was sent.
    public var lastModified: String?

    /// Stored now, unless another time is given.
    public init(
        data: EncodedImage, url: String, mediaType: String? = nil, storedAt: Date = Date(), expiresAt: Date? = nil,
        entityTag: String? = nil, lastModified: String? = nil
    ) {
        self.data = data
        self.url = url
        self.mediaType = mediaType
        self.storedAt = storedAt
        self.expiresAt = expiresAt
        self.entityTag = entityTag
        self.lastModified = lastModified
    }
}
