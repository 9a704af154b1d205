public import BowerbirdCore
public import FoundationEssentials

/// Decoded pictures, found without waiting. Any thread may call it; a call takes about a microsecond.
public protocol ImageCache: Sendable {
    /// The picture under `key`, which becomes the one used last.
    func image(for key: CacheKey) -> CachedImage?
    /// Keeps `image`.
    func store(_ image: CachedImage, for key: CacheKey)
    /// Forgets the picture under `key`, where there is one.
    func remove(for key: CacheKey)
    /// Forgets every picture that was made of `source`, in whichever size and edit: those whose key has it.
    func remove(source: String)
    /// Forgets every picture. Views that show one keep it.
    func removeAll()
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

    /// What it takes of a cache's limit: its memory in bytes.
    public var cost: Int

    /// One that never grows stale, and costs its pixels, unless more is said.
    public init(
        _ image: DecodedImage, cost: Int? = nil, freshness: Freshness? = nil, storedAt: Date? = nil
    ) {
        self.image = image
        self.freshness = freshness
        self.storedAt = storedAt
        self.cost = cost ?? image.bitmap.byteCount
    }
}
