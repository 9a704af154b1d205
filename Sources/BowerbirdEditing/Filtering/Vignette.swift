public import BowerbirdCore
import BowerbirdRaster

/// Darkens a picture towards its corners, or gives them another colour. The shape is an ellipse as wide and high as the
/// picture is; what was transparent stays so.
public struct Vignette: ImageProcessor, Hashable {
    /// How much of the colour the outermost pixels have: from 0, which changes nothing, to 1; 0.5 by default. More than 1
    /// counts as 1.
    public var strength: Double
    /// Where it begins: 0 is the middle of the picture, 0.71 that of an edge, 1 the corners; 0.4 by default. More than 2
    /// counts as 2.
    public var radius: Double
    /// The way from where it begins to where it is strongest, in the unit of `radius`; 0.6 by default, with which it is
    /// strongest in the corners. 0 makes a hard edge; more than 100 counts as that.
    public var falloff: Double
    /// Black by default; its alpha is multiplied by the strength.
    public var color: Color

    /// Defaults as told at the properties.
    public init(strength: Double = 0.5, radius: Double = 0.4, falloff: Double = 0.6, color: Color = .black) {
        self.strength = strength
        self.radius = radius
        self.falloff = falloff
        self.color = color
    }

    public var cacheKey: String {
        "vignette \(used.strength.inCacheKey) radius \(used.radius.inCacheKey) falloff \(used.falloff.inCacheKey) "
            + color.hexadecimal
    }

    public func process(_ image: DecodedImage) throws(ProcessingError) -> DecodedImage {
        guard [strength, radius, falloff].allSatisfy({ $0 >= 0 && $0.isFinite }) else {
            throw .invalidParameter("the strength, radius and falloff of a vignette cannot be negative or endless")
        }
        guard strength > 0, color.alpha > 0 else { return image }
        return try image.edited { pixels throws(ProcessingError) in
            let shape = shape(height: pixels.size.height)
            try pixels.size.forEachBand { rows in
                for row in rows { draw(shape, row: row, on: &pixels) }
            }
        }
    }

    private var used: (strength: Double, radius: Double, falloff: Double) {
        (min(strength, 1), min(radius, 2), min(falloff, 100))
    }

    private func shape(height: Int) -> VignetteShape {
        let strength = used.strength * Double(color.alpha) / 255
        return VignetteShape(
            start: used.radius, falloff: used.falloff, strength: strength, color: color, height: height)
    }

    private func draw(_ shape: VignetteShape, row: Int, on pixels: inout PixelBuffer) {
        pixels.withRow(row) { bytes in
            unsafe bytes.withUnsafeMutableBytes { unsafe shape.draw(row: row, on: $0) }
        }
    }
}
