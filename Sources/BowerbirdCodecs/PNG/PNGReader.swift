#if PNG
    import BowerbirdCore
    import BowerbirdRaster
    import CPNG

    /// The owner of one libpng decoder, over the bytes of a whole file.
    final class PNGReader {
        private let handle: UnsafeMutablePointer<BBPNGReader>
        private(set) var warnings: [ImageWarning] = []

        /// Rows between two looks at `Task.isCancelled`.
        private static let bandHeight = 32

        init() throws(DecodingError) {
            guard let handle = bb_png_reader_create() else { throw .outOfMemory(PixelSize(width: 0, height: 0)) }
            self.handle = handle
        }

        deinit { bb_png_reader_destroy(handle) }

        /// Does `work`, the only place where the reader may be used, with the file.
        func withBytes<R>(_ bytes: RawSpan, _ work: () throws(DecodingError) -> R) throws(DecodingError) -> R {
            try bytes.withUnsafeBytes { bytes throws(DecodingError) in
                bb_png_reader_give(handle, bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), bytes.count)
                defer { bb_png_reader_give(handle, nil, 0) }
                return try work()
            }
        }

        func readHeader() throws(DecodingError) -> ImageHeader {
            guard bb_png_reader_read_header(handle) else { throw error }
            return header
        }

        /// Settles the kind of pixels, and reads all that there are.
        func readPixels(of header: ImageHeader, _ pixels: DecodingOptions.Pixels) throws(DecodingError) -> Bitmap {
            let format = Self.format(of: header, pixels)
            guard bb_png_reader_start(handle, format == .bgra8Premultiplied, format == .rgba16Straight) else {
                throw error
            }
            guard var buffer = PixelBuffer(size: header.storedSize, format: format) else {
                throw .outOfMemory(header.storedSize)
            }
            try readRows(into: &buffer, premultiplies: format == .bgra8Premultiplied && header.hasAlpha)
            buffer.isOpaque = !header.hasAlpha && coversPicture
            return buffer.freeze()
        }

        private static func format(of header: ImageHeader, _ pixels: DecodingOptions.Pixels) -> PixelFormat {
            if pixels == .display { return .bgra8Premultiplied }
            return header.bitsPerComponent > 8 ? .rgba16Straight : .rgba8Straight
        }

        /// Passes of an interlaced picture build on what earlier ones wrote, so that it is premultiplied at the end only.
        private func readRows(into buffer: inout PixelBuffer, premultiplies: Bool) throws(DecodingError) {
            let bytesPerRow = buffer.bytesPerRow
            let height = buffer.size.height
            try buffer.withUnsafeMutableBytes { pixels throws(DecodingError) in
                var isDone = false
                while !isDone {
                    try DecodingError.checkCancellation()
                    let start = isInterlaced ? 0 : rowCount(of: height)
                    isDone = try readBand(into: pixels, bytesPerRow)
                    guard premultiplies, isDone || !isInterlaced else { continue }
                    let rows = start * bytesPerRow..<rowCount(of: height) * bytesPerRow
                    Premultiplying.premultiply(bgra: UnsafeMutableRawBufferPointer(rebasing: pixels[rows]))
                }
            }
        }

        /// How many rows have something of the picture.
        private func rowCount(of height: Int) -> Int { coversPicture ? height : Int(handle.pointee.row) }

        /// True when there are no more rows. Damage ends the picture where it is; it throws where nothing is shown.
        private func readBand(into pixels: UnsafeMutableRawBufferPointer, _ bytesPerRow: Int) throws(DecodingError)
            -> Bool
        {
            guard let base = pixels.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return true }
            switch bb_png_reader_read_rows(handle, base, bytesPerRow, UInt32(Self.bandHeight)) {
            case BBPNGMore: return false
            case BBPNGDone where bb_png_reader_finish(handle): return true
            default: break
            }
            guard showsSomething else { throw error }
            warnings = [handle.pointee.ended_early ? .truncated(atByte: handle.pointee.count) : .corrupt(message)]
            return true
        }

        private var isInterlaced: Bool { handle.pointee.pass_count > 1 }

        /// One pass fills the picture; those that follow an interlaced one's first make it sharper.
        private var coversPicture: Bool { handle.pointee.pass > 0 }

        /// Whether there are rows that no checksum contradicts: a wrong one says that its chunk's pixels are not what
        /// was written, and there is nothing before the first.
        private var showsSomething: Bool {
            guard coversPicture || handle.pointee.row > 0 else { return false }
            return !handle.pointee.failed_at_checksum || handle.pointee.data_checksum_count > 1
        }
    }

    extension PNGReader {
        private var header: ImageHeader {
            let (png, info) = (handle.pointee.png, handle.pointee.info)
            let colors = Int32(png_get_color_type(png, info))
            let isPalette = colors == PNG_COLOR_TYPE_PALETTE
            let isKeyed = png_get_valid(png, info, UInt32(PNG_INFO_tRNS)) != 0
            return ImageHeader(
                format: .png,
                storedSize: PixelSize(
                    width: Int(png_get_image_width(png, info)), height: Int(png_get_image_height(png, info))),
                orientation: orientation, hasAlpha: colors & PNG_COLOR_MASK_ALPHA != 0 || isKeyed,
                bitsPerComponent: isPalette ? 8 : Int(png_get_bit_depth(png, info)),
                isProgressive: png_get_interlace_type(png, info) != PNG_INTERLACE_NONE)
        }

        private var orientation: Orientation {
            var count: UInt32 = 0
            var data: UnsafeMutablePointer<UInt8>?
            guard png_get_eXIf_1(handle.pointee.png, handle.pointee.info, &count, &data) != 0 else { return .topLeft }
            return ExifReader.orientation(in: UnsafeRawBufferPointer(start: data, count: Int(count)).bytes) ?? .topLeft
        }

        private var message: String { String(cString: bb_png_reader_message(handle)) }

        private var error: DecodingError {
            handle.pointee.ended_early ? .truncated(atByte: handle.pointee.count) : .corrupt(message)
        }
    }
#endif
