import BowerbirdCore
import BowerbirdRaster

extension ProcessingError {
    init(_ error: RasterError) {
        switch error {
        case .outOfMemory(let size): self = .outOfMemory(size)
        case .unsupportedPixels(let format): self = .unsupportedPixels(format)
        case .cancelled: self = .cancelled
        }
    }
}

extension DecodedImage {
    /// The picture turned or mirrored, without a change to any pixel.
    func oriented(_ orientation: Orientation) throws(ProcessingError) -> DecodedImage {
        guard bitmap.format == .bgra8Premultiplied else { throw .unsupportedPixels(bitmap.format) }
        do { return with(try bitmap.oriented(orientation)) } catch { throw ProcessingError(error) }
    }
}
