/// How the stored rows of a picture must be turned to be looked at: the eight values of the EXIF tag `Orientation`
/// (0x0112), each named for where the stored first row and first column belong.
public enum Orientation: UInt8, Hashable, Sendable, CaseIterable {
    /// Stored as it is looked at.
    case topLeft = 1
    /// Mirrored, left to right.
    case topRight
    /// To be turned by 180°.
    case bottomRight
    /// Mirrored, top to bottom.
    case bottomLeft
    /// Rows and columns change places.
    case leftTop
    /// To be turned by 90° clockwise.
    case rightTop
    /// Rows and columns change places, and then it is turned by 180°.
    case rightBottom
    /// To be turned by 90° counterclockwise.
    case leftBottom

    /// True for the four that lay the picture on its side, so that width and height change places.
    public var isTransposing: Bool { rawValue >= Orientation.leftTop.rawValue }

    /// The size of the picture as it is looked at, from the size in which it is stored.
    public func displayedSize(of stored: PixelSize) -> PixelSize {
        isTransposing ? stored.transposed : stored
    }

    /// The size in which a picture is stored that is looked at in `displayed`.
    public func storedSize(of displayed: PixelSize) -> PixelSize {
        isTransposing ? displayed.transposed : displayed
    }
}
