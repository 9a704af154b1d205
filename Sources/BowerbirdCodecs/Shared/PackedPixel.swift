import BowerbirdCore

/// How the components of a pixel lie in 32 bits, for pixels that are written as whole words.
struct PackedPixel {
    private let redShift: UInt32
    private let blueShift: UInt32

    /// For the two formats of 8 bits a component; both have green second and alpha last.
    init(_ format: PixelFormat) {
        let beginsWithBlue = format == .bgra8Premultiplied
        redShift = beginsWithBlue ? 16 : 0
        blueShift = beginsWithBlue ? 0 : 16
    }

    @inline(__always)
    func pack(_ red: UInt8, _ green: UInt8, _ blue: UInt8, _ alpha: UInt8 = 255) -> UInt32 {
        let word = UInt32(red) << redShift | UInt32(green) << 8 | UInt32(blue) << blueShift | UInt32(alpha) << 24
        return word.littleEndian
    }
}

extension PixelBuffer {
    /// One row as words. Only for formats of 8 bits a component.
    mutating func withPackedRow<R, E: Error>(
        _ row: Int, _ body: (UnsafeMutableBufferPointer<UInt32>) throws(E) -> R
    ) throws(E) -> R {
        try withRow(row) { span throws(E) in
            try span.withUnsafeMutableBytes { bytes throws(E) in try body(bytes.assumingMemoryBound(to: UInt32.self)) }
        }
    }
}
