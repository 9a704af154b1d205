public import BowerbirdCore

/// Cuts a circle out of the middle of a picture, as large as fits. The result is a square; around the circle it is
/// transparent, with a smooth edge.
public struct Circle: ImageProcessor, Hashable {
    /// Drawn inside the edge, over the picture; nil, the default, draws none.
    public var border: RoundCorners.Border?
    /// What is seen around the circle; nil, the default, leaves that transparent.
    public var background: Color?

    /// Without a border and a background by default.
    public init(border: RoundCorners.Border? = nil, background: Color? = nil) {
        self.border = border
        self.background = background
    }

    public var cacheKey: String {
        let line = border.map { " \($0.cacheKey)" } ?? ""
        let behind = background.map { " background \($0.hexadecimal)" } ?? ""
        return "circle\(line)\(behind)"
    }

    public func process(_ image: DecodedImage) throws(ProcessingError) -> DecodedImage {
        let side = min(image.size.width, image.size.height)
        let square = PixelSize(width: side, height: side)
        let shape = RoundedShape(
            size: square, radius: Double(side) / 2, corners: .all, border: try border?.visible(),
            background: background)
        return try image.redrawn(square, isOpaque: image.bitmap.isOpaque) { source, pixels throws(ProcessingError) in
            try pixels.copy(Anchor.center.rect(square, in: source.size), of: source)
            try shape.draw(on: &pixels)
        }
    }
}
