/// What callers of the raw libraries do to pixels themselves, written plainly.
enum RawPixels {
    static func exchangeRedAndBlue(_ pixels: UnsafeMutableRawBufferPointer) {
        let pixels = pixels.assumingMemoryBound(to: UInt32.self)
        for index in pixels.indices {
            let pixel = pixels[index]
            pixels[index] = pixel & 0xFF00_FF00 | (pixel & 0xFF) << 16 | pixel >> 16 & 0xFF
        }
    }

    static func premultiply(_ pixels: UnsafeMutableRawBufferPointer) {
        for pixel in stride(from: 0, to: pixels.count, by: 4) {
            let alpha = UInt32(pixels[pixel + 3])
            if alpha == 255 { continue }
            for byte in pixel..<pixel + 3 {
                pixels[byte] = UInt8(truncatingIfNeeded: (UInt32(pixels[byte]) * alpha + 127) / 255)
            }
        }
    }
}
