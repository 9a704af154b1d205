import BowerbirdCore

extension DecodedImage {
    /// A copy of the picture, changed by `body` a few rows at a time: each strip is changed right after it was copied,
    /// while the processor still has it at hand. `body` must not let go of the bytes, which are those of `rows`, without
    /// gaps. Ends with `.cancelled` between two strips when the task is cancelled.
    func editedInStrips(
        isOpaque: Bool? = nil,
        _ body: (_ rows: Range<Int>, _ bytes: UnsafeMutableRawBufferPointer) throws(ProcessingError) -> Void
    ) throws(ProcessingError) -> DecodedImage {
        try redrawn(size, isOpaque: isOpaque ?? bitmap.isOpaque) { source, pixels throws(ProcessingError) in
            let bytesPerRow = source.bytesPerRow
            let step = max(1, Self.stripByteCount / bytesPerRow)
            for start in stride(from: 0, to: size.height, by: step) {
                guard !Task.isCancelled else { throw .cancelled }
                let rows = start..<min(start + step, size.height)
                let place = rows.lowerBound * bytesPerRow..<rows.upperBound * bytesPerRow
                try unsafe pixels.withUnsafeMutableBytes { pixels throws(ProcessingError) in
                    let strip = unsafe UnsafeMutableRawBufferPointer(rebasing: pixels[place])
                    unsafe source.withUnsafeBytes { unsafe strip.copyMemory(from: .init(rebasing: $0[place])) }
                    try unsafe body(rows, strip)
                }
            }
        }
    }

    /// A part of what the second cache of a processor holds.
    private static var stripByteCount: Int { 1 << 16 }
}
