public import BowerbirdCore

/// Lays a colour over a picture.
public struct Tint: ImageProcessor, Hashable {
    /// The alpha of the colour is the strength: 0 changes nothing, 255 leaves a silhouette.
    public var color: Color
    /// How the colour meets the picture. The default, `.sourceAtop`, keeps its shape: what was transparent stays so, as
    /// with `.sourceIn`. With modes such as `.multiply` the colour shows where the picture is transparent.
    public var blendMode: BlendMode

    /// Give the colour an alpha: with the default mode an opaque one hides the picture.
    public init(_ color: Color, blendMode: BlendMode = .sourceAtop) {
        self.color = color
        self.blendMode = blendMode
    }

    public var cacheKey: String { "tint \(color.hexadecimal) \(blendMode.rawValue)" }

    public func process(_ image: DecodedImage) throws(ProcessingError) -> DecodedImage {
        try image.blended(with: color, blendMode)
    }
}
