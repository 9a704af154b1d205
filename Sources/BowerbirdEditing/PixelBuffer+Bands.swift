import BowerbirdCore

extension PixelBuffer {
    /// Calls `body` for the bytes of the rows from top to bottom, as many rows at a time as `PixelSize.forEachBand` says.
    mutating func forEachBand(
        _ body: (UnsafeMutableRawBufferPointer) -> Void
    ) throws(ProcessingError) {
        let bytesPerRow = bytesPerRow
        try size.forEachBand { rows throws(ProcessingError) in
            unsafe withUnsafeMutableBytes { bytes in
                let range = rows.lowerBound * bytesPerRow..<rows.upperBound * bytesPerRow
                unsafe body(UnsafeMutableRawBufferPointer(rebasing: bytes[range]))
            }
        }
    }
}
