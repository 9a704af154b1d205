#if JPEG
    public import BowerbirdCore
    import CJPEG

    /// Writes JPEG files with Huffman tables of their own, which makes them a few per cent smaller. Colour is kept at half
    /// the resolution (4:2:0), from quality 0.95 on at the full one. What is transparent shows the background.
    public struct JPEGEncoder: ImageEncoder {
        /// Whether files show the whole picture early, ever sharper; else from top to bottom. Such files take longer to
        /// read.
        public let isProgressive: Bool

        /// Writes from top to bottom by default.
        public init(isProgressive: Bool = false) { self.isProgressive = isProgressive }

        public var format: ImageFormat { .jpeg }

        private static let longestSide = 65500
        private static let fullChromaQuality = 0.95

        public func encode(_ bitmap: Bitmap, _ options: EncodingOptions) throws(EncodingError) -> EncodedImage {
            guard max(bitmap.size.width, bitmap.size.height) <= Self.longestSide else {
                throw .tooLarge(bitmap.size, format: .jpeg)
            }
            let quality = min(max(0, options.quality), 1)
            var rows = OpaqueRows(of: bitmap, over: options.background)
            let writer = try JPEGWriter()
            try writer.start(
                bitmap.size, beginsWithBlue: rows.beginsWithBlue, quality: Int((quality * 99).rounded()) + 1,
                keepsFullChroma: quality >= Self.fullChromaQuality, isProgressive: isProgressive)
            for row in 0..<bitmap.size.height { try writer.write(row, of: &rows) }
            return try writer.finish()
        }
    }

    /// The owner of one libjpeg encoder.
    private final class JPEGWriter {
        private let handle: UnsafeMutablePointer<BBJPEGWriter>

        init() throws(EncodingError) {
            guard let handle = bb_jpeg_writer_create() else { throw .outOfMemory }
            self.handle = handle
        }

        deinit { bb_jpeg_writer_destroy(handle) }

        func start(
            _ size: PixelSize, beginsWithBlue: Bool, quality: Int, keepsFullChroma: Bool, isProgressive: Bool
        ) throws(EncodingError) {
            let pixels = beginsWithBlue ? JCS_EXT_BGRX : JCS_EXT_RGBX
            let isStarted = bb_jpeg_writer_start(
                handle, UInt32(size.width), UInt32(size.height), pixels, Int32(quality), keepsFullChroma, isProgressive)
            guard isStarted else { throw error }
        }

        func write(_ row: Int, of rows: inout OpaqueRows) throws(EncodingError) {
            let isWritten = rows.withRow(row) { pixels in
                pixels.map { bb_jpeg_writer_write_row(handle, $0) } ?? false
            }
            guard isWritten else { throw error }
        }

        func finish() throws(EncodingError) -> EncodedImage {
            guard bb_jpeg_writer_finish(handle) else { throw error }
            let bytes = UnsafeBufferPointer(start: handle.pointee.bytes, count: handle.pointee.count)
            guard let file = EncodedImage(bytes) else { throw .outOfMemory }
            return file
        }

        private var error: EncodingError {
            if bb_jpeg_errors_lack_memory(&handle.pointee.errors) { return .outOfMemory }
            return .failed(String(cString: bb_jpeg_errors_message(&handle.pointee.errors)))
        }
    }
#endif
