#if PNG
    public import BowerbirdCore
    import BowerbirdRaster
    import CPNG

    /// Writes PNG files from all pixel formats, with 16 bits where the picture has them and without alpha where it is
    /// opaque. Straight pixels come back as they were; premultiplied ones have lost some already.
    public struct PNGEncoder: ImageEncoder {
        /// It has no settings; `EncodingOptions` change nothing for PNG.
        public init() {}

        public var format: ImageFormat { .png }

        public func encode(_ bitmap: Bitmap, _ options: EncodingOptions) throws(EncodingError) -> EncodedImage {
            guard max(bitmap.size.width, bitmap.size.height) <= Int32.max else {
                throw .tooLarge(bitmap.size, format: .png)
            }
            var rows = StraightRows(of: bitmap)
            let writer = try PNGWriter()
            try writer.start(rows.layout)
            for row in 0..<bitmap.size.height { try writer.write(row, of: &rows) }
            return try writer.finish()
        }
    }

    /// The rows of a picture with straight alpha, which is all that PNG knows.
    private struct StraightRows {
        private let bitmap: Bitmap
        private var scratch: [UInt8]

        init(of bitmap: Bitmap) {
            self.bitmap = bitmap
            let isReady = bitmap.isOpaque || bitmap.format != .bgra8Premultiplied
            scratch = isReady ? [] : Array(repeating: 0, count: bitmap.bytesPerRow)
        }

        var layout: BBPNGRows {
            BBPNGRows(
                width: UInt32(bitmap.size.width), height: UInt32(bitmap.size.height),
                bit_depth: bitmap.format == .rgba16Straight ? 16 : 8,
                begins_with_blue: bitmap.format == .bgra8Premultiplied && scratch.isEmpty,
                is_opaque: bitmap.isOpaque)
        }

        /// One row; the pointer must not leave the closure.
        mutating func withRow<R>(_ row: Int, _ body: (UnsafePointer<UInt8>?) -> R) -> R {
            let bytesPerRow = bitmap.bytesPerRow
            return bitmap.withUnsafeBytes { bytes in
                let pixels = UnsafeRawBufferPointer(rebasing: bytes[row * bytesPerRow..<(row + 1) * bytesPerRow])
                if scratch.isEmpty { return body(pixels.baseAddress?.assumingMemoryBound(to: UInt8.self)) }
                return scratch.withUnsafeMutableBytes { result in
                    Premultiplying.unpremultiply(bgra: pixels, intoRGBA: result)
                    return body(UnsafePointer(result.baseAddress?.assumingMemoryBound(to: UInt8.self)))
                }
            }
        }
    }

    /// The owner of one libpng encoder.
    private final class PNGWriter {
        private let handle: UnsafeMutablePointer<BBPNGWriter>

        init() throws(EncodingError) {
            guard let handle = bb_png_writer_create() else { throw .outOfMemory }
            self.handle = handle
        }

        deinit { bb_png_writer_destroy(handle) }

        func start(_ layout: BBPNGRows) throws(EncodingError) {
            guard bb_png_writer_start(handle, layout) else { throw error }
        }

        func write(_ row: Int, of rows: inout StraightRows) throws(EncodingError) {
            let isWritten = rows.withRow(row) { pixels in
                pixels.map { bb_png_writer_write_row(handle, $0) } ?? false
            }
            guard isWritten else { throw error }
        }

        func finish() throws(EncodingError) -> EncodedImage {
            guard bb_png_writer_finish(handle) else { throw error }
            let bytes = UnsafeBufferPointer(start: handle.pointee.bytes, count: handle.pointee.count)
            guard let file = EncodedImage(bytes) else { throw .outOfMemory }
            return file
        }

        private var error: EncodingError {
            handle.pointee.lacks_memory ? .outOfMemory : .failed(String(cString: bb_png_writer_message(handle)))
        }
    }
#endif
