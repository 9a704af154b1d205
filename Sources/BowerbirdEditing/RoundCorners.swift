public import BowerbirdCore

/// Rounds the corners of a picture, which become transparent, and may draw a border along its edge.
///
/// The corners are put into the pixels, so that every view and every file shows them; the edges are smooth.
public struct RoundCorners: ImageProcessor, Hashable {
    /// In pixels of the picture it is given. Half the shorter side, which makes a circle of a square, is the most; a
    /// larger radius counts as that.
    public var radius: Double
    /// Drawn inside the edge, over the picture; nil draws none.
    public var border: Border?

    /// Without a border by default.
    public init(radius: Double, border: Border? = nil) {
        self.radius = radius
        self.border = border
    }

    /// A line along the edge.
    public struct Border: Hashable, Sendable {
        /// In pixels, inwards from the edge.
        public var width: Double
        /// Its alpha counts: a border can let the picture shine through.
        public var color: Color

        /// A width of 0 draws nothing.
        public init(width: Double, color: Color) {
            self.width = width
            self.color = color
        }
    }

    public var cacheKey: String {
        let line = border.map { " border \($0.width) \($0.color.hexadecimal)" } ?? ""
        return "roundCorners \(radius)\(line)"
    }

    public func process(_ image: DecodedImage) throws(ProcessingError) -> DecodedImage {
        guard radius >= 0, radius.isFinite, (border?.width ?? 0) >= 0, (border?.width ?? 0).isFinite else {
            throw .invalidParameter("the radius and the border of rounded corners cannot be negative or endless")
        }
        return try image.edited { pixels in
            pixels.isOpaque = pixels.isOpaque && radius == 0
            RoundedShape(size: pixels.size, radius: radius, border: border).draw(on: &pixels)
        }
    }
}

/// A rectangle with rounded corners, as the distance of each point from its edge (negative inside).
private struct RoundedShape {
    let size: PixelSize
    let radius: Double
    let border: RoundCorners.Border?
    private let center: (x: Double, y: Double)

    init(size: PixelSize, radius: Double, border: RoundCorners.Border?) {
        self.size = size
        self.radius = min(radius, Double(min(size.width, size.height)) / 2)
        self.border = border
        center = (Double(size.width) / 2, Double(size.height) / 2)
    }

    /// Only pixels that the edge or the border may touch are looked at.
    func draw(on pixels: inout PixelBuffer) {
        let lineWidth = border.map { Int($0.width.rounded(.up)) + 1 } ?? 0
        let cornerWidth = max(Int(radius.rounded(.up)), lineWidth)
        for row in 0..<size.height {
            let edgeDistance = min(row, size.height - 1 - row)
            let width = edgeDistance < lineWidth ? size.width : edgeDistance < cornerWidth ? cornerWidth : lineWidth
            pixels.withRow(row) { bytes in draw(row: row, width: width, on: &bytes) }
        }
    }

    /// Draws the first and last `width` pixels of a row.
    private func draw(row: Int, width: Int, on bytes: inout MutableRawSpan) {
        guard width * 2 < size.width else { return draw(row: row, columns: 0..<size.width, on: &bytes) }
        draw(row: row, columns: 0..<width, on: &bytes)
        draw(row: row, columns: size.width - width..<size.width, on: &bytes)
    }

    private func draw(row: Int, columns: Range<Int>, on bytes: inout MutableRawSpan) {
        for column in columns {
            let distance = distance(x: Double(column) + 0.5, y: Double(row) + 0.5)
            let coverage = Self.coverage(distance)
            if let border, case let line = 1 - Self.coverage(distance + border.width), line > 0 {
                bytes.blend(border.color, amount: line, at: column * 4)
            }
            if coverage < 1 { bytes.fade(to: coverage, at: column * 4) }
        }
    }

    /// Signed distance from the edge of the rounded rectangle, in pixels.
    private func distance(x: Double, y: Double) -> Double {
        let dx = abs(x - center.x) - (center.x - radius)
        let dy = abs(y - center.y) - (center.y - radius)
        let (outerX, outerY) = (max(dx, 0), max(dy, 0))
        return (outerX * outerX + outerY * outerY).squareRoot() + min(max(dx, dy), 0) - radius
    }

    /// How much of a pixel at this distance lies inside.
    private static func coverage(_ distance: Double) -> Double { min(1, max(0, 0.5 - distance)) }
}

extension MutableRawSpan {
    /// Multiplies one premultiplied pixel by `coverage`, from 0 to 1.
    fileprivate mutating func fade(to coverage: Double, at offset: Int) {
        for index in offset..<offset + 4 {
            let value = Double(self[byte: index]) * coverage
            self[byte: index] = UInt8(value.rounded())
        }
    }

    /// Lays `color` over one premultiplied pixel; `amount`, from 0 to 1, is multiplied by the colour's own alpha.
    fileprivate mutating func blend(_ color: Color, amount: Double, at offset: Int) {
        let alpha = amount * Double(color.alpha) / 255
        let components = SIMD4(Double(color.blue), Double(color.green), Double(color.red), 255)
        for index in 0..<4 {
            let value = Double(self[byte: offset + index]) * (1 - alpha) + components[index] * alpha
            self[byte: offset + index] = UInt8(min(255, value.rounded()))
        }
    }
}
