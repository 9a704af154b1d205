import BowerbirdCore
import BowerbirdRaster

extension DecodedImage {
    /// Lays `color` on all of the picture, its alpha being the strength.
    func blended(with color: Color, _ mode: BlendMode) throws(ProcessingError) -> DecodedImage {
        guard mode.changes(opacity: color.alpha) else { return self }
        return try edited { pixels throws(ProcessingError) in
            let blending = Blending(mode, opacity: color.alpha)
            pixels.isOpaque = mode.isOpaque(source: color.alpha == 255, destination: pixels.isOpaque)
            try unsafe pixels.forEachBandOfBytes { _, bytes in unsafe blending.blend(color, on: bytes) }
        }
    }
}

extension BlendMode {
    /// Whether a source of this opacity leaves any trace.
    func changes(opacity: UInt8) -> Bool { self != .destination && !(opacity == 0 && ignoresTransparency) }
}

extension PixelBuffer {
    /// Calls `body` for bands of rows as `forEachBand` does, with their bytes, which must not leave it.
    mutating func forEachBandOfBytes(
        _ body: (_ rows: Range<Int>, _ bytes: UnsafeMutableRawBufferPointer) throws(ProcessingError) -> Void
    ) throws(ProcessingError) {
        let bytesPerRow = self.bytesPerRow
        try size.forEachBand { rows throws(ProcessingError) in
            try unsafe withUnsafeMutableBytes { bytes throws(ProcessingError) in
                let band = rows.lowerBound * bytesPerRow..<rows.upperBound * bytesPerRow
                try unsafe body(rows, UnsafeMutableRawBufferPointer(rebasing: bytes[band]))
            }
        }
    }
}
