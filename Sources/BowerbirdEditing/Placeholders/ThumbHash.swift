public import BowerbirdCore

/// A picture in about 25 bytes, which shows its colours, its shape and its transparency, very blurred, until it is there:
/// https://evanw.github.io/thumbhash.
public struct ThumbHash: Hashable, Sendable {
    /// As servers send them, usually in Base64.
    public let bytes: [UInt8]
    private let layout: ThumbHashLayout

    /// Of bytes that may come from anywhere. Throws when they are none.
    public init(_ bytes: [UInt8]) throws(PlaceholderError) {
        layout = try ThumbHashLayout(bytes)
        self.bytes = bytes
    }

    /// Of a picture. One of more than 100 pixels a side is reduced first.
    ///
    /// Throws `.unsupportedPixels` unless the pixels are canonical.
    public init(_ bitmap: Bitmap) throws(ProcessingError) {
        let bytes = try ThumbHashEncoder(bitmap).bytes
        do throws(PlaceholderError) {
            try self.init(bytes)
        } catch {
            throw .invalidParameter("the picture has no ThumbHash: \(error)")
        }
    }

    /// Whether some of the picture is transparent.
    public var hasAlpha: Bool { layout.hasAlpha }

    /// Width ÷ height, roughly: one of about a dozen steps from 1 ÷ 7 to 7.
    public var aspectRatio: Double { Double(layout.columns) / Double(layout.rows) }

    /// The mean of the picture. Costs nothing.
    public var averageColor: Color {
        Color(straight: SIMD4<Double>(ThumbHashColor.rgba(layout.mean)))
    }

    /// About the shape of the picture, its longer side being 32 pixels by default.
    public func size(longestSide: Int = 32) -> PixelSize {
        let side = Double(max(1, longestSide))
        let shorter = max(1, Int((side * min(aspectRatio, 1 / aspectRatio)).rounded()))
        let longer = max(1, longestSide)
        return aspectRatio > 1
            ? PixelSize(width: longer, height: shorter) : PixelSize(width: shorter, height: longer)
    }

    /// Draws it: 32 × 32 pixels are enough to enlarge. In the shape of `size()`
    /// unless another size is given. Throws `.invalidParameter` for an empty one.
    public func bitmap(_ size: PixelSize? = nil) throws(ProcessingError) -> Bitmap {
        try layout.surface(bytes).draw(size ?? self.size(), isOpaque: !hasAlpha) { value in
            let color = ThumbHashColor.rgba(value).clamped(lowerBound: SIMD4(), upperBound: SIMD4(repeating: 1))
            let alpha = hasAlpha ? color.w : 1
            let bytes = (SIMD4(color.z * alpha, color.y * alpha, color.x * alpha, alpha) * 255).rounded(
                .toNearestOrAwayFromZero)
            return SIMD4(UInt8(bytes.x), UInt8(bytes.y), UInt8(bytes.z), UInt8(bytes.w))
        }
    }
}

/// Between red, green and blue and the components of a ThumbHash: lightness, yellow against blue, and red against green.
/// Alpha is the fourth of both.
enum ThumbHashColor {
    static func rgba(_ value: SIMD4<Float>) -> SIMD4<Float> {
        let blue = value.x - value.y * 2 / 3
        let red = (3 * value.x - blue + value.z) / 2
        return SIMD4(red, red - value.z, blue, value.w)
    }

    static func components(_ rgba: SIMD4<Double>) -> SIMD4<Double> {
        SIMD4((rgba.x + rgba.y + rgba.z) / 3, (rgba.x + rgba.y) / 2 - rgba.z, rgba.x - rgba.y, rgba.w)
    }
}
