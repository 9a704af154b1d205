public import BowerbirdCore

/// Mirrors a picture. Flipped twice the same way it is what it was, to the bit.
public struct Flip: ImageProcessor, Hashable {
    /// What becomes of the sides.
    public var direction: Direction

    public init(_ direction: Direction) { self.direction = direction }

    /// The ways to mirror a picture.
    public enum Direction: String, Hashable, Sendable, CaseIterable {
        /// Left becomes right.
        case horizontal
        /// The top becomes the bottom.
        case vertical
        /// Both, which is half a turn.
        case both
    }

    public var cacheKey: String { "flip \(direction.rawValue)" }

    public func process(_ image: DecodedImage) throws(ProcessingError) -> DecodedImage {
        try image.oriented(direction.orientation)
    }
}

extension Flip.Direction {
    fileprivate var orientation: Orientation {
        switch self {
        case .horizontal: .topRight
        case .vertical: .bottomLeft
        case .both: .bottomRight
        }
    }
}
