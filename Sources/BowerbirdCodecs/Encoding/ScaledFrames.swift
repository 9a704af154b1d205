import BowerbirdCore
import BowerbirdRaster

/// The frames of an animation in another size, each scaled when it is asked for.
final class ScaledFrames: FrameSource {
    let size: PixelSize
    private let source: any FrameSource

    init(_ source: any FrameSource, to size: PixelSize) {
        self.source = source
        self.size = size
    }

    var delays: [Duration] { source.delays }
    var loopCount: LoopCount { source.loopCount }
    var byteCount: Int { source.byteCount }

    func frame(at index: Int) throws(DecodingError) -> Bitmap {
        let frame = try source.frame(at: index)
        do throws(RasterError) {
            return try frame.forDisplay(whereNot: size).resampled(to: size)
        } catch {
            throw DecodingError(error)
        }
    }
}

extension Bitmap {
    func scaledForEncoding(to size: PixelSize) throws(EncodingError) -> Bitmap {
        do throws(RasterError) {
            return try forDisplay(whereNot: size).resampled(to: size)
        } catch {
            throw EncodingError(error)
        }
    }

    /// The only pixels that can be scaled; itself where its size is right.
    fileprivate func forDisplay(whereNot size: PixelSize) throws(RasterError) -> Bitmap {
        guard size != self.size, format != .bgra8Premultiplied else { return self }
        guard var buffer = PixelBuffer(size: self.size, isOpaque: isOpaque) else { throw .outOfMemory(self.size) }
        for row in 0..<self.size.height {
            withRow(row) { source in
                buffer.withRow(row) { result in
                    source.withUnsafeBytes { source in
                        result.withUnsafeMutableBytes { result in format.copyAsBGRA(source, to: result) }
                    }
                }
            }
        }
        return buffer.freeze()
    }
}

extension PixelFormat {
    /// Straight pixels become premultiplied ones of 8 bits.
    fileprivate func copyAsBGRA(_ source: UnsafeRawBufferPointer, to result: UnsafeMutableRawBufferPointer) {
        let values = source.assumingMemoryBound(to: UInt16.self)
        let isWide = self == .rgba16Straight
        for pixel in stride(from: 0, to: result.count, by: 4) {
            for (index, target) in [2, 1, 0, 3].enumerated() {
                let value = isWide ? UInt8((UInt32(values[pixel + index]) + 128) / 257) : source[pixel + index]
                result[pixel + target] = value
            }
        }
        Premultiplying.premultiply(bgra: result)
    }
}
