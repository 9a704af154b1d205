#if PNG
    import BowerbirdCore
    import CPNG

    /// The owner of one libpng decoder. It takes the bytes of a file as they arrive, and writes pixels. Once it has thrown
    /// it must not be given more.
    final class PNGReader {
        private let handle: UnsafeMutablePointer<BBPNGReader>

        /// Straight pixels: blue first, or red first, with 16 bits where the file has them.
        init(_ format: PixelFormat) throws(DecodingError) {
            let handle = bb_png_reader_create(format == .bgra8Premultiplied, format == .rgba16Straight)
            guard let handle else { throw .outOfMemory(PixelSize(width: 0, height: 0)) }
            self.handle = handle
        }

        deinit { bb_png_reader_destroy(handle) }

        /// Goes on with the next bytes; `buffer` is the same each time, of the file's size and the reader's format.
        func take(_ bytes: RawSpan, into buffer: inout PixelBuffer) throws(DecodingError) {
            let bytesPerRow = buffer.bytesPerRow
            try buffer.withUnsafeMutableBytes { pixels throws(DecodingError) in
                let isTaken = bytes.withUnsafeBytes { bytes in
                    guard let source = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self),
                        let target = pixels.baseAddress?.assumingMemoryBound(to: UInt8.self)
                    else { return true }
                    return bb_png_reader_take(handle, source, bytes.count, target, bytesPerRow)
                }
                guard isTaken else { throw error }
            }
        }

        /// How many rows of a picture that is not interlaced have been written.
        var rowCount: Int { Int(handle.pointee.row_count) }

        /// How many of the seven passes of an interlaced picture have been written.
        var passCount: Int { Int(bb_png_reader_pass(handle)) }

        /// Whether some of every part of the picture has been written, or all of it: what the first pass does.
        var coversPicture: Bool { handle.pointee.covers_picture }

        /// Whether there are no more rows to come.
        var hasAllRows: Bool { bb_png_reader_has_all_rows(handle) }

        /// What was wrong with the rows, where libpng went on behind it; else that some are missing.
        var complaint: DecodingError {
            let warning = String(cString: bb_png_reader_warning(handle))
            return .corrupt(warning.isEmpty ? "there are too few pixels" : warning)
        }

        private var error: DecodingError { .corrupt(String(cString: bb_png_reader_message(handle))) }
    }
#endif
