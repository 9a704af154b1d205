public import BowerbirdCore

/// A processor of the caller's own, as a closure.
public struct Custom: ImageProcessor, Hashable {
    /// What the caller calls it. Two with the same key are taken to do the same, so every parameter belongs into it.
    public var key: String
    private let body: @Sendable (DecodedImage) throws(ProcessingError) -> DecodedImage

    /// Any thread may call `body`, several at once. It should look at `Task.isCancelled` where it works for long.
    public init(
        key: String, _ body: @escaping @Sendable (DecodedImage) throws(ProcessingError) -> DecodedImage
    ) {
        self.key = key
        self.body = body
    }

    public var cacheKey: String { "custom \(key)" }

    public func process(_ image: DecodedImage) throws(ProcessingError) -> DecodedImage { try body(image) }

    public static func == (one: Custom, other: Custom) -> Bool { one.key == other.key }
    public func hash(into hasher: inout Hasher) { hasher.combine(key) }
}
