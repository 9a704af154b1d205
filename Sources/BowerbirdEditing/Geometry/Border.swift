public import BowerbirdCore

/// Draws a frame of straight lines along the edge of a picture. `RoundCorners` and `Circle` have borders that follow
/// their shape.
public struct Border: ImageProcessor, Hashable {
    /// In pixels; 0 changes nothing, less is an `.invalidParameter`.
    public var width: Int
    /// Its alpha counts: inside the edge the picture shines through.
    public var color: Color
    /// On which side of the edge it lies; `.inset` by default.
    public var placement: Placement

    /// Inside the edge by default.
    public init(width: Int, color: Color, placement: Placement = .inset) {
        self.width = width
        self.color = color
        self.placement = placement
    }

    /// Where a border lies.
    public enum Placement: String, Hashable, Sendable, CaseIterable {
        /// Inside the edge, over the picture, whose size stays. One wider than half the picture covers all of it.
        case inset
        /// Outside the edge: the picture grows by the width on all four sides.
        case outset
    }

    public var cacheKey: String { "border \(width) \(color.hexadecimal) \(placement.rawValue)" }

    public func process(_ image: DecodedImage) throws(ProcessingError) -> DecodedImage {
        guard width >= 0 else { throw .invalidParameter("a border cannot be \(width) pixels wide") }
        guard width > 0 else { return image }
        return placement == .inset ? try inset(in: image) : try outset(around: image)
    }

    private func inset(in image: DecodedImage) throws(ProcessingError) -> DecodedImage {
        guard color.alpha > 0 else { return image }
        let inner = image.size.inset(by: width)
        return try image.edited { pixels throws(ProcessingError) in try pixels.fill(around: inner, with: color) }
    }

    private func outset(around image: DecodedImage) throws(ProcessingError) -> DecodedImage {
        let canvas = image.size.outset(by: width)
        return try image.placed(PixelRect(image.size), atX: width, y: width, in: canvas, color)
    }
}

extension PixelSize {
    /// What is left within a border; in the middle and empty where nothing is.
    fileprivate func inset(by border: Int) -> PixelRect {
        let (x, y) = (min(border, width / 2), min(border, height / 2))
        let isCovered = border >= (min(width, height) + 1) / 2
        let inner = PixelSize(width: isCovered ? 0 : width - 2 * x, height: isCovered ? 0 : height - 2 * y)
        return PixelRect(x: x, y: y, size: inner)
    }

    /// Grown on all sides; a side that no integer can hold is the largest that one can.
    fileprivate func outset(by border: Int) -> PixelSize {
        func grown(_ side: Int) -> Int {
            let (both, isHuge) = border.multipliedReportingOverflow(by: 2)
            let (sum, overflow) = side.addingReportingOverflow(both)
            return isHuge || overflow ? .max : sum
        }
        return PixelSize(width: grown(width), height: grown(height))
    }
}
