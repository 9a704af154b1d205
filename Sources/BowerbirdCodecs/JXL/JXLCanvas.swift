#if JXL
    import BowerbirdCore
    import BowerbirdRaster
    import CJXL

    /// The memory that libjxl writes a picture into, and the way from there to the pixels that are wanted.
    ///
    /// The decoder keeps pointers into it: it lives as long as the decoder decodes.
    final class JXLCanvas {
        private var pixels: PixelBuffer?
        private let black: UnsafeMutableRawBufferPointer?
        private let format: PixelFormat
        private let size: PixelSize
        private let isOpaque: Bool

        /// Memory for the picture of `reader`, into which that writes from now on.
        init(_ reader: JXLReader, _ format: PixelFormat) throws(DecodingError) {
            size = reader.size
            self.format = format
            isOpaque = reader.info.alpha_bits == 0
            let blackByteCount = size.pixelCount * (format == .rgba16Straight ? 2 : 1)
            black = reader.hasBlack ? .allocate(byteCount: blackByteCount, alignment: 2) : nil
            pixels = PixelBuffer(size: size, format: format)
            let isSet = pixels?.withUnsafeMutableBytes { reader.setPixels($0, black, format) }
            guard let isSet else { throw .outOfMemory(size) }
            guard isSet else { throw .corrupt(JXLReader.damage) }
        }

        deinit { black?.deallocate() }

        /// The picture so far, a copy.
        func snapshot() throws(DecodingError) -> Bitmap {
            guard var copy = PixelBuffer(size: size, format: format) else { throw .outOfMemory(size) }
            copy.withUnsafeMutableBytes { copy in
                pixels?.withUnsafeMutableBytes { copy.copyMemory(from: UnsafeRawBufferPointer($0)) }
            }
            convert(&copy)
            return copy.freeze()
        }

        /// The picture. The decoder must not go on with it.
        func finish() throws(DecodingError) -> Bitmap {
            guard var buffer = pixels.take() else { throw .outOfMemory(size) }
            convert(&buffer)
            return buffer.freeze()
        }

        private func convert(_ buffer: inout PixelBuffer) {
            buffer.isOpaque = isOpaque
            let (black, format, count) = (black, format, size.pixelCount)
            buffer.withUnsafeMutableBytes { pixels in
                if let ink = black?.baseAddress, let base = pixels.baseAddress {
                    bb_jxl_apply_black(base, ink, count, format == .rgba16Straight)
                }
                if format == .bgra8Premultiplied { Premultiplying.premultiply(rgba: pixels) }
            }
        }
    }
#endif
