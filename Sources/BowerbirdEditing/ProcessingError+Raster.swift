import BowerbirdCore
import BowerbirdRaster

extension ProcessingError {
    /// What the raster layer says, as an error of editing.
    init(_ error: RasterError) {
        switch error {
        case .outOfMemory(let size): self = .outOfMemory(size)
        case .unsupportedPixels(let format): self = .unsupportedPixels(format)
        case .cancelled: self = .cancelled
        }
    }
}
