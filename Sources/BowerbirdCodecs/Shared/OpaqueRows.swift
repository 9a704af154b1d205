import BowerbirdCore

/// The rows of a picture for a format without alpha: four bytes a pixel, 8 bits each, the fourth without meaning, the
/// picture laid over a background.
struct OpaqueRows {
    private let bitmap: Bitmap
    private let flattening: Flattening
    private var scratch: [UInt8]

    init(of bitmap: Bitmap, over background: Color) {
        self.bitmap = bitmap
        flattening = Flattening(format: bitmap.format, background: background)
        let isReady = bitmap.isOpaque && bitmap.format != .rgba16Straight
        scratch = isReady ? [] : Array(repeating: 255, count: 4 * bitmap.size.width)
    }

    /// Whether a pixel's first byte is blue; else it is red.
    var beginsWithBlue: Bool { bitmap.format == .bgra8Premultiplied }

    /// One row; the pointer must not leave the closure.
    mutating func withRow<R>(_ row: Int, _ body: (UnsafePointer<UInt8>?) -> R) -> R {
        let bytesPerRow = bitmap.bytesPerRow
        let flattening = flattening
        return bitmap.withUnsafeBytes { bytes in
            let pixels = UnsafeRawBufferPointer(rebasing: bytes[row * bytesPerRow..<(row + 1) * bytesPerRow])
            if scratch.isEmpty { return body(pixels.baseAddress?.assumingMemoryBound(to: UInt8.self)) }
            return scratch.withUnsafeMutableBufferPointer { result in
                flattening.flatten(pixels, into: result)
                return body(UnsafePointer(result.baseAddress))
            }
        }
    }

}

/// Lays pixels over a background.
private struct Flattening {
    let format: PixelFormat
    let background: Color

    func flatten(_ pixels: UnsafeRawBufferPointer, into result: UnsafeMutableBufferPointer<UInt8>) {
        switch format {
        case .bgra8Premultiplied: flattenPremultiplied(pixels, into: result)
        case .rgba8Straight: flattenStraight(pixels.assumingMemoryBound(to: UInt8.self), into: result, maximum: 255)
        case .rgba16Straight:
            flattenStraight(pixels.assumingMemoryBound(to: UInt16.self), into: result, maximum: 65535)
        }
    }

    private func flattenPremultiplied(
        _ pixels: UnsafeRawBufferPointer, into result: UnsafeMutableBufferPointer<UInt8>
    ) {
        let behind = [Int(background.blue), Int(background.green), Int(background.red)]
        for component in 0..<3 {
            for index in stride(from: 0, to: pixels.count, by: 4) {
                let shine = behind[component] * (255 - Int(pixels[index + 3])) + 127
                result[index + component] = UInt8(clamping: Int(pixels[index + component]) + shine / 255)
            }
        }
    }

    private func flattenStraight<Component: FixedWidthInteger>(
        _ pixels: UnsafeBufferPointer<Component>, into result: UnsafeMutableBufferPointer<UInt8>, maximum: Int
    ) {
        let step = maximum / 255
        let behind = [Int(background.red) * step, Int(background.green) * step, Int(background.blue) * step]
        for component in 0..<3 {
            for index in stride(from: 0, to: pixels.count, by: 4) {
                let alpha = Int(pixels[index + 3])
                let color = Int(pixels[index + component]) * alpha + behind[component] * (maximum - alpha)
                result[index + component] = UInt8(clamping: (color + maximum * step / 2) / (maximum * step))
            }
        }
    }
}
