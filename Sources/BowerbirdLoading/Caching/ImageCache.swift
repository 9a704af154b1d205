public import BowerbirdCore

/// Decoded pictures, found without waiting. Any thread may call it.
///
/// The calls are synchronous, and that is the form for both worlds: each takes about a microsecond, so that code that
/// may not wait (a view that draws its next frame) and asynchronous code both call it as it is. To await it would cost
/// more than the call.
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
