public import BowerbirdCore
public import FoundationEssentials

/// A picture in an `ImageCache`. One reference: handing it on costs no more than a number; a change makes another.
public struct CachedImage: Sendable {
    private var contents: Contents

    /// One that never grows stale, and costs its memory, unless more is said.
    public init(
        _ image: DecodedImage, cost: Int? = nil, freshness: Freshness? = nil, storedAt: Date? = nil,
        expiry: CacheExpiry? = nil
    ) {
        contents = Contents(
            Values(
                cost: cost ?? image.byteCount, expiry: expiry, image: image, storedAt: storedAt, freshness: freshness))
    }

    /// The picture, ready to be shown.
    public var image: DecodedImage {
        get { contents.values.image }
        set { change(\.image, to: newValue) }
    }
    /// What HTTP says of the file that it was made of; nil where that did not come by HTTP. A pipeline judges by this and
    /// by `storedAt`; a cache only keeps them.
    public var freshness: Freshness? {
        get { contents.values.freshness }
        set { change(\.freshness, to: newValue) }
    }
    /// When the file came, by the wall clock; nil for one that never grows old.
    public var storedAt: Date? {
        get { contents.values.storedAt }
        set { change(\.storedAt, to: newValue) }
    }
    /// When it grows too old; nil leaves that to the cache. It is then a miss.
    public var expiry: CacheExpiry? {
        get { contents.values.expiry }
        set { change(\.expiry, to: newValue) }
    }
    /// What it takes of a cache's limit: its memory in bytes, with what the frames of an animation keep.
    public var cost: Int {
        get { contents.values.cost }
        set { change(\.cost, to: newValue) }
    }

    /// What a cache looks at comes first, in the line of memory that a retain touches anyway.
    private struct Values: Sendable {
        var cost: Int
        var expiry: CacheExpiry?
        var image: DecodedImage
        var storedAt: Date?
        var freshness: Freshness?
    }

    private final class Contents: Sendable {
        let values: Values

        init(_ values: Values) { self.values = values }
    }

    private mutating func change<Value>(_ value: WritableKeyPath<Values, Value>, to new: Value) {
        var values = contents.values
        values[keyPath: value] = new
        contents = Contents(values)
    }
}

extension CachedImage {
    /// Whether somebody but the owner of this value has the picture or its pixels. In doubt it says so.
    mutating func isHeldElsewhere() -> Bool {
        guard isKnownUniquelyReferenced(&contents) else { return true }
        // Two statements: a copy of the picture, made to come by its pixels, must be gone when they are asked.
        var pixels = UncountedPixels(contents.values.image.bitmap)
        return withExtendedLifetime(contents) { pixels.areShared() }
    }
}
