public import BowerbirdCore

/// Turns a picture into its negative: each colour becomes 255 less itself. What is transparent stays so.
public struct Invert: ImageProcessor, Hashable {
    /// It has no parameters.
    public init() {}

    public var cacheKey: String { "invert" }

    public func process(_ image: DecodedImage) throws(ProcessingError) -> DecodedImage {
        try unsafe image.editedInStrips { _, bytes in unsafe invert(bytes) }
    }

    /// Premultiplied, a negative colour is alpha less the colour: three subtractions at once, none of which borrows.
    private func invert(_ bytes: UnsafeMutableRawBufferPointer) {
        let pixels = unsafe bytes.bindMemory(to: UInt32.self)
        for index in pixels.indices {
            let pixel = unsafe pixels[index]
            let alpha = pixel >> 24
            unsafe pixels[index] = alpha << 24 | (alpha &* 0x010101 &- pixel & 0xFFFFFF) & 0xFFFFFF
        }
    }
}
