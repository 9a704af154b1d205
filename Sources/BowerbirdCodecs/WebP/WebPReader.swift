#if WebP
    import BowerbirdCore
    import CWebP

    /// The owner of one incremental libwebp decoder and of the pixels that it writes. What has not come is transparent.
    final class WebPReader {
        private let handle: UnsafeMutablePointer<BBWebPReader>
        private var pixels: PixelBuffer?
        private let features: WebPFeatures
        private let size: PixelSize
        private var status = VP8_STATUS_SUSPENDED
        private var byteCount = 0
        private let bandByteCount: Int
        /// Rows whose alpha has been settled.
        private var settledRowCount = 0

        /// For a picture with these features that is wanted in `size`. libwebp gets `bandByteCount` bytes at once, with a
        /// look at `Task.isCancelled` before each; by default so many that they take some ten milliseconds.
        init(
            _ features: WebPFeatures, _ size: PixelSize, _ format: PixelFormat, bandByteCount: Int? = nil
        ) throws(DecodingError) {
            let mode = Self.mode(format, hasAlpha: features.hasAlpha)
            guard let width = Int32(exactly: size.width), let height = Int32(exactly: size.height),
                let pixels = PixelBuffer(size: size, format: format),
                let handle = bb_webp_reader_create(mode, width, height, size != features.size)
            else { throw .outOfMemory(size) }
            self.handle = handle
            self.pixels = consume pixels
            self.features = features
            self.size = size
            self.bandByteCount = bandByteCount ?? (features.isLossless ? 512 << 10 : 128 << 10)
        }

        deinit { bb_webp_reader_destroy(handle) }

        private static func mode(_ format: PixelFormat, hasAlpha: Bool) -> WEBP_CSP_MODE {
            guard format == .bgra8Premultiplied else { return MODE_RGBA }
            return hasAlpha ? MODE_bgrA : MODE_BGRA
        }

        /// Whether all of the picture has been read.
        var isComplete: Bool { status == VP8_STATUS_OK }

        /// Whether the bytes made no sense; what came before stays.
        var isDamaged: Bool { status != VP8_STATUS_OK && status != VP8_STATUS_SUSPENDED }

        /// How many rows have come.
        var rowCount: Int {
            isComplete ? size.height : min(size.height, max(0, Int(bb_webp_reader_row_count(handle))))
        }

        /// Goes on with all bytes so far, which must begin with the same ones each time.
        func read(_ bytes: RawSpan) throws(DecodingError) {
            while status == VP8_STATUS_SUSPENDED, byteCount < bytes.byteCount {
                try DecodingError.checkCancellation()
                byteCount = min(bytes.byteCount, byteCount + bandByteCount)
                try read(first: byteCount, of: bytes)
            }
        }

        private func read(first count: Int, of bytes: RawSpan) throws(DecodingError) {
            let (handle, bytesPerRow) = (handle, Int32(clamping: 4 * size.width))
            let status = bytes.withUnsafeBytes { bytes in
                pixels?.withUnsafeMutableBytes { pixels -> VP8StatusCode? in
                    guard let source = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self),
                        let rows = pixels.baseAddress?.assumingMemoryBound(to: UInt8.self)
                    else { return nil }
                    return bb_webp_reader_update(handle, source, count, rows, pixels.count, bytesPerRow)
                }
            }
            guard let status = status ?? nil, status != VP8_STATUS_OUT_OF_MEMORY else { throw .outOfMemory(size) }
            self.status = status
            settleAlpha()
        }

        /// A lossless file has an alpha for each pixel even where it says that it has none, and then they do not count.
        private func settleAlpha() {
            let end = rowCount
            guard features.isLossless, !features.hasAlpha, end > settledRowCount else { return }
            let width = size.width
            let start = settledRowCount
            pixels?.withUnsafeMutableBytes { pixels in
                guard let base = pixels.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return }
                bb_webp_make_opaque(base + 4 * start * width, (end - start) * width)
            }
            settledRowCount = end
        }

        /// The rows so far, as a picture of their own.
        func snapshot() throws(DecodingError) -> Bitmap {
            guard let copy = pixels?.snapshot(isOpaque: isComplete && !features.hasAlpha) else {
                throw .outOfMemory(size)
            }
            return copy
        }

        /// The picture, or what has come of it. Nothing can be read afterwards.
        func finish() throws(DecodingError) -> Bitmap {
            guard var pixels = pixels.take() else { throw .outOfMemory(size) }
            pixels.isOpaque = isComplete && !features.hasAlpha
            return pixels.freeze()
        }
    }
#endif
