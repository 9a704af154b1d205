import BowerbirdCore

/// Transparent pixels to write.
func makeBuffer(
    _ width: Int, _ height: Int, _ format: PixelFormat = .bgra8Premultiplied, isOpaque: Bool = false
) throws(RasterTestFailure) -> PixelBuffer {
    let size = PixelSize(width: width, height: height)
    guard let buffer = PixelBuffer(size: size, format: format, isOpaque: isOpaque) else { throw .noMemory(size) }
    return buffer
}

enum RasterTestFailure: Error { case noMemory(PixelSize) }
