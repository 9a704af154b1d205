public import BowerbirdCore
import BowerbirdRaster

/// Takes the colour out of a picture.
///
/// Each pixel becomes the grey 0.2126 red + 0.7152 green + 0.0722 blue (Rec. 709) of its sRGB values, as the filter
/// functions of CSS have it. For less than all of it there is `ColorAdjust.saturation`.
public struct Grayscale: ImageProcessor, Hashable {
    /// It has no parameters.
    public init() {}

    public var cacheKey: String { "grayscale" }

    public func process(_ image: DecodedImage) throws(ProcessingError) -> DecodedImage {
        try image.transformed(by: .grayscale)
    }
}
