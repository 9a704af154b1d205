public import BowerbirdCore

/// The machine had no memory for the pixels of a test.
public struct OutOfMemory: Error {}

extension PixelBuffer {
    /// Transparent pixels for a test, which fails where there is no memory for them.
    public static func make(
        _ width: Int, _ height: Int, format: PixelFormat = .bgra8Premultiplied, isOpaque: Bool = false
    ) throws(OutOfMemory) -> PixelBuffer {
        let size = PixelSize(width: width, height: height)
        guard let buffer = PixelBuffer(size: size, format: format, isOpaque: isOpaque) else { throw OutOfMemory() }
        return buffer
    }
}
