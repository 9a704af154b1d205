#if TIFF
    public import BowerbirdCore
    import CTIFF

    /// Writes TIFF files from all pixel formats, with 16 bits where the picture has them and without alpha where it is
    /// opaque. Straight pixels come back as they were. The profile, the orientation, the density and XMP are written.
    public struct TIFFEncoder: ImageEncoder {
        /// How the pixels are made smaller; nothing is lost either way.
        public enum Compression: Hashable, Sendable {
            /// The smallest files, which nearly all programs read. The default.
            case deflate
            /// Larger, for old programs.
            case lzw
        }

        public let compression: Compression

        public init(compression: Compression = .deflate) { self.compression = compression }

        public var format: ImageFormat { .tiff }

        /// Rows between two looks at `Task.isCancelled`.
        private static let bandHeight = 32

        public func encode(_ bitmap: Bitmap, _ options: EncodingOptions) throws(EncodingError) -> EncodedImage {
            guard max(bitmap.size.width, bitmap.size.height) <= Int32.max else {
                throw .tooLarge(bitmap.size, format: .tiff)
            }
            var rows = TIFFRows(of: bitmap)
            let writer = try TIFFWriter(byteCount: rows.byteCount * bitmap.size.height)
            try writer.start(rows, compression, options)
            for row in 0..<bitmap.size.height {
                if row.isMultiple(of: Self.bandHeight) { try EncodingError.checkCancellationOfWriting() }
                try writer.write(row, of: &rows)
            }
            return try writer.finish()
        }
    }

    /// The rows of a picture as they are written: red, green and blue, and alpha where there is some.
    private struct TIFFRows {
        let size: PixelSize
        let bits: Int
        let samplesPerPixel: Int
        private let bitmap: Bitmap
        private var shallow: EightBitRows
        private var scratch: [UInt8]

        init(of bitmap: Bitmap) {
            self.bitmap = bitmap
            size = bitmap.size
            bits = bitmap.format == .rgba16Straight ? 16 : 8
            samplesPerPixel = bitmap.isOpaque ? 3 : 4
            shallow = EightBitRows(of: bitmap)
            scratch = Array(repeating: 0, count: bitmap.size.width * samplesPerPixel * bits / 8)
        }

        var byteCount: Int { scratch.count }

        /// One row, which libtiff changes while it writes it.
        mutating func withRow<R>(_ row: Int, _ body: (UnsafeMutableRawBufferPointer) -> R) -> R {
            if bits == 16 {
                let start = row * bitmap.bytesPerRow
                bitmap.withUnsafeBytes {
                    take(UnsafeRawBufferPointer(rebasing: $0[start..<start + bitmap.bytesPerRow]))
                }
            } else {
                var shallow = shallow
                shallow.withRow(row) { take($0) }
                self.shallow = shallow
            }
            return scratch.withUnsafeMutableBytes(body)
        }

        private mutating func take(_ pixels: UnsafeRawBufferPointer) {
            let (source, target) = (bits / 2, bits / 8 * samplesPerPixel)
            scratch.withUnsafeMutableBytes { result in
                for pixel in 0..<size.width {
                    for byte in 0..<target { result[pixel * target + byte] = pixels[pixel * source + byte] }
                }
            }
        }
    }

    /// The owner of one libtiff file that is being written.
    private final class TIFFWriter {
        private let handle: UnsafeMutablePointer<BBTIFFFile>

        /// Numbers of 32 bits are enough for files below 4 GB.
        private static let mostClassicBytes = 3 << 30
        private static let stripByteCount = 1 << 18

        init(byteCount: Int) throws(EncodingError) {
            guard let handle = bb_tiff_create_writer(byteCount > Self.mostClassicBytes) else { throw .outOfMemory }
            self.handle = handle
        }

        deinit { bb_tiff_destroy(handle) }

        func start(
            _ rows: TIFFRows, _ compression: TIFFEncoder.Compression, _ options: EncodingOptions
        ) throws(EncodingError) {
            let kind = compression == .lzw ? COMPRESSION_LZW : COMPRESSION_ADOBE_DEFLATE
            guard bb_tiff_set32(handle, UInt32(TIFFTAG_IMAGEWIDTH), UInt32(rows.size.width)),
                bb_tiff_set32(handle, UInt32(TIFFTAG_IMAGELENGTH), UInt32(rows.size.height)),
                set(TIFFTAG_BITSPERSAMPLE, Int32(rows.bits)), set(TIFFTAG_SAMPLESPERPIXEL, Int32(rows.samplesPerPixel)),
                set(TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_RGB), set(TIFFTAG_PLANARCONFIG, PLANARCONFIG_CONTIG),
                set(TIFFTAG_COMPRESSION, kind), set(TIFFTAG_PREDICTOR, PREDICTOR_HORIZONTAL),
                set(TIFFTAG_ORIENTATION, Int32(options.orientation.rawValue)),
                bb_tiff_set32(
                    handle, UInt32(TIFFTAG_ROWSPERSTRIP), UInt32(max(1, Self.stripByteCount / max(1, rows.byteCount)))),
                rows.samplesPerPixel == 3 || bb_tiff_set_straight_alpha(handle)
            else { throw error }
            try write(options)
        }

        private func write(_ options: EncodingOptions) throws(EncodingError) {
            if case .icc(let profile) = options.profile { try set(TIFFTAG_ICCPROFILE, profile.bytes) }
            if let xmp = options.metadata?.xmp { try set(TIFFTAG_XMLPACKET, xmp) }
            guard let density = options.metadata?.density else { return }
            guard set(TIFFTAG_RESOLUTIONUNIT, RESUNIT_INCH),
                bb_tiff_set_float(handle, UInt32(TIFFTAG_XRESOLUTION), density.horizontal),
                bb_tiff_set_float(handle, UInt32(TIFFTAG_YRESOLUTION), density.vertical)
            else { throw error }
        }

        private func set(_ tag: Int32, _ value: Int32) -> Bool { bb_tiff_set16(handle, UInt32(tag), value) }

        private func set(_ tag: Int32, _ bytes: [UInt8]) throws(EncodingError) {
            guard !bytes.isEmpty, let count = UInt32(exactly: bytes.count) else { return }
            guard bb_tiff_set_bytes(handle, UInt32(tag), count, bytes) else { throw error }
        }

        func write(_ row: Int, of rows: inout TIFFRows) throws(EncodingError) {
            let isWritten = rows.withRow(row) {
                TIFFWriteScanline(handle.pointee.tiff, $0.baseAddress, UInt32(row), 0) > 0
            }
            guard isWritten else { throw error }
        }

        func finish() throws(EncodingError) -> EncodedImage {
            guard bb_tiff_finish_writing(handle) else { throw error }
            let bytes = UnsafeBufferPointer(start: handle.pointee.written, count: Int(handle.pointee.count))
            guard let file = EncodedImage(bytes) else { throw .outOfMemory }
            return file
        }

        private var error: EncodingError {
            handle.pointee.lacks_memory ? .outOfMemory : .failed(String(cString: bb_tiff_message(handle)))
        }
    }
#endif
