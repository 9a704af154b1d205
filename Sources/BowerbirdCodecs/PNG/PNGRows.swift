#if PNG
    import BowerbirdCore
    import BowerbirdRaster

    /// The rows of a part of a picture with straight alpha, which is all that PNG knows.
    struct PNGRows {
        private let bitmap: Bitmap
        let rect: PixelRect
        private var scratch: [UInt8]

        init(of bitmap: Bitmap, in rect: PixelRect) {
            self.bitmap = bitmap
            self.rect = rect
            let isReady = bitmap.isOpaque || bitmap.format != .bgra8Premultiplied
            scratch = isReady ? [] : Array(repeating: 0, count: 4 * rect.size.width)
        }

        var isOpaque: Bool { bitmap.isOpaque }
        var bitDepth: Int { bitmap.format == .rgba16Straight ? 16 : 8 }
        /// Whether a pixel's first byte is blue; else it is red.
        var beginsWithBlue: Bool { bitmap.format == .bgra8Premultiplied && scratch.isEmpty }

        /// One row of the part; the pointer must not leave the closure.
        mutating func withRow<R>(_ row: Int, _ body: (UnsafeRawBufferPointer) -> R) -> R {
            let start = (rect.y + row) * bitmap.bytesPerRow + rect.x * bitmap.format.bytesPerPixel
            let count = rect.size.width * bitmap.format.bytesPerPixel
            return bitmap.withUnsafeBytes { bytes in
                let pixels = UnsafeRawBufferPointer(rebasing: bytes[start..<start + count])
                if scratch.isEmpty { return body(pixels) }
                return scratch.withUnsafeMutableBytes { result in
                    Premultiplying.unpremultiply(bgra: pixels, intoRGBA: result)
                    return body(UnsafeRawBufferPointer(result))
                }
            }
        }
    }
#endif
