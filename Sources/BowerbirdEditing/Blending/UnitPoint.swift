/// A point of a picture whatever its size: x runs from 0 at the left edge to 1 at the right one, y from 0 at the top to
/// 1 at the bottom. Points outside the picture are allowed.
public struct UnitPoint: Hashable, Sendable {
    /// In widths of the picture.
    public var x: Double
    /// In heights of the picture.
    public var y: Double

    /// Any two numbers.
    public init(x: Double, y: Double) {
        self.x = x
        self.y = y
    }

    /// The upper left corner.
    public static let topLeft = UnitPoint(x: 0, y: 0)
    /// The middle of the upper edge.
    public static let top = UnitPoint(x: 0.5, y: 0)
    /// The upper right corner.
    public static let topRight = UnitPoint(x: 1, y: 0)
    /// The middle of the left edge.
    public static let left = UnitPoint(x: 0, y: 0.5)
    /// The middle.
    public static let center = UnitPoint(x: 0.5, y: 0.5)
    /// The middle of the right edge.
    public static let right = UnitPoint(x: 1, y: 0.5)
    /// The lower left corner.
    public static let bottomLeft = UnitPoint(x: 0, y: 1)
    /// The middle of the lower edge.
    public static let bottom = UnitPoint(x: 0.5, y: 1)
    /// The lower right corner.
    public static let bottomRight = UnitPoint(x: 1, y: 1)

    var isFinite: Bool { x.isFinite && y.isFinite }
    var inCacheKey: String { "\(x.inCacheKey),\(y.inCacheKey)" }
}
