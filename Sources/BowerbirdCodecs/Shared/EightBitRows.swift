import BowerbirdCore
import BowerbirdRaster

/// The rows of a picture as straight red, green, blue and alpha, 8 bits each, for formats that know nothing else.
struct EightBitRows {
    private let bitmap: Bitmap
    private var scratch: [UInt8]

    init(of bitmap: Bitmap) {
        self.bitmap = bitmap
        scratch = bitmap.format == .rgba8Straight ? [] : Array(repeating: 0, count: 4 * bitmap.size.width)
    }

    /// One row; the pointer must not leave the closure.
    mutating func withRow<R>(_ row: Int, _ body: (UnsafeRawBufferPointer) -> R) -> R {
        let (bitmap, bytesPerRow) = (bitmap, bitmap.bytesPerRow)
        return bitmap.withUnsafeBytes { bytes in
            let pixels = UnsafeRawBufferPointer(rebasing: bytes[row * bytesPerRow..<(row + 1) * bytesPerRow])
            if bitmap.format == .rgba8Straight { return body(pixels) }
            return scratch.withUnsafeMutableBytes { result in
                if bitmap.format == .bgra8Premultiplied {
                    Premultiplying.unpremultiply(bgra: pixels, intoRGBA: result)
                } else {
                    Self.round(pixels.assumingMemoryBound(to: UInt16.self), into: result)
                }
                return body(UnsafeRawBufferPointer(result))
            }
        }
    }

    /// 16 bits become the nearest 8.
    private static func round(_ deep: UnsafeBufferPointer<UInt16>, into result: UnsafeMutableRawBufferPointer) {
        for (index, value) in deep.enumerated() {
            result[index] = UInt8(truncatingIfNeeded: (UInt32(value) * 255 + 32895) >> 16)
        }
    }
}

extension EncodingError {
    /// Throws `.cancelled` when the current task is.
    static func checkCancellationOfWriting() throws(EncodingError) {
        if Task.isCancelled { throw .cancelled }
    }
}
