public import BowerbirdCore
import BowerbirdRaster

/// Makes a picture look like an old photograph, in browns. The colours are those of the filter `sepia()` of CSS.
public struct Sepia: ImageProcessor, Hashable {
    /// From 0, the picture as it is, to 1, the default.
    public var intensity: Double

    /// An intensity outside 0…1 is refused when a picture is processed.
    public init(intensity: Double = 1) {
        self.intensity = intensity
    }

    public var cacheKey: String { "sepia \(intensity.inCacheKey)" }

    public func process(_ image: DecodedImage) throws(ProcessingError) -> DecodedImage {
        guard (0...1).contains(intensity) else {
            throw .invalidParameter("the intensity of sepia must lie between 0 and 1")
        }
        guard intensity > 0 else { return image }
        return try image.transformed(by: ColorTransform.identity.mixed(with: Self.brown, intensity))
    }

    private static let brown = ColorTransform([0.393, 0.769, 0.189, 0.349, 0.686, 0.168, 0.272, 0.534, 0.131])
}
