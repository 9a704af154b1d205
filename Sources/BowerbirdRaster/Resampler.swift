package import BowerbirdCore
import CKernels

/// Brings pictures of one size to another, each axis by itself, up or down.
///
/// Making one computes the coefficients, which costs little beside the first picture; one may serve many pictures.
@safe
package struct Resampler: ~Copyable {
    /// How a pixel is made from those around it.
    package enum Filter: String, Hashable, Sendable, CaseIterable {
        /// The mean of the area that the pixel covers: fastest, and soft.
        case box
        case catmullRom
        /// The sharpest, with some ringing. The default everywhere.
        case lanczos3
    }

    private let source: PixelSize
    private let destination: PixelSize
    private let isOpaque: Bool
    private let kernel: OpaquePointer

    /// Rows of the result between two looks at `Task.isCancelled`; enough that each call's working memory is no cost.
    private static let bandHeight = 64

    /// With `isOpaque` the alpha of the source is not looked at, and that of the result is full.
    package init(
        from source: PixelSize, to destination: PixelSize, filter: Filter = .lanczos3, isOpaque: Bool
    ) throws(RasterError) {
        let kernel = unsafe bb_resampler_create(
            BBPixelSize(source), BBPixelSize(destination), filter.kernel, isOpaque, bb_best_instruction_set())
        guard let kernel = unsafe kernel else { throw .outOfMemory(destination) }
        self.source = source
        self.destination = destination
        self.isOpaque = isOpaque
        unsafe self.kernel = kernel
    }

    deinit { unsafe bb_resampler_destroy(kernel) }

    /// The picture in the new size. Looks at `Task.isCancelled` between bands of rows.
    package func resample(_ bitmap: Bitmap) throws(RasterError) -> Bitmap {
        guard bitmap.format == .bgra8Premultiplied else { throw .unsupportedPixels(bitmap.format) }
        precondition(bitmap.size == source, "a picture of \(bitmap.size) for a resampler from \(source)")
        return try unsafe bitmap.withUnsafeBytes { bytes throws(RasterError) in
            try unsafe resample(bytes, bytesPerRow: bitmap.bytesPerRow)
        }
    }

    /// The same for pixels that are still being written.
    package func resample(_ buffer: inout PixelBuffer) throws(RasterError) -> Bitmap {
        guard buffer.format == .bgra8Premultiplied else { throw .unsupportedPixels(buffer.format) }
        precondition(buffer.size == source, "a picture of \(buffer.size) for a resampler from \(source)")
        let bytesPerRow = buffer.bytesPerRow
        return try unsafe buffer.withUnsafeMutableBytes { bytes throws(RasterError) in
            try unsafe resample(UnsafeRawBufferPointer(bytes), bytesPerRow: bytesPerRow)
        }
    }

    private func resample(_ bytes: UnsafeRawBufferPointer, bytesPerRow: Int) throws(RasterError) -> Bitmap {
        guard var result = PixelBuffer(size: destination, isOpaque: isOpaque) else { throw .outOfMemory(destination) }
        for firstRow in stride(from: 0, to: destination.height, by: Self.bandHeight) {
            guard !Task.isCancelled else { throw .cancelled }
            try unsafe writeBand(from: firstRow, of: &result, bytes, bytesPerRow)
        }
        return result.freeze()
    }

    private func writeBand(
        from firstRow: Int, of result: inout PixelBuffer, _ bytes: UnsafeRawBufferPointer, _ bytesPerRow: Int
    ) throws(RasterError) {
        let resultBytesPerRow = result.bytesPerRow
        let rowCount = min(Self.bandHeight, destination.height - firstRow)
        let isWritten = unsafe result.withUnsafeMutableBytes { pixels -> Bool in
            guard let input = bytes.baseAddress, let output = pixels.baseAddress else { return false }
            return unsafe bb_resampler_run(
                kernel, input.assumingMemoryBound(to: UInt8.self), bytesPerRow,
                output.assumingMemoryBound(to: UInt8.self), resultBytesPerRow, firstRow, rowCount)
        }
        guard isWritten else { throw .outOfMemory(destination) }
    }
}

extension Resampler.Filter {
    fileprivate var kernel: BBResampleFilter {
        switch self {
        case .box: BBResampleBox
        case .catmullRom: BBResampleCatmullRom
        case .lanczos3: BBResampleLanczos3
        }
    }
}

extension BBPixelSize {
    fileprivate init(_ size: PixelSize) { self.init(width: size.width, height: size.height) }
}

extension Bitmap {
    /// The picture in another size; itself where it has that size already.
    package func resampled(
        to size: PixelSize, filter: Resampler.Filter = .lanczos3
    ) throws(RasterError) -> Bitmap {
        guard size != self.size else { return self }
        return try Resampler(from: self.size, to: size, filter: filter, isOpaque: isOpaque).resample(self)
    }
}
