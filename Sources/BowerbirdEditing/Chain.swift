public import BowerbirdCore

/// Several processors, one after the other, as one.
public struct Chain: ImageProcessor, Hashable {
    /// In the order in which they work. None of them is a chain: the processors of chains take their place.
    public let processors: [any ImageProcessor]

    /// Without processors it changes nothing.
    public init(_ processors: [any ImageProcessor]) {
        self.processors = processors.flatMap(\.steps)
    }

    public var steps: [any ImageProcessor] { processors }

    /// All shorter chains that this one begins with, from its first processor alone to all but the last: what it may
    /// have in common with others.
    public var prefixes: [Chain] {
        processors.indices.dropFirst().map { Chain(Array(processors[..<$0])) }
    }

    /// The length of each key stands before it, so that no two chains have the same.
    public var cacheKey: String {
        let keys = processors.map(\.cacheKey)
        return "chain" + keys.map { " \($0.utf8.count):\($0)" }.joined()
    }

    /// Ends with the error of the first processor that fails, and with `.cancelled` between two of them.
    public func process(_ image: DecodedImage) throws(ProcessingError) -> DecodedImage {
        var image = image
        for processor in processors {
            guard !Task.isCancelled else { throw .cancelled }
            image = try processor.process(image)
        }
        return image
    }

    public static func == (one: Chain, other: Chain) -> Bool { one.cacheKey == other.cacheKey }
    public func hash(into hasher: inout Hasher) { hasher.combine(cacheKey) }
}
