public import BowerbirdCore
import BowerbirdRaster

/// Reads QOI files. One that ends early shows the pixels that are there, with a warning.
public struct QOIDecoder: ImageDecoder {
    /// It has no settings: see `DecodingOptions`.
    public init() {}

    public var formats: [ImageFormat] { [.qoi] }

    /// Rows between two looks at `Task.isCancelled`.
    private static let bandHeight = 64

    public func header(of bytes: RawSpan) throws(DecodingError) -> ImageHeader { try QOIHeader(of: bytes).imageHeader }

    public func decode(_ bytes: RawSpan, _ options: DecodingOptions) throws(DecodingError) -> DecodedImage {
        let header = try QOIHeader(of: bytes)
        try options.limits.check(header.size)
        let format: PixelFormat = options.pixels == .display ? .bgra8Premultiplied : .rgba8Straight
        guard var buffer = PixelBuffer(size: header.size, format: format, isOpaque: !header.hasAlpha) else {
            throw .outOfMemory(header.size)
        }
        let warning = try unpack(bytes, header, into: &buffer)
        let imageHeader = header.imageHeader
        return DecodedImage(
            bitmap: try Finishing(imageHeader, options).finish(buffer.freeze()), header: imageHeader,
            warnings: warning.map { [$0] } ?? [], profile: options.profile(of: imageHeader))
    }

    private func unpack(
        _ bytes: RawSpan, _ header: QOIHeader, into buffer: inout PixelBuffer
    ) throws(DecodingError) -> ImageWarning? {
        var unpacker = QOIUnpacker(header, buffer.format)
        let (pixelCount, width) = (header.size.pixelCount, header.size.width)
        let isComplete = try bytes.withUnsafeBytes { file throws(DecodingError) -> Bool in
            for start in stride(from: 0, to: pixelCount, by: width * Self.bandHeight) {
                try DecodingError.checkCancellation()
                let range = start..<min(start + width * Self.bandHeight, pixelCount)
                let count = buffer.fill(range, premultiplies: header.hasAlpha) { unpacker.unpack(file, into: $0) }
                if start + count == 0 { throw .truncated(atByte: bytes.byteCount) }
                if count < range.count { return false }
            }
            return true
        }
        if isComplete { return unpacker.warning(at: bytes) }
        buffer.isOpaque = false
        return .truncated(atByte: bytes.byteCount)
    }
}

extension PixelBuffer {
    /// Gives some pixels, counted from the first, to be written straight, and premultiplies them where the format wants
    /// that. Gives what `write` did.
    fileprivate mutating func fill(
        _ pixels: Range<Int>, premultiplies: Bool, _ write: (UnsafeMutableBufferPointer<UInt32>) -> Int
    ) -> Int {
        let premultiplies = premultiplies && format == .bgra8Premultiplied
        return withUnsafeMutableBytes { bytes in
            let part = UnsafeMutableRawBufferPointer(rebasing: bytes[4 * pixels.lowerBound..<4 * pixels.upperBound])
            let count = write(part.assumingMemoryBound(to: UInt32.self))
            if premultiplies { Premultiplying.premultiply(bgra: part) }
            return count
        }
    }
}
