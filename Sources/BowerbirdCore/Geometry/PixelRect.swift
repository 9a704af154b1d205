/// A rectangle of whole pixels; its origin is the first pixel of the first row.
public struct PixelRect: Hashable, Sendable, CustomStringConvertible {
    /// The first column; may lie outside a picture, on either side.
    public var x: Int
    /// The first row; may lie outside a picture, on either side.
    public var y: Int
    public var size: PixelSize

    public init(x: Int, y: Int, size: PixelSize) {
        self.x = x
        self.y = y
        self.size = size
    }

    /// All of a picture of this size.
    public init(_ size: PixelSize) { self.init(x: 0, y: 0, size: size) }

    /// True when it has no pixel.
    public var isEmpty: Bool { size.isEmpty }

    /// The part that lies in `other` as well; empty where there is none. Never overflows, whatever a file claims.
    public func intersection(_ other: PixelRect) -> PixelRect {
        let columns = columns.clamped(to: other.columns)
        let rows = rows.clamped(to: other.rows)
        return PixelRect(
            x: columns.lowerBound, y: rows.lowerBound, size: PixelSize(width: columns.count, height: rows.count))
    }

    /// Whether all of `other` lies in it.
    public func contains(_ other: PixelRect) -> Bool { intersection(other) == other }

    /// From the first column to the one behind the last.
    public var columns: Range<Int> { Self.range(from: x, count: size.width) }
    /// From the first row to the one behind the last.
    public var rows: Range<Int> { Self.range(from: y, count: size.height) }

    private static func range(from start: Int, count: Int) -> Range<Int> {
        let (end, overflow) = start.addingReportingOverflow(max(0, count))
        return start..<(overflow ? .max : end)
    }

    public var description: String { "\(size) at \(x), \(y)" }
}
