import Bowerbird
import BowerbirdTestSupport

/// The smallest of animations: each frame has one colour. Its files begin as those of GIF do, so that the commands take
/// them for such.
enum FlipBook {
    struct Page: Hashable {
        var red: UInt8
        /// In 10 ms; 255 marks a frame that cannot be read.
        var delay: UInt8
    }

    static let damage: UInt8 = 255
    private static let signature = Array("GIF89a".utf8)

    static func file(_ pages: [Page], loop: UInt8 = 0, width: UInt8 = 4, height: UInt8 = 3) -> [UInt8] {
        signature + [width, height, loop, UInt8(pages.count)] + pages.flatMap { [$0.red, $0.delay] }
    }

    static func pages(of file: [UInt8]) -> [Page] {
        stride(from: 10, to: file.count - 1, by: 2).map { Page(red: file[$0], delay: file[$0 + 1]) }
    }

    static func loop(of file: [UInt8]) -> UInt8? { file.count > 8 ? file[8] : nil }

    static var codecs: CodecSet {
        var codecs = CodecSet.builtIn
        codecs.add(FlipBookDecoder())
        codecs.add(FlipBookEncoder())
        return codecs
    }
}

private struct FlipBookDecoder: ImageDecoder {
    let formats = [ImageFormat.gif]

    func header(of bytes: RawSpan) throws(DecodingError) -> ImageHeader {
        guard let width = bytes.byte(at: 6), let height = bytes.byte(at: 7) else {
            throw .truncated(atByte: bytes.byteCount)
        }
        let size = PixelSize(width: Int(width), height: Int(height))
        return ImageHeader(format: .gif, storedSize: size, hasAlpha: true, frameCount: nil, isAnimated: true)
    }

    func decode(_ bytes: RawSpan, _ options: DecodingOptions) throws(DecodingError) -> DecodedImage {
        let frames = try FlipBookFrames(bytes, header(of: bytes), options)
        return DecodedImage(bitmap: try frames.frame(at: 0), header: try header(of: bytes))
    }

    func frames(in file: EncodedImage, _ options: DecodingOptions) throws(DecodingError) -> (any FrameSource)? {
        try file.withBytes { bytes throws(DecodingError) in try FlipBookFrames(bytes, header(of: bytes), options) }
    }
}

private struct FlipBookFrames: FrameSource {
    let size: PixelSize
    let loopCount: LoopCount
    private let pages: [FlipBook.Page]
    private let format: PixelFormat

    init(_ bytes: RawSpan, _ header: ImageHeader, _ options: DecodingOptions) throws(DecodingError) {
        let file = (0..<bytes.byteCount).compactMap { bytes.byte(at: $0) }
        guard file.count > 9, FlipBook.pages(of: file).count == file[9] else {
            throw .truncated(atByte: bytes.byteCount)
        }
        size = options.outputSize(of: header.size)
        loopCount = LoopCount(zeroIsForever: Int(file[8]))
        pages = FlipBook.pages(of: file)
        format = options.pixels == .exact ? .rgba8Straight : .bgra8Premultiplied
    }

    var delays: [Duration] { pages.map { FrameDelay.shown(.milliseconds(10 * Int($0.delay))) } }

    func frame(at index: Int) throws(DecodingError) -> Bitmap {
        guard pages[index].delay != FlipBook.damage else { throw .corrupt("frame \(index) is torn") }
        return try .solid(size, format, red: pages[index].red)
    }
}

private struct FlipBookEncoder: ImageEncoder {
    let format = ImageFormat.gif

    func encode(_ bitmap: Bitmap, _ options: EncodingOptions) throws(EncodingError) -> EncodedImage {
        try file([FlipBook.Page(red: bitmap.red, delay: 0)], loop: 1, bitmap.size)
    }

    func encode(_ frames: any FrameSource, _ options: EncodingOptions) throws(EncodingError) -> EncodedImage {
        var pages: [FlipBook.Page] = []
        for index in 0..<frames.frameCount {
            let delay = UInt8(frames.delays[index] / .milliseconds(10))
            do throws(DecodingError) {
                pages.append(FlipBook.Page(red: try frames.frame(at: index).red, delay: delay))
            } catch {
                throw .unreadableFrame(index, error)
            }
        }
        return try file(pages, loop: UInt8(frames.loopCount.zeroIsForever), frames.size)
    }

    private func file(_ pages: [FlipBook.Page], loop: UInt8, _ size: PixelSize) throws(EncodingError) -> EncodedImage {
        let bytes = FlipBook.file(pages, loop: loop, width: UInt8(size.width), height: UInt8(size.height))
        guard let file = EncodedImage(bytes) else { throw .outOfMemory }
        return file
    }
}

extension Bitmap {
    /// Opaque, with some red.
    static func solid(_ size: PixelSize, _ format: PixelFormat, red: UInt8) throws(DecodingError) -> Bitmap {
        guard var buffer = PixelBuffer(size: size, format: format, isOpaque: true) else { throw .outOfMemory(size) }
        for row in 0..<size.height {
            buffer.withRow(row) { bytes in
                for offset in stride(from: 0, to: bytes.byteCount, by: 4) {
                    let isRGBA = format == .rgba8Straight
                    bytes.storeBytes(of: red, toByteOffset: offset + (isRGBA ? 0 : 2), as: UInt8.self)
                    bytes.storeBytes(of: 255, toByteOffset: offset + 3, as: UInt8.self)
                }
            }
        }
        return buffer.freeze()
    }

    /// Of the first pixel, of 8 bits.
    var red: UInt8 { withBytes { $0.byte(at: format == .rgba8Straight ? 0 : 2) ?? 0 } }
}
