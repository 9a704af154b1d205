import BowerbirdCore
import BowerbirdRaster

extension ColorTransform {
    /// What red, green and blue have of the luminance (Rec. 709), taken of the sRGB values as they are.
    static let luma = [0.2126, 0.7152, 0.0722]

    /// Every colour becomes the grey of its luma.
    static let grayscale = ColorTransform(luma + luma + luma)
}

extension DecodedImage {
    func transformed(
        by matrix: ColorTransform, after curve: [Float]? = nil
    ) throws(ProcessingError) -> DecodedImage {
        try unsafe editedInStrips { _, bytes in unsafe matrix.apply(to: bytes, after: curve) }
    }
}
