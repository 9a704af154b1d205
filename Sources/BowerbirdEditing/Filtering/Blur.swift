public import BowerbirdCore
import BowerbirdRaster

/// Blurs a picture as a Gaussian does, and may then make its colours stronger and lay a tint over it: the frosted glass
/// behind a title.
///
/// What it costs does not depend on the radius. Pixels beyond the edge count as those at the edge, and transparent pixels
/// give no colour, so no edge darkens.
public struct Blur: ImageProcessor, Hashable {
    /// The standard deviation of the Gaussian, in pixels of the picture it is given; 0 does not blur. May be larger than
    /// the picture; more than 100000 counts as that.
    public var radius: Double
    /// How strong the colours of the blurred picture become: 0 is grey, 1 (the default) leaves them, more makes them
    /// stronger, up to 16; a larger one counts as that.
    public var saturation: Double
    /// Laid over the blurred picture, within its shape, by its alpha; nil (the default) lays nothing.
    public var tint: Color?

    /// Without effects by default.
    public init(radius: Double, saturation: Double = 1, tint: Color? = nil) {
        self.radius = radius
        self.saturation = saturation
        self.tint = tint
    }

    /// Radius 60, saturation 1.8, and 36 % of a light grey (214) over it.
    public static let soft = Blur(radius: 60, saturation: 1.8, tint: .gray(214, percent: 36))
    /// Radius 60, saturation 1.8, and 30 % of white over it.
    public static let light = Blur(radius: 60, saturation: 1.8, tint: .gray(255, percent: 30))
    /// Radius 40, saturation 1.8, and 82 % of nearly white (247) over it.
    public static let extraLight = Blur(radius: 40, saturation: 1.8, tint: .gray(247, percent: 82))
    /// Radius 40, saturation 1.8, and 73 % of nearly black (28) over it.
    public static let dark = Blur(radius: 40, saturation: 1.8, tint: .gray(28, percent: 73))
    /// Radius 20, and 60 % of a colour, whose own alpha does not count, over it.
    public static func tinted(_ color: Color) -> Blur { Blur(radius: 20, tint: color.withAlpha(153)) }

    public var cacheKey: String {
        "blur \(usedRadius.inCacheKey) saturation \(usedSaturation.inCacheKey) tint \(usedTint.hexadecimal)"
    }

    public func process(_ image: DecodedImage) throws(ProcessingError) -> DecodedImage {
        guard radius >= 0, radius.isFinite else {
            throw .invalidParameter("a blur cannot have a radius of \(radius) pixels")
        }
        guard saturation >= 0, saturation.isFinite else {
            throw .invalidParameter("a blur cannot have a saturation of \(saturation)")
        }
        let blurred = try radius == 0 ? image : image.blurred(by: usedRadius)
        return try hasEffects ? withEffects(blurred) : blurred
    }

    private var usedRadius: Double { min(radius, GaussianBlur.greatestDeviation) }
    private var usedSaturation: Double { min(saturation, 16) }
    private var usedTint: Color { tint.flatMap { $0.alpha > 0 ? $0 : nil } ?? .clear }
    private var hasEffects: Bool { saturation != 1 || usedTint != .clear }

    private func withEffects(_ image: DecodedImage) throws(ProcessingError) -> DecodedImage {
        try image.edited { pixels throws(ProcessingError) in
            try unsafe pixels.forEachBand { band in
                unsafe Effects.saturate(band, by: usedSaturation, tint: usedTint)
            }
        }
    }
}

extension DecodedImage {
    /// Blurred by a Gaussian of this standard deviation, in pixels.
    func blurred(by deviation: Double) throws(ProcessingError) -> DecodedImage {
        do {
            return with(try GaussianBlur(deviation: deviation).blurred(bitmap))
        } catch {
            throw ProcessingError(error)
        }
    }
}

extension Color {
    fileprivate static func gray(_ value: UInt8, percent: Int) -> Color {
        Color(red: value, green: value, blue: value, alpha: UInt8((percent * 255 + 50) / 100))
    }
}
