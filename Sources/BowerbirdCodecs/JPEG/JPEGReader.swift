#if JPEG
    import BowerbirdCore
    import BowerbirdRaster
    import CJPEG

    /// The owner of one libjpeg decoder. It takes bytes as they arrive, and gives rows.
    ///
    /// Once it has thrown `.corrupt` it must not be asked for more: libjpeg then no longer holds together. A new one can
    /// decode the file up to `soundEnd`.
    final class JPEGReader {
        private let handle: UnsafeMutablePointer<BBJPEGReader>
        private var byteCount = 0
        private var isCMYK = false
        private var isInverted = false
        private var inks = InkConversion.plain

        /// Rows, or rows of blocks, between two looks at `Task.isCancelled`.
        private static let bandHeight: UInt32 = 32

        init() throws(DecodingError) {
            guard let handle = bb_jpeg_reader_create() else { throw .outOfMemory(PixelSize(width: 0, height: 0)) }
            self.handle = handle
        }

        deinit { bb_jpeg_reader_destroy(handle) }

        /// How many bytes of the file have been used up.
        var position: Int { bb_jpeg_reader_position(handle) }

        /// Does `work` with the bytes from `position` on; where they end too early, `work` finds the reader suspended.
        func withBytes(
            _ unread: RawSpan, isComplete: Bool, _ work: () throws(DecodingError) -> Void
        ) throws(DecodingError) {
            byteCount = position + unread.byteCount
            try unread.withUnsafeBytes { bytes throws(DecodingError) in
                bb_jpeg_reader_give(
                    handle, bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), bytes.count, isComplete)
                defer { bb_jpeg_reader_take_back(handle) }
                try work()
            }
        }

        /// What libjpeg tells of the file: neither orientation nor profile; or nil while more bytes are needed for it.
        func readHeader() throws(DecodingError) -> ImageHeader? {
            switch bb_jpeg_reader_read_header(handle) {
            case BBJPEGDone: header
            case BBJPEGSuspended: nil
            default: throw error
            }
        }

        /// Components of a pixel as it is stored: 1 for grey, 4 for inks.
        var componentCount: Int { Int(handle.pointee.decoder.num_components) }

        /// Settles the scale and the kind of pixels; `profile` says what the stored ones mean, where they are inks.
        func start(
            at scale: JPEGScale, for pixels: DecodingOptions.Pixels, _ profile: ColorProfile
        ) throws(DecodingError) {
            let stored = handle.pointee.decoder.jpeg_color_space
            isCMYK = stored == JCS_CMYK || stored == JCS_YCCK
            isInverted = handle.pointee.decoder.saw_Adobe_marker != 0
            let colors = isCMYK ? JCS_CMYK : pixels == .display ? JCS_EXT_BGRA : JCS_EXT_RGBA
            guard bb_jpeg_reader_start(handle, colors, UInt32(scale.rawValue)) == BBJPEGDone else { throw error }
            if isCMYK { inks = InkConversion(profile, isInverted: isInverted) }
        }

        /// The size of the rows it gives, once it has started.
        var size: PixelSize {
            PixelSize(
                width: Int(handle.pointee.decoder.output_width), height: Int(handle.pointee.decoder.output_height))
        }

        /// Whether the picture comes in several scans over all of it; where not, rows come as the bytes do.
        var hasSeveralScans: Bool { handle.pointee.decoder.buffered_image != 0 }

        /// How many rows have been given in this pass.
        var rowCount: Int { Int(handle.pointee.decoder.output_scanline) }

        /// Up to where the file makes sense; nil where nothing of the picture comes before.
        var soundEnd: Int? { handle.pointee.sound_end > 0 ? handle.pointee.sound_end : nil }

        /// The newest scan that has wholly arrived.
        var completeScanCount: Int { Int(handle.pointee.complete_scans) }

        /// Takes in the scans that have arrived. True once the file is at its end.
        func takeInScans(atMost maximum: Int) throws(DecodingError) -> Bool {
            while true {
                try DecodingError.checkCancellation()
                let status = bb_jpeg_reader_take_in(handle, Self.bandHeight)
                try checkForPicture()
                guard handle.pointee.decoder.input_scan_number <= maximum else { throw .tooManyScans(maximum: maximum) }
                switch status {
                case BBJPEGDone: return true
                case BBJPEGSuspended: return false
                case BBJPEGFailed: throw error
                default: break
                }
            }
        }

        /// Begins a pass over the scans so far, with `scan` the last, which must be complete.
        func beginPass(with scan: Int) throws(DecodingError) {
            guard bb_jpeg_reader_begin_pass(handle, Int32(scan)) == BBJPEGDone else { throw error }
        }

        /// Begins the pass that gives the final picture, at the end of the file.
        func beginLastPass() throws(DecodingError) {
            try beginPass(with: Int(handle.pointee.decoder.input_scan_number))
        }

        /// Writes the rows that have arrived. True once the picture has all of them.
        func readRows(into buffer: inout PixelBuffer) throws(DecodingError) -> Bool {
            let bytesPerRow = buffer.bytesPerRow
            let wantsBlueFirst = buffer.format == .bgra8Premultiplied
            return try buffer.withUnsafeMutableBytes { pixels throws(DecodingError) in
                while true {
                    try DecodingError.checkCancellation()
                    let start = rowCount
                    let status = readBand(into: pixels, bytesPerRow)
                    try checkForPicture()
                    let rows = start * bytesPerRow..<rowCount * bytesPerRow
                    if isCMYK { convert(UnsafeMutableRawBufferPointer(rebasing: pixels[rows]), wantsBlueFirst) }
                    switch status {
                    case BBJPEGDone: return true
                    case BBJPEGSuspended: return false
                    case BBJPEGFailed: throw error
                    default: break
                    }
                }
            }
        }

        /// CMYK to sRGB. Files that Adobe's programs marked have it inverted.
        private func convert(_ rows: UnsafeMutableRawBufferPointer, _ wantsBlueFirst: Bool) {
            inks.convert(rows, isInverted: isInverted)
            guard !wantsBlueFirst else { return }
            for index in stride(from: 0, to: rows.count, by: 4) { rows.swapAt(index, index + 2) }
        }

        private func readBand(into pixels: UnsafeMutableRawBufferPointer, _ bytesPerRow: Int) -> BBJPEGStatus {
            guard let base = pixels.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return BBJPEGSuspended }
            return bb_jpeg_reader_read_rows(handle, base, bytesPerRow, Self.bandHeight)
        }

        /// What is wrong with a picture that can be shown.
        var warnings: [ImageWarning] {
            if handle.pointee.ended_early { return [.truncated(atByte: byteCount)] }
            guard handle.pointee.errors.manager.num_warnings > 0 else { return [] }
            return [.corrupt(String(cString: bb_jpeg_errors_warning(&handle.pointee.errors)))]
        }

        /// Throws when the file ended before even one row of blocks; a picture with only one needs some of it.
        private func checkForPicture() throws(DecodingError) {
            guard handle.pointee.ended_early, handle.pointee.ended_in_scan <= 1, handle.pointee.ended_in_row == 0
            else { return }
            if handle.pointee.decoder.total_iMCU_rows > 1 || byteCount <= handle.pointee.data_start {
                throw .truncated(atByte: byteCount)
            }
        }
    }

    extension JPEGReader {
        private var header: ImageHeader {
            let decoder = handle.pointee.decoder
            return ImageHeader(
                format: .jpeg,
                storedSize: PixelSize(width: Int(decoder.image_width), height: Int(decoder.image_height)),
                bitsPerComponent: Int(decoder.data_precision),
                isProgressive: decoder.progressive_mode != 0)
        }

        private var message: String { String(cString: bb_jpeg_errors_message(&handle.pointee.errors)) }

        private var error: DecodingError {
            if bb_jpeg_errors_lack_memory(&handle.pointee.errors) { return .outOfMemory(header.storedSize) }
            if handle.pointee.ended_early { return .truncated(atByte: byteCount) }
            return unsupportedKind.map { .unsupportedFormat($0, beginning: "") } ?? .corrupt(message)
        }

        /// The kind of a file that is no damaged one; nil once there is a header, behind which all else is damage.
        private var unsupportedKind: ImageFormat? {
            guard handle.pointee.data_start == 0 else { return nil }
            let name: String? =
                switch bb_jpeg_errors_kind(&handle.pointee.errors) {
                case BBJPEGDeepKind: "JPEG with 12 bits"
                case BBJPEGLosslessKind: "lossless JPEG"
                case BBJPEGHierarchicalKind: "hierarchical JPEG"
                case BBJPEGArithmeticKind: "arithmetically coded JPEG"
                default: nil
                }
            return name.map { ImageFormat(name: $0, mediaType: "image/jpeg", fileExtensions: ["jpg", "jpeg"]) }
        }
    }
#endif
