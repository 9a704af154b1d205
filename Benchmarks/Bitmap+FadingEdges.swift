import Bowerbird

extension Bitmap {
    /// The same with edges that fade out, as cut-outs have them; the middle stays opaque.
    func withFadingEdges() throws -> Bitmap {
        guard var buffer = PixelBuffer(copying: self) else { throw CannotMeasure("there is no memory") }
        buffer.isOpaque = false
        let size = size
        buffer.withUnsafeMutableBytes { pixels in
            for y in 0..<size.height {
                for x in 0..<size.width {
                    let alpha = Self.alpha(x, y, in: size)
                    let pixel = 4 * (y * size.width + x)
                    for byte in pixel..<pixel + 4 {
                        pixels[byte] = UInt8(truncatingIfNeeded: Int(pixels[byte]) * alpha / 255)
                    }
                }
            }
        }
        return buffer.freeze()
    }

    private static func alpha(_ x: Int, _ y: Int, in size: PixelSize) -> Int {
        let distance = min(x, y, size.width - 1 - x, size.height - 1 - y)
        return min(255, distance * 255 / 200)
    }
}
