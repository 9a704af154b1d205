package import BowerbirdCore
import CKernels
import Glibc

/// A Gaussian blur made of three means of neighbours, the width of each a fraction where it has to be.
///
/// What it costs does not depend on how strong it is. P. Gwosdek, S. Grewenig, A. Bruhn, J. Weickert, "Theoretical
/// Foundations of Gaussian Convolution by Extended Box Filtering", 2011.
package struct GaussianBlur {
    /// Of the Gaussian, in pixels; stronger ones than this cannot be told from it.
    package static let greatestDeviation = 100_000.0

    private let filter: BBBoxFilter

    /// A standard deviation in pixels, from 0 to `greatestDeviation`.
    package init(deviation: Double) {
        precondition(deviation >= 0 && deviation <= Self.greatestDeviation)
        let variance = deviation * deviation / 3
        let reach = (((12 * variance + 1).squareRoot() - 1) / 2).rounded(.down)
        let whole = 2 * reach + 1
        let edge = whole * (reach * (reach + 1) - 3 * variance) / (6 * (variance - (reach + 1) * (reach + 1)))
        let width = whole + 2 * max(0, edge)
        filter = BBBoxFilter(reach: Int(reach), whole: Float(1 / width), edge: Float(max(0, edge) / width))
    }

    /// The picture blurred; its edge pixels go on outside. It allocates the result and scratch for sixteen lines. Looks
    /// at `Task.isCancelled` between bands of them.
    package func blurred(_ bitmap: Bitmap) throws(RasterError) -> Bitmap {
        guard bitmap.format == .bgra8Premultiplied else { throw .unsupportedPixels(bitmap.format) }
        guard var result = PixelBuffer(size: bitmap.size, isOpaque: bitmap.isOpaque),
            let scratch = Scratch(length: max(bitmap.size.width, bitmap.size.height))
        else { throw .outOfMemory(bitmap.size) }
        try blurRows(of: bitmap, into: &result, scratch)
        try blurColumns(of: &result, scratch)
        return result.freeze()
    }

    private func blurRows(
        of bitmap: Bitmap, into result: inout PixelBuffer, _ scratch: borrowing Scratch
    ) throws(RasterError) {
        let (size, sourceStride, stride) = (bitmap.size, bitmap.bytesPerRow, result.bytesPerRow)
        for row in Swift.stride(from: 0, to: size.height, by: Self.lineCount) {
            guard !Task.isCancelled else { throw .cancelled }
            unsafe bitmap.withUnsafeBytes { source in
                unsafe result.withUnsafeMutableBytes { pixels in
                    guard let input = source.baseAddress, let output = pixels.baseAddress else { return }
                    // Rows up to the height, as wide as both pictures are; the scratch is as long as the longer side.
                    unsafe bb_blur_rows(
                        filter, (input + row * sourceStride).assumingMemoryBound(to: UInt8.self), sourceStride,
                        (output + row * stride).assumingMemoryBound(to: UInt8.self), stride, size.width,
                        min(Self.lineCount, size.height - row), scratch.words, Self.instructionSet)
                }
            }
        }
    }

    private func blurColumns(of result: inout PixelBuffer, _ scratch: borrowing Scratch) throws(RasterError) {
        let (size, stride) = (result.size, result.bytesPerRow)
        for column in Swift.stride(from: 0, to: size.width, by: Self.lineCount) {
            guard !Task.isCancelled else { throw .cancelled }
            unsafe result.withUnsafeMutableBytes { pixels in
                guard let output = pixels.baseAddress else { return }
                // Columns up to the width; the scratch is as long as the longer side.
                unsafe bb_blur_columns(
                    filter, (output + column * 4).assumingMemoryBound(to: UInt8.self), stride, size.height,
                    min(Self.lineCount, size.width - column), scratch.words, Self.instructionSet)
            }
        }
    }

    private static let lineCount = Int(BB_BLUR_LINES)
    private static let instructionSet = bb_best_instruction_set()
}

/// Room for lines while they are blurred.
@safe
private struct Scratch: ~Copyable {
    let words: UnsafeMutablePointer<UInt16>

    /// Nil where the machine has no memory.
    init?(length: Int) {
        let count = bb_blur_scratch_count(length)
        guard let memory = unsafe calloc(count, MemoryLayout<UInt16>.size) else { return nil }
        unsafe words = memory.bindMemory(to: UInt16.self, capacity: count)
    }

    deinit { unsafe free(words) }
}
