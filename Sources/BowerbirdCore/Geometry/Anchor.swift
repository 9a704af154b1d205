/// Which point of two rectangles, one inside the other, comes to lie on the other's: nine to choose from.
public enum Anchor: String, Hashable, Sendable, CaseIterable {
    case topLeft
    /// In the middle of the upper edge.
    case top
    case topRight
    /// In the middle of the left edge.
    case left
    case center
    /// In the middle of the right edge.
    case right
    case bottomLeft
    /// In the middle of the lower edge.
    case bottom
    case bottomRight

    /// The rectangle of `size` that is anchored in `room`, whose own origin is (0, 0).
    ///
    /// Where it is centred and one pixel is over, that lies to the right or below. A size larger than the room juts out
    /// on the sides that the anchor is not on, so that the origin may be negative.
    public func rect(_ size: PixelSize, in room: PixelSize) -> PixelRect {
        PixelRect(
            x: column.start(of: size.width, in: room.width), y: row.start(of: size.height, in: room.height), size: size)
    }

    private enum Place {
        case first, middle, last

        /// Never overflows: a side is taken to be at least 0.
        func start(of length: Int, in room: Int) -> Int {
            let rest = max(0, room) - max(0, length)
            return switch self {
            case .first: 0
            case .middle: rest >> 1
            case .last: rest
            }
        }
    }

    private var column: Place {
        switch self {
        case .topLeft, .left, .bottomLeft: .first
        case .top, .center, .bottom: .middle
        case .topRight, .right, .bottomRight: .last
        }
    }

    private var row: Place {
        switch self {
        case .topLeft, .top, .topRight: .first
        case .left, .center, .right: .middle
        case .bottomLeft, .bottom, .bottomRight: .last
        }
    }
}
