import BowerbirdCore

extension DecodedImage {
    /// A copy of the picture with its pixels changed by `body`. Edits work on the canonical pixels only.
    func edited(_ body: (inout PixelBuffer) -> Void) throws(ProcessingError) -> DecodedImage {
        guard bitmap.format == .bgra8Premultiplied else { throw .unsupportedPixels(bitmap.format) }
        guard !Task.isCancelled else { throw .cancelled }
        guard var pixels = PixelBuffer(copying: bitmap) else { throw .outOfMemory(bitmap.size) }
        body(&pixels)
        return with(pixels.freeze())
    }
}

extension MutableRawSpan {
    /// One byte, with its bounds checked.
    subscript(byte offset: Int) -> UInt8 {
        get {
            precondition(offset >= 0 && offset < byteCount)
            return unsafe unsafeLoad(fromByteOffset: offset, as: UInt8.self)
        }
        set { storeBytes(of: newValue, toByteOffset: offset, as: UInt8.self) }
    }
}
