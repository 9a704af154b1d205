import BowerbirdCore
import BowerbirdRaster

extension DecodedImage {
    /// Lays `color` on all of the picture, its alpha being the strength.
    func blended(with color: Color, _ mode: BlendMode) throws(ProcessingError) -> DecodedImage {
        guard mode.changes(opacity: color.alpha) else { return self }
        let blending = Blending(mode, opacity: color.alpha)
        let isOpaque = mode.isOpaque(source: color.alpha == 255, destination: bitmap.isOpaque)
        return try unsafe editedInStrips(isOpaque: isOpaque) { _, bytes in unsafe blending.blend(color, on: bytes) }
    }
}

extension BlendMode {
    /// Whether a source of this opacity leaves any trace.
    func changes(opacity: UInt8) -> Bool { self != .destination && !(opacity == 0 && ignoresTransparency) }
}
