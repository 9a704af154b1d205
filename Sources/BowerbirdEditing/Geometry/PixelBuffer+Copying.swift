import BowerbirdCore

extension PixelBuffer {
    /// Copies the pixels of `area`, a part of `source`, to where the first of them comes to (`x`, `y`).
    ///
    /// Looks at cancellation between bands. All of it lies in both pictures, which have pixels of the same format.
    mutating func copy(
        _ area: PixelRect, of source: Bitmap, toX x: Int = 0, y: Int = 0
    ) throws(ProcessingError) {
        precondition(PixelRect(source.size).contains(area) && format == source.format)
        precondition(PixelRect(size).contains(PixelRect(x: x, y: y, size: area.size)))
        let (bytesPerPixel, bytesPerRow) = (format.bytesPerPixel, bytesPerRow)
        let (from, to) = (area.y * source.bytesPerRow + area.x * bytesPerPixel, y * bytesPerRow + x * bytesPerPixel)
        try area.size.forEachBand { rows throws(ProcessingError) in
            unsafe source.withUnsafeBytes { pixels in
                unsafe withUnsafeMutableBytes { result in
                    for row in rows {
                        // The row lies in both pictures: their rectangles were checked above.
                        unsafe result.copyRow(
                            at: to + row * bytesPerRow, from: pixels, at: from + row * source.bytesPerRow,
                            count: area.size.width * bytesPerPixel)
                    }
                }
            }
        }
    }
}

extension UnsafeMutableRawBufferPointer {
    fileprivate func copyRow(at offset: Int, from source: UnsafeRawBufferPointer, at start: Int, count: Int) {
        let target = unsafe UnsafeMutableRawBufferPointer(rebasing: self[offset..<offset + count])
        unsafe target.copyMemory(from: UnsafeRawBufferPointer(rebasing: source[start..<start + count]))
    }
}
