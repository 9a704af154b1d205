public import BowerbirdCore

/// Lays a colour over a picture and keeps its shape: what was transparent stays so.
public struct Tint: ImageProcessor, Hashable {
    /// The alpha of the colour is the strength: 0 changes nothing, 255 leaves a silhouette.
    public var color: Color

    /// Give the colour an alpha: an opaque one hides the picture.
    public init(_ color: Color) {
        self.color = color
    }

    public var cacheKey: String { "tint \(color.hexadecimal)" }

    public func process(_ image: DecodedImage) throws(ProcessingError) -> DecodedImage {
        try image.edited { pixels in
            unsafe pixels.withUnsafeMutableBytes { bytes in unsafe tint(bytes) }
        }
    }

    /// Source-atop: colour × alpha of the pixel over the pixel, in integers so that the compiler vectorises it.
    private func tint(_ bytes: UnsafeMutableRawBufferPointer) {
        let strength = UInt32(color.alpha)
        let (blue, green, red) = (premultiplied(color.blue), premultiplied(color.green), premultiplied(color.red))
        let pixels = unsafe bytes.bindMemory(to: SIMD4<UInt8>.self)
        for index in pixels.indices {
            let pixel = unsafe pixels[index]
            let alpha = UInt32(pixel.w)
            unsafe pixels[index] = SIMD4(
                mix(pixel.x, blue, alpha, strength), mix(pixel.y, green, alpha, strength),
                mix(pixel.z, red, alpha, strength), pixel.w)
        }
    }

    private func premultiplied(_ component: UInt8) -> UInt32 { UInt32(component) * UInt32(color.alpha) }

    /// `component` is already multiplied by the strength; both terms are divided by 255 at once, with rounding.
    @inline(__always)
    private func mix(_ below: UInt8, _ component: UInt32, _ alpha: UInt32, _ strength: UInt32) -> UInt8 {
        let over = (component * alpha + 127) / 255
        return UInt8(truncatingIfNeeded: (UInt32(below) * (255 - strength) + over + 127) / 255)
    }
}
