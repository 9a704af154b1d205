public import BowerbirdCore
import BowerbirdRaster

/// Makes a picture of large square blocks, each the mean of the pixels it covers: to hide a face or a number.
///
/// The first block is in the upper left corner; those at the right and the lower edge are cut off there. Transparent
/// pixels give no colour.
public struct Pixelate: ImageProcessor, Hashable {
    /// The side of a block, in pixels of the picture it is given, at least 1, which changes nothing. May be larger than
    /// the picture, which then becomes its mean; more than 65536 counts as that.
    public var blockSize: Int

    /// A side in pixels.
    public init(blockSize: Int) {
        self.blockSize = blockSize
    }

    public var cacheKey: String { "pixelate \(usedBlockSize)" }

    public func process(_ image: DecodedImage) throws(ProcessingError) -> DecodedImage {
        guard blockSize > 0 else { throw .invalidParameter("a picture cannot have blocks of \(blockSize) pixels") }
        guard blockSize > 1 else { return image }
        return try image.edited { pixels throws(ProcessingError) in
            for row in stride(from: 0, to: pixels.size.height, by: usedBlockSize) {
                guard !Task.isCancelled else { throw .cancelled }
                flattenBlocks(from: row, of: &pixels)
            }
        }
    }

    private var usedBlockSize: Int { min(blockSize, 65536) }

    private func flattenBlocks(from row: Int, of pixels: inout PixelBuffer) {
        let (size, bytesPerRow) = (pixels.size, pixels.bytesPerRow)
        let range = row * bytesPerRow..<min(row + usedBlockSize, size.height) * bytesPerRow
        unsafe pixels.withUnsafeMutableBytes { bytes in
            unsafe Effects.pixelate(
                UnsafeMutableRawBufferPointer(rebasing: bytes[range]), bytesPerRow: bytesPerRow, width: size.width,
                blockWidth: usedBlockSize)
        }
    }
}
