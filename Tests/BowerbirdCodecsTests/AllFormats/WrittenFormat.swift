import BowerbirdCodecs
import BowerbirdCore
import Testing

/// A format that this build writes, and what its files can carry.
struct WrittenFormat: Sendable, CustomTestStringConvertible {
    let format: ImageFormat
    var loss: Loss
    /// Bits of a component that come back where nothing is lost.
    var exactBits = 8
    var hasAlpha = true
    /// How the file says that its picture is to be turned.
    var turning = Turning.upright
    var hasICC = false
    var hasCodingPoints = false
    var metadata: Metadata = []
    /// Where wider pictures are refused that a test can make.
    var longestSide: Int?

    enum Loss {
        /// Pixels never come back as they were.
        case always
        /// Only where `EncodingOptions.isLossless` asks for nothing else.
        case unlessAsked
        /// Never.
        case never
        /// Never where the picture has few colours, nothing being one of them.
        case fromManyColors
    }

    enum Turning {
        /// It does not; the pixels are written as they are looked at.
        case upright
        /// In EXIF data.
        case exif
        /// In a place of its own, beside which EXIF data have to be neutral.
        case container
    }

    struct Metadata: OptionSet {
        let rawValue: Int

        static let exif = Metadata(rawValue: 1)
        static let xmp = Metadata(rawValue: 2)
        static let density = Metadata(rawValue: 4)
        static let comments = Metadata(rawValue: 8)
        static let keywords = Metadata(rawValue: 16)
    }

    var testDescription: String { format.name }

    /// Of this build, and of the libraries of this machine, which may lack encoders.
    static let all = table.filter { row in
        do {
            _ = try row.write(makePicture(64, 64))
            return true
        } catch EncodingError.unsupportedFormat {
            return false
        } catch {
            return true
        }
    }

    private static let table: [WrittenFormat] = [
        WrittenFormat(
            format: .jpeg, loss: .always, hasAlpha: false, turning: .exif, hasICC: true,
            metadata: [.exif, .xmp, .density, .comments], longestSide: 65500),
        WrittenFormat(
            format: .png, loss: .never, exactBits: 16, turning: .exif, hasICC: true, hasCodingPoints: true,
            metadata: [.exif, .xmp, .density, .keywords]),
        WrittenFormat(
            format: .gif, loss: .fromManyColors, hasICC: true, metadata: [.xmp, .comments], longestSide: 65535),
        WrittenFormat(
            format: .webP, loss: .unlessAsked, turning: .exif, hasICC: true, metadata: [.exif, .xmp],
            longestSide: 16383),
        WrittenFormat(
            format: .avif, loss: .unlessAsked, exactBits: 12, turning: .container, hasICC: true, hasCodingPoints: true,
            metadata: [.exif, .xmp], longestSide: 65536),
        WrittenFormat(
            format: .heif, loss: .unlessAsked, turning: .container, hasICC: true, hasCodingPoints: true,
            metadata: [.exif, .xmp], longestSide: 16384),
        WrittenFormat(
            format: .jxl, loss: .unlessAsked, exactBits: 16, turning: .container, hasICC: true, hasCodingPoints: true,
            metadata: [.exif, .xmp], longestSide: 1 << 18),
        WrittenFormat(
            format: .tiff, loss: .never, exactBits: 16, turning: .container, hasICC: true, metadata: [.xmp, .density]),
        WrittenFormat(format: .bmp, loss: .never, hasICC: true, metadata: [.density]),
        WrittenFormat(format: .qoi, loss: .never),
    ]

    /// Those that can be written smaller and worse.
    static let lossy = all.filter { [.always, .unlessAsked].contains($0.loss) }

    var isExact: Bool { loss != .always }
    var isSlow: Bool { [.avif, .heif].contains(format) }

    /// Made quickly, and without loss where that can be had.
    var options: EncodingOptions {
        var options = EncodingOptions(quality: 1)
        options.effort = 0
        options.isLossless = loss == .unlessAsked
        return options
    }

    func write(_ bitmap: Bitmap, _ change: (inout EncodingOptions) -> Void = { _ in }) throws -> [UInt8] {
        var options = options
        change(&options)
        return try CodecSet.builtIn.encode(bitmap, as: format, options).withUnsafeBytes { Array($0) }
    }

    /// A picture that comes back as it was wherever nothing is lost.
    func picture(
        _ width: Int, _ height: Int, format: PixelFormat = .rgba8Straight, isOpaque: Bool? = nil
    ) throws -> Bitmap {
        let isOpaque = isOpaque ?? !hasAlpha
        if loss == .fromManyColors { return try makePoster(width, height, format: format, isOpaque: isOpaque) }
        return try makePicture(width, height, format: format, isOpaque: isOpaque)
    }
}

/// Patches of few colours, with holes where it is not opaque.
func makePoster(
    _ width: Int, _ height: Int, format: PixelFormat = .rgba8Straight, isOpaque: Bool = true
) throws -> Bitmap {
    try paint(width, height, format, isOpaque: isOpaque) { x, y in
        let isHole = !isOpaque && (x / 5 + 2 * (y / 3)) % 4 == 1
        if isHole { return [0, 0, 0, 0] }
        let (red, green, blue) = (x / 3 * 40, y / 4 * 60, (x / 6 + y / 5) * 90)
        return [red % 256, green % 256, blue % 256, 255]
    }
}

/// A picture from red, green, blue and alpha of each pixel, straight, 0 to 255.
func paint(
    _ width: Int, _ height: Int, _ format: PixelFormat = .rgba8Straight, isOpaque: Bool,
    _ color: (_ x: Int, _ y: Int) -> [Int]
) throws -> Bitmap {
    var buffer = try makeBuffer(width, height, format, isOpaque: isOpaque)
    for y in 0..<height {
        buffer.withRow(y) { row in
            for x in 0..<width { store(color(x, y), format, x, &row) }
        }
    }
    return buffer.freeze()
}

private func store(_ color: [Int], _ format: PixelFormat, _ x: Int, _ row: inout MutableRawSpan) {
    switch format {
    case .bgra8Premultiplied:
        let premultiplied = color[..<3].reversed().map { ($0 * color[3] + 127) / 255 } + [color[3]]
        for (index, value) in premultiplied.enumerated() {
            row.storeBytes(of: UInt8(value), toByteOffset: 4 * x + index, as: UInt8.self)
        }
    case .rgba8Straight:
        for (index, value) in color.enumerated() {
            row.storeBytes(of: UInt8(value), toByteOffset: 4 * x + index, as: UInt8.self)
        }
    case .rgba16Straight:
        for (index, value) in color.enumerated() {
            row.storeBytes(of: UInt16(value * 257), toByteOffset: 8 * x + 2 * index, as: UInt16.self)
        }
    }
}

extension CodecSet {
    func decode(_ file: [UInt8], _ options: DecodingOptions = DecodingOptions()) throws(DecodingError) -> DecodedImage {
        try decode(file.span.bytes, options)
    }

    func metadata(of file: [UInt8], _ limits: DecodingLimits = DecodingLimits()) throws(DecodingError) -> ImageMetadata
    {
        try metadata(of: file.span.bytes, limits)
    }
}
