#if JPEG
    public import BowerbirdCore
    import CJPEG

    /// Writes JPEG files with Huffman tables of their own, which makes them a few per cent smaller. Colour is kept at half
    /// the resolution (4:2:0), from quality 0.95 on at the full one, unless `EncodingOptions` say so. What is transparent
    /// shows the background.
    ///
    /// ICC profiles of red, green and blue are written into the file; pixels of other spaces become sRGB. EXIF data and XMP
    /// are written where they fit into a segment, 64 KB less a few bytes; other texts than comments follow their keyword.
    public struct JPEGEncoder: ImageEncoder {
        /// Whether files show the whole picture early, ever sharper; else from top to bottom, unless `EncodingOptions` say
        /// so. Such files take longer to read.
        public let isProgressive: Bool

        /// Writes from top to bottom by default.
        public init(isProgressive: Bool = false) { self.isProgressive = isProgressive }

        public var format: ImageFormat { .jpeg }

        private static let longestSide = 65500
        private static let fullChromaQuality = 0.95
        /// Rows between two looks at `Task.isCancelled`.
        private static let bandHeight = 64

        public func encode(_ bitmap: Bitmap, _ options: EncodingOptions) throws(EncodingError) -> EncodedImage {
            guard max(bitmap.size.width, bitmap.size.height) <= Self.longestSide else {
                throw .tooLarge(bitmap.size, format: .jpeg)
            }
            let picture = try options.inWritableColors(bitmap) { $0.colorSpace == .rgb }
            var rows = OpaqueRows(of: picture.bitmap, over: options.background)
            let writer = try JPEGWriter()
            try writer.start(settings(of: rows, picture.bitmap.size, options))
            for segment in JPEGMarker.all(of: options, picture.profile) { try writer.write(segment) }
            for row in 0..<bitmap.size.height {
                if row.isMultiple(of: Self.bandHeight), Task.isCancelled { throw .cancelled }
                try writer.write(row, of: &rows)
            }
            return try writer.finish()
        }

        private func settings(of rows: OpaqueRows, _ size: PixelSize, _ options: EncodingOptions) -> BBJPEGSettings {
            let quality = options.clampedQuality
            let density = options.metadata?.density
            return BBJPEGSettings(
                width: UInt32(size.width), height: UInt32(size.height),
                pixels: rows.beginsWithBlue ? JCS_EXT_BGRX : JCS_EXT_RGBX, quality: Int32((quality * 99).rounded()) + 1,
                keeps_full_chroma: options.keepsFullChroma ?? (quality >= Self.fullChromaQuality),
                is_progressive: isProgressive || options.isProgressive,
                horizontal_density: Self.dots(density?.horizontal), vertical_density: Self.dots(density?.vertical))
        }

        /// 0 for a density that the file cannot say.
        private static func dots(_ density: Double?) -> UInt16 {
            guard let density, density >= 0.5, density < 65535.5 else { return 0 }
            return UInt16(density.rounded())
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

        func start(_ settings: BBJPEGSettings) throws(EncodingError) {
            guard bb_jpeg_writer_start(handle, settings) else { throw error }
        }

        /// Between the start and the first row.
        func write(_ marker: JPEGMarker) throws(EncodingError) {
            let isWritten = marker.bytes.withUnsafeBufferPointer { bytes in
                bytes.baseAddress.map {
                    bb_jpeg_writer_write_marker(handle, Int32(marker.number), $0, UInt32(bytes.count))
                } ?? true
            }
            guard isWritten else { throw error }
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
