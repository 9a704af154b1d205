public import BowerbirdCore

/// Decoded pictures, found without waiting. Any thread may call it; a call takes about a microsecond.
public protocol ImageCache: Sendable {
    /// The picture under `key`, which becomes the one used last.
    func image(for key: CacheKey) -> DecodedImage?
    /// Keeps `image`. `cost` is its memory in bytes.
    func store(_ image: DecodedImage, for key: CacheKey, cost: Int)
    /// Forgets the picture under `key`, where there is one.
    func remove(for key: CacheKey)
    /// Forgets every picture. Views that show one keep it.
    func removeAll()
}
