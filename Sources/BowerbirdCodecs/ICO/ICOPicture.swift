import BowerbirdCore
import BowerbirdRaster

/// One picture of an icon: a bitmap with a mask, or a PNG file.
enum ICOPicture {
    case bitmap(DIBHeader)
    case png

    private static let pngSignature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    /// `bytes` are all of the file from where the picture begins.
    init(_ bytes: RawSpan) throws(DecodingError) {
        if bytes.matches(Self.pngSignature) {
            self = .png
        } else {
            self = .bitmap(try DIBHeader(bytes, at: 0, in: .icon))
        }
    }

    func header(_ bytes: RawSpan) throws(DecodingError) -> ImageHeader {
        switch self {
        case .bitmap(let dib):
            return ImageHeader(format: .ico, storedSize: dib.size, hasAlpha: true, profile: dib.profile)
        case .png:
            #if PNG
                return try PNGDecoder().header(of: bytes)
            #else
                throw .unrecognized(bytes)
            #endif
        }
    }

    func decode(_ bytes: RawSpan, _ options: DecodingOptions) throws(DecodingError) -> DecodedImage {
        var options = options
        options.page = 0
        options.firstFrameOnly = true
        switch self {
        case .bitmap(let dib): return try decode(dib, bytes, options)
        case .png:
            #if PNG
                return try PNGDecoder().decode(bytes, options)
            #else
                throw .unrecognized(bytes)
            #endif
        }
    }

    private func decode(
        _ dib: DIBHeader, _ bytes: RawSpan, _ options: DecodingOptions
    ) throws(DecodingError) -> DecodedImage {
        let header = try header(bytes)
        try options.limits.check(dib.size)
        if case .icc(let profile) = dib.profile { try options.limits.check(metadataByteCount: profile.bytes.count) }
        guard var buffer = PixelBuffer(size: dib.size, format: options.pixels.format(bitsPerComponent: 8)) else {
            throw .outOfMemory(dib.size)
        }
        let warning = try dib.readMaskedPixels(bytes, into: &buffer)
        buffer.isOpaque = buffer.hasOnlyFullAlpha
        if buffer.format == .bgra8Premultiplied, !buffer.isOpaque {
            buffer.withUnsafeMutableBytes { Premultiplying.premultiply(bgra: $0) }
        }
        return DecodedImage(
            bitmap: try Finishing(header, options).finish(buffer.freeze()), header: header,
            warnings: warning.map { [$0] } ?? [], profile: options.profile(of: header))
    }
}

extension DIBHeader {
    /// Writes pixels, straight. Alpha counts where any pixel has some; else the mask says what is transparent.
    fileprivate func readMaskedPixels(
        _ bytes: RawSpan, into buffer: inout PixelBuffer
    ) throws(DecodingError) -> ImageWarning? {
        var warning: ImageWarning?
        _ = try readPixels(bytes, into: &buffer, &warning)
        guard warning == nil, let rows = DIBRows(self, in: bytes, PackedPixel(buffer.format)) else { return warning }
        if hasAlpha {
            if buffer.hasAnyAlpha { return nil }
            buffer.makeOpaque()
        }
        return buffer.applyMask(bytes, at: rows.end, self)
    }
}

extension PixelBuffer {
    fileprivate var hasAnyAlpha: Bool {
        mutating get {
            withUnsafeMutableBytes { bytes in stride(from: 3, to: bytes.count, by: 4).contains { bytes[$0] != 0 } }
        }
    }

    fileprivate mutating func makeOpaque() {
        withUnsafeMutableBytes { bytes in for index in stride(from: 3, to: bytes.count, by: 4) { bytes[index] = 255 } }
    }

    /// Where a bit of the mask is set the picture is transparent. Without all of the mask the rest stays opaque.
    fileprivate mutating func applyMask(_ bytes: RawSpan, at offset: Int, _ header: DIBHeader) -> ImageWarning? {
        let (width, bytesPerRow) = (size.width, DIBRows.bytesPerRow(width: size.width, bits: 1))
        for index in 0..<size.height {
            let start = offset + bytesPerRow * index
            guard start + (width + 7) / 8 <= bytes.byteCount else { return .truncated(atByte: bytes.byteCount) }
            withRow(header.row(index)) { row in
                for x in 0..<width where (bytes.byte(at: start + x / 8) ?? 0) << (x % 8) & 0x80 != 0 {
                    row.storeBytes(of: 0, toByteOffset: 4 * x + 3, as: UInt8.self)
                }
            }
        }
        return nil
    }
}
