public import BowerbirdCore
import BowerbirdRaster

/// Reads bitmaps of Windows and OS/2: every header, 1 to 32 bits a pixel, any masks, and run lengths.
///
/// As in browsers, alpha counts only where the header says that there is some. Pixels that run lengths jump over are
/// black, because the format has no transparent ones. A file that ends early or is damaged shows what there is, with a warning.
public struct BMPDecoder: ImageDecoder {
    /// It has no settings: see `DecodingOptions`.
    public init() {}

    public var formats: [ImageFormat] { [.bmp] }

    public func header(of bytes: RawSpan) throws(DecodingError) -> ImageHeader { try dib(of: bytes).imageHeader }

    public func decode(_ bytes: RawSpan, _ options: DecodingOptions) throws(DecodingError) -> DecodedImage {
        let dib = try dib(of: bytes)
        let header = dib.imageHeader
        try options.limits.check(dib.size)
        if case .icc(let profile) = header.profile { try options.limits.check(metadataByteCount: profile.bytes.count) }
        var warning: ImageWarning?
        let pixels = try dib.readPixels(bytes, options.pixels, &warning)
        return DecodedImage(
            bitmap: try Finishing(header, options).finish(pixels), header: header,
            warnings: warning.map { [$0] } ?? [], profile: options.profile(of: header))
    }

    /// Only the density.
    public func metadata(of bytes: RawSpan, _ limits: DecodingLimits) throws(DecodingError) -> ImageMetadata {
        ImageMetadata(density: try dib(of: bytes).density)
    }

    private func dib(of bytes: RawSpan) throws(DecodingError) -> DIBHeader {
        guard !bytes.isEmpty else { throw .empty }
        guard bytes.byteCount < 2 || bytes.matches("BM") else { throw .corrupt("it does not begin as a BMP file does") }
        let pixelOffset = try bytes.required32(at: 10)
        return try DIBHeader(bytes, at: DIBHeader.fileHeaderByteCount, in: .file(pixelOffset: pixelOffset))
    }
}

extension DIBHeader {
    var imageHeader: ImageHeader {
        ImageHeader(format: .bmp, storedSize: size, hasAlpha: hasAlpha, profile: profile)
    }

    /// All pixels that there are, without an icon's mask. Throws where there are none.
    func readPixels(
        _ bytes: RawSpan, _ pixels: DecodingOptions.Pixels, _ warning: inout ImageWarning?
    ) throws(DecodingError) -> Bitmap {
        guard var buffer = PixelBuffer(size: size, format: pixels.format(bitsPerComponent: 8)) else {
            throw .outOfMemory(size)
        }
        buffer.isOpaque = try readPixels(bytes, into: &buffer, &warning)
        if buffer.format == .bgra8Premultiplied, !buffer.isOpaque {
            buffer.withUnsafeMutableBytes { Premultiplying.premultiply(bgra: $0) }
        }
        return buffer.freeze()
    }

    /// Writes pixels, straight, and says whether all of them are opaque.
    func readPixels(
        _ bytes: RawSpan, into buffer: inout PixelBuffer, _ warning: inout ImageWarning?
    ) throws(DecodingError) -> Bool {
        let packing = PackedPixel(buffer.format)
        if var runs = DIBRuns(self, in: bytes, packing) {
            buffer.fill(packing.pack(0, 0, 0))
            warning = try runs.read(bytes, into: &buffer)
            if runs.pixelCount == 0, let warning { throw DecodingError(warning) }
            return true
        }
        guard let rows = DIBRows(self, in: bytes, packing) else { return false }
        let count = try rows.read(bytes, into: &buffer)
        guard count < size.height else { return !hasAlpha }
        guard count > 0 else { throw .truncated(atByte: bytes.byteCount) }
        warning = .truncated(atByte: bytes.byteCount)
        return false
    }
}

extension PixelBuffer {
    /// Makes every pixel, of 8 bits a component, `pixel`.
    mutating func fill(_ pixel: UInt32) {
        withUnsafeMutableBytes { bytes in
            _ = bytes.initializeMemory(as: UInt32.self, repeating: pixel)
        }
    }

    /// Whether every pixel, of 8 bits a component, is opaque.
    var hasOnlyFullAlpha: Bool {
        mutating get {
            withUnsafeMutableBytes { bytes in
                stride(from: 3, to: bytes.count, by: 4).allSatisfy { bytes[$0] == 255 }
            }
        }
    }
}
