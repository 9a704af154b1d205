import BowerbirdCore

/// Unpacks single frames of a GIF file.
struct GIFFragments: FragmentReader {
    /// A frame, and the bytes that its offsets are in.
    struct Source: Sendable {
        let frame: GIFFrame
        let bytes: EncodedImage
    }

    let sources: [Source]
    /// The palette of the file.
    let palette: [UInt8]?
    let canvas: PixelSize
    let format: PixelFormat
    let limits: DecodingLimits

    /// All lie in one file, or in longer and longer parts of it.
    var byteCount: Int { sources.map(\.bytes.count).max() ?? 0 }

    func pixels(ofFragment index: Int) throws(DecodingError) -> Bitmap {
        let source = sources[index]
        let rect = source.frame.fragment(on: canvas).rect
        let raster = try GIFRaster(source.frame, limits)
        return try source.bytes.withBytes { bytes throws(DecodingError) in
            try raster.read(bytes)
            guard var buffer = PixelBuffer(size: rect.size, format: format) else { throw .outOfMemory(rect.size) }
            raster.paint(into: &buffer, from: (rect.x, rect.y), source.frame.colors(palette, in: bytes, format))
            buffer.isOpaque = raster.isComplete && !source.frame.hasAlpha
            return buffer.freeze()
        }
    }
}

extension GIFFrame {
    /// - Parameter common: The palette of the file.
    func colors(_ common: [UInt8]?, in bytes: RawSpan, _ format: PixelFormat) -> GIFColors {
        let own = palette.map { range in bytes.extracting(range).withUnsafeBytes { Array($0) } }
        return GIFColors(own ?? common, transparentIndex: control.transparentIndex, format)
    }
}
