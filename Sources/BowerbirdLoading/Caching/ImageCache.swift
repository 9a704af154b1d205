public import BowerbirdCore
public import FoundationEssentials

/// Decoded pictures, found without waiting. Any thread may call it; a call takes about a microsecond.
public protocol ImageCache: Sendable {
    /// The picture under `key`, which becomes the one used last.
    func image(for key: CacheKey) -> CachedImage?
    /// Whether there is a picture under `key`. It does not become the one used last.
    func contains(_ key: CacheKey) -> Bool
    /// The keys of all pictures that were made of `source`, in no order; none where a cache cannot tell.
    func keys(ofSource source: String) -> [CacheKey]
    /// Keeps `image`.
    func store(_ image: CachedImage, for key: CacheKey)
    /// Forgets the picture under `key`, where there is one.
    func remove(for key: CacheKey)
    /// Forgets every picture that was made of `source`, in whichever size and edit: those whose key has it.
    func remove(source: String)
    /// Forgets every picture. Views that show one keep it.
    func removeAll()
}

extension ImageCache {
    /// By `image(for:)`, which counts as a use.
    public func contains(_ key: CacheKey) -> Bool { image(for: key) != nil }

    /// None: a cache that cannot list its keys says so.
    public func keys(ofSource source: String) -> [CacheKey] { [] }
}

/// A picture in an `ImageCache`.
public struct CachedImage: Sendable {
    /// The picture, ready to be shown.
    public var image: DecodedImage
    /// What HTTP says of the file that it was made of; nil where that did not come by HTTP. A pipeline judges by this and
    /// by `storedAt`; a cache only keeps them.
    public var freshness: Freshness?
    /// When the file came, by the wall clock; nil for one that never grows old.
    public var storedAt: Date?

    /// When it grows too old; nil leaves that to the cache. It is then a miss.
    public var expiry: CacheExpiry?

    /// What it takes of a cache's limit: its memory in bytes.
    public var cost: Int

    /// One that never grows stale, and costs its pixels, unless more is said.
    public init(
        _ image: DecodedImage, cost: Int? = nil, freshness: Freshness? = nil, storedAt: Date? = nil,
        expiry: CacheExpiry? = nil
    ) {
        self.image = image
        self.expiry = expiry
        self.freshness = freshness
        self.storedAt = storedAt
        self.cost = cost ?? image.bitmap.byteCount
    }
}
