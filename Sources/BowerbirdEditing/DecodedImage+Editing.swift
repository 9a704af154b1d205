import BowerbirdCore

/// What processors are made of. Edits work on the canonical pixels only.
extension DecodedImage {
    /// A copy of the picture with its pixels changed by `body`.
    func edited(
        _ body: (inout PixelBuffer) throws(ProcessingError) -> Void
    ) throws(ProcessingError) -> DecodedImage {
        let bitmap = try editableBitmap()
        guard var pixels = PixelBuffer(copying: bitmap) else { throw .outOfMemory(bitmap.size) }
        try body(&pixels)
        return with(pixels.freeze())
    }

    /// A new picture of `size`, which is transparent until `body` draws on it, with the pixels of this one to look at.
    func redrawn(
        _ size: PixelSize, isOpaque: Bool,
        _ body: (_ source: Bitmap, _ pixels: inout PixelBuffer) throws(ProcessingError) -> Void
    ) throws(ProcessingError) -> DecodedImage {
        let bitmap = try editableBitmap()
        guard var pixels = PixelBuffer(size: size, isOpaque: isOpaque) else { throw .outOfMemory(size) }
        try body(bitmap, &pixels)
        return with(pixels.freeze())
    }

    private func editableBitmap() throws(ProcessingError) -> Bitmap {
        guard bitmap.format == .bgra8Premultiplied else { throw .unsupportedPixels(bitmap.format) }
        guard !Task.isCancelled else { throw .cancelled }
        return bitmap
    }
}

extension PixelSize {
    /// Calls `body` for the rows from top to bottom, as many at a time as have about a megabyte, and ends with
    /// `.cancelled` between two of them when the task is cancelled.
    func forEachBand(_ body: (Range<Int>) throws(ProcessingError) -> Void) throws(ProcessingError) {
        let step = max(1, (1 << 18) / max(1, width))
        for start in stride(from: 0, to: height, by: step) {
            guard !Task.isCancelled else { throw .cancelled }
            try body(start..<min(start + step, height))
        }
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
