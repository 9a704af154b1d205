import Bowerbird
import BowerbirdCore

/// Decodes every TIFF file to a picture with this header, each page a little redder than the one before.
struct StubDecoder: ImageDecoder {
    static let file: [UInt8] = [0x49, 0x49, 0x2A, 0, 8, 0, 0, 0]

    var header: ImageHeader
    var metadata: ImageMetadata?
    var warnings: [ImageWarning] = []

    let formats = [ImageFormat.tiff]

    init(_ size: PixelSize = PixelSize(width: 8, height: 6), pages: Int = 1, profile: ColorProfile = .unspecified) {
        header = ImageHeader(format: .tiff, storedSize: size, profile: profile, frameCount: pages)
    }

    func header(of bytes: RawSpan) throws(DecodingError) -> ImageHeader { header }

    func decode(_ bytes: RawSpan, _ options: DecodingOptions) throws(DecodingError) -> DecodedImage {
        let format: PixelFormat = options.pixels == .exact ? .rgba8Straight : .bgra8Premultiplied
        let bitmap = try Bitmap.solid(options.outputSize(of: header.size), format, red: UInt8(10 * options.page))
        let profile = options.color == .asStored ? header.profile : .sRGB
        return DecodedImage(bitmap: bitmap, header: header, warnings: warnings, profile: profile)
    }

    func metadata(of bytes: RawSpan, _ limits: DecodingLimits) throws(DecodingError) -> ImageMetadata {
        guard let metadata else { throw .corrupt("its EXIF data are torn") }
        return metadata
    }
}

/// Writes nothing of a picture, and remembers how it was to be written.
final class EncoderRecorder: ImageEncoder {
    let format: ImageFormat
    private let state = Lock<[(bitmap: Bitmap, options: EncodingOptions)]>([])

    init(_ format: ImageFormat) { self.format = format }

    var options: EncodingOptions? { state.withLock { $0.last?.options } }
    var bitmap: Bitmap? { state.withLock { $0.last?.bitmap } }

    func encode(_ bitmap: Bitmap, _ options: EncodingOptions) throws(EncodingError) -> EncodedImage {
        state.withLock { $0.append((bitmap, options)) }
        guard let file = EncodedImage(Array("written".utf8)) else { throw .outOfMemory }
        return file
    }
}
