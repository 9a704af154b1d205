import BowerbirdCore
import BowerbirdRaster

extension DecodedImage {
    /// The picture turned or mirrored, without a change to any pixel.
    func oriented(_ orientation: Orientation) throws(ProcessingError) -> DecodedImage {
        guard bitmap.format == .bgra8Premultiplied else { throw .unsupportedPixels(bitmap.format) }
        do { return with(try bitmap.oriented(orientation)) } catch { throw ProcessingError(error) }
    }
}
