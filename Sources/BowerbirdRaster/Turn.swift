import BowerbirdCore
import CKernels

/// Brings pixels of four bytes to where an orientation wants them, by kernels that move whole blocks.
struct Turn {
    private let orientation: Orientation
    private let source: PixelSize
    private let result: PixelSize

    /// Rows of the result between two looks at `Task.isCancelled`; a multiple of the side of the kernel's tiles.
    private static let bandHeight = 128

    init(_ orientation: Orientation, from source: PixelSize, to result: PixelSize) {
        self.orientation = orientation
        self.source = source
        self.result = result
    }

    /// Both have the sizes told before and no gaps between their rows, which keeps all that follows inside of them.
    func run(_ bitmap: Bitmap, into buffer: inout PixelBuffer) throws(RasterError) {
        precondition(bitmap.size == source && bitmap.bytesPerRow == source.width * 4)
        precondition(buffer.size == result && buffer.bytesPerRow == result.width * 4)
        for start in stride(from: 0, to: result.height, by: Self.bandHeight) {
            guard !Task.isCancelled else { throw .cancelled }
            let band = start..<min(start + Self.bandHeight, result.height)
            unsafe bitmap.withUnsafeBytes { from in
                unsafe buffer.withUnsafeMutableBytes { to in
                    guard let from = from.baseAddress, let to = to.baseAddress else { return }
                    unsafe turn(
                        band, from.assumingMemoryBound(to: UInt8.self), to.assumingMemoryBound(to: UInt8.self))
                }
            }
        }
    }

    private func turn(_ band: Range<Int>, _ from: UnsafePointer<UInt8>, _ to: UnsafeMutablePointer<UInt8>) {
        if orientation.isTransposing {
            unsafe transpose(band, from, to)
        } else {
            for row in band { unsafe copyRow(row, from, to) }
        }
    }

    /// Rows become columns; what goes from the bottom up starts at the last row.
    private func transpose(_ band: Range<Int>, _ from: UnsafePointer<UInt8>, _ to: UnsafeMutablePointer<UInt8>) {
        let readsUp = orientation == .rightTop || orientation == .rightBottom
        let writesUp = orientation == .leftBottom || orientation == .rightBottom
        let (fromStep, toStep) = (source.width * 4, result.width * 4)
        let firstRead = readsUp ? (source.height - 1) * fromStep : 0
        let firstWritten = (writesUp ? result.height - 1 - band.lowerBound : band.lowerBound) * toStep
        unsafe bb_transpose(
            from + firstRead + band.lowerBound * 4, readsUp ? -fromStep : fromStep,
            to + firstWritten, writesUp ? -toStep : toStep, result.width, band.count)
    }

    private func copyRow(_ row: Int, _ from: UnsafePointer<UInt8>, _ to: UnsafeMutablePointer<UInt8>) {
        let readsUp = orientation == .bottomLeft || orientation == .bottomRight
        let read = unsafe from + (readsUp ? source.height - 1 - row : row) * source.width * 4
        let written = unsafe to + row * source.width * 4
        if orientation == .bottomLeft {
            unsafe written.update(from: read, count: source.width * 4)
        } else {
            unsafe bb_mirror_row(read, written, source.width)
        }
    }
}
