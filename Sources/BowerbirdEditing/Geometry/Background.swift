public import BowerbirdCore
import BowerbirdRaster

/// Puts a colour behind a picture, seen where the picture is transparent.
public struct Background: ImageProcessor, Hashable {
    /// An opaque one leaves nothing transparent; one without alpha changes nothing.
    public var color: Color

    public init(_ color: Color) { self.color = color }

    public var cacheKey: String { "background \(color.hexadecimal)" }

    public func process(_ image: DecodedImage) throws(ProcessingError) -> DecodedImage {
        guard color.alpha > 0, !image.bitmap.isOpaque else { return image }
        let pixel = color.premultipliedPixel
        return try image.edited { pixels throws(ProcessingError) in
            if color.alpha == 255 { pixels.isOpaque = true }
            let bytesPerRow = pixels.bytesPerRow
            try pixels.size.forEachBand { rows in
                unsafe pixels.withUnsafeMutableBytes { bytes in
                    // The rows are those of the picture, so that they lie in its memory.
                    let band = unsafe bytes[rows.lowerBound * bytesPerRow..<rows.upperBound * bytesPerRow]
                    unsafe Covering.lay(pixel, under: UnsafeMutableRawBufferPointer(rebasing: band))
                }
            }
        }
    }
}
