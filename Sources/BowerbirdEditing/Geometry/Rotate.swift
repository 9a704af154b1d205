public import BowerbirdCore
import BowerbirdRaster
import Glibc

/// Turns a picture about its middle, clockwise.
///
/// Quarter turns move pixels and change none: four of them are the picture again. By other angles each pixel is mixed of
/// four, and the edges of the picture are smooth.
public struct Rotate: ImageProcessor, Hashable {
    /// Degrees, clockwise as one looks at it; any number, of which whole turns do not count.
    public var angle: Double
    /// Whether the result has room for all of the picture; `.grows` by default.
    public var canvas: Canvas
    /// What is seen where the turned picture does not reach, and through its smooth edge; transparent by default.
    public var background: Color

    /// Degrees clockwise; the rest as told at the properties. NaN and infinity are an `.invalidParameter`.
    public init(_ angle: Double, canvas: Canvas = .grows, background: Color = .clear) {
        self.angle = angle
        self.canvas = canvas
        self.background = background
    }

    /// The size of the result.
    public enum Canvas: String, Hashable, Sendable, CaseIterable {
        /// As large as the turned picture needs.
        case grows
        /// As large as the picture was; what juts out is cut off.
        case stays
    }

    public var cacheKey: String { "rotate \(angle.inCacheKey) \(canvas.rawValue) \(background.hexadecimal)" }

    public func process(_ image: DecodedImage) throws(ProcessingError) -> DecodedImage {
        guard angle.isFinite else { throw .invalidParameter("a picture cannot be turned by \(angle) degrees") }
        let turn = angle.remainder(dividingBy: 360)
        guard let orientation = Orientation(quarterTurn: turn) else { return try rotated(image, by: turn) }
        let turned = try image.oriented(orientation)
        return canvas == .grows ? turned : try turned.recanvased(to: image.size, background: background)
    }

    private func rotated(_ image: DecodedImage, by degrees: Double) throws(ProcessingError) -> DecodedImage {
        let rotation = Rotation(degrees: degrees)
        let size = canvas == .grows ? rotation.bounds(of: image.size) : image.size
        let isOpaque = image.bitmap.isOpaque && background.alpha == 255
        let background = background.premultipliedPixel
        return try image.redrawn(size, isOpaque: isOpaque) { source, pixels throws(ProcessingError) in
            try size.forEachBand { rows in
                for row in rows {
                    pixels.withRow(row) { bytes in
                        unsafe bytes.withUnsafeMutableBytes { result in
                            let line = rotation.line(row, of: size, in: source.size)
                            unsafe source.sample(along: line, background: background, into: result)
                        }
                    }
                }
            }
        }
    }
}

extension Orientation {
    /// How a picture is stored that looks turned by −180, −90, 0, 90 or 180 degrees; nil for any other angle.
    fileprivate init?(quarterTurn degrees: Double) {
        switch degrees {
        case 0: self = .topLeft
        case 90: self = .rightTop
        case 180, -180: self = .bottomRight
        case -90: self = .leftBottom
        default: return nil
        }
    }
}

/// A turn about the middles of two pictures.
private struct Rotation {
    let sine, cosine: Double

    init(degrees: Double) {
        let radians = degrees * .pi / 180
        (sine, cosine) = (sin(radians), cos(radians))
    }

    /// The smallest size that holds all of the turned picture. What is no more than rounding adds no pixel.
    func bounds(of size: PixelSize) -> PixelSize {
        let (width, height) = (Double(size.width), Double(size.height))
        return PixelSize(
            width: Self.side(width * abs(cosine) + height * abs(sine)),
            height: Self.side(width * abs(sine) + height * abs(cosine)))
    }

    private static func side(_ length: Double) -> Int { max(1, Int(exactly: (length - 1e-6).rounded(.up)) ?? .max) }

    /// Where a row of the turned picture lies in the picture: turned back, middle on middle.
    func line(_ row: Int, of result: PixelSize, in source: PixelSize) -> SamplingLine {
        let (x, y) = (0.5 - Double(result.width) / 2, Double(row) + 0.5 - Double(result.height) / 2)
        return SamplingLine(
            x: cosine * x + sine * y + Double(source.width) / 2, y: cosine * y - sine * x + Double(source.height) / 2,
            xStep: cosine, yStep: -sine)
    }
}
