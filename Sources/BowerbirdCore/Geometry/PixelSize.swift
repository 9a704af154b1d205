/// A size in whole pixels.
public struct PixelSize: Hashable, Sendable, CustomStringConvertible {
    /// In pixels; may be anything, see `isEmpty`.
    public var width: Int
    /// In pixels; may be anything, see `isEmpty`.
    public var height: Int

    /// Takes any numbers, as a forged header claims them.
    public init(width: Int, height: Int) {
        self.width = width
        self.height = height
    }

    /// The number of pixels, saturating rather than overflowing for sizes that only a forged header claims.
    public var pixelCount: Int {
        let (product, overflow) = width.multipliedReportingOverflow(by: height)
        return overflow ? .max : product
    }

    /// True when either side is less than one pixel.
    public var isEmpty: Bool { width < 1 || height < 1 }

    /// The same size lying on its side.
    public var transposed: PixelSize { PixelSize(width: height, height: width) }

    public var description: String { "\(width) × \(height)" }
}
