public import BowerbirdCore

/// The smallest of formats, for tests: one colour, a size, and padding to make the file as long as a test wants. It
/// shows previews: each update gives one, until the file is whole. With several frames it is an animation, each frame as
/// the picture; frame `n` has arrived with byte `64 + 16 n`.
public enum SolidImage {
    /// Known by its first five bytes, which no real format has.
    public static let format = ImageFormat(name: "Solid", mediaType: "image/x-solid", fileExtensions: ["solid"])
    static let signature = Array("SOLID".utf8)
    static let headerLength = 13

    /// A file of at least 64 bytes, and of what its frames take.
    public static func file(
        _ color: Color = .white, width: UInt8 = 4, height: UInt8 = 3, byteCount: Int = 64, frameCount: UInt8 = 1
    ) -> [UInt8] {
        let header = signature + [width, height, color.blue, color.green, color.red, color.alpha, frameCount, 0]
        let count = max(byteCount, frameCount > 1 ? frameEnd(Int(frameCount) - 1) : 64)
        return header + [UInt8](repeating: 0, count: count - header.count)
    }

    static func frameEnd(_ index: Int) -> Int { 64 + 16 * index }
}

/// Decodes `SolidImage` files and counts how often.
public final class SolidDecoder: ImageDecoder {
    private let count = Lock(0)
    private let onDecode: @Sendable () -> Void

    /// `onDecode` is called in each decoding, on the thread that decodes.
    public init(onDecode: @escaping @Sendable () -> Void = {}) {
        self.onDecode = onDecode
    }

    /// How many pictures have been decoded whole, by whichever way; previews do not count.
    public var decodeCount: Int { count.withLock { $0 } }

    public let formats = [SolidImage.format]

    public func recognizes(_ bytes: RawSpan) -> Bool { bytes.matches(SolidImage.signature) }

    public func header(of bytes: RawSpan) throws(DecodingError) -> ImageHeader {
        guard let width = bytes.byte(at: 5), let height = bytes.byte(at: 6) else {
            throw .truncated(atByte: bytes.byteCount)
        }
        let size = PixelSize(width: Int(width), height: Int(height))
        let frameCount = max(1, Int(bytes.byte(at: 11) ?? 1))
        return ImageHeader(
            format: SolidImage.format, storedSize: size, hasAlpha: true, frameCount: frameCount,
            loopCount: frameCount > 1 ? .forever : nil, isAnimated: frameCount > 1)
    }

    public func frames(in file: EncodedImage, _ options: DecodingOptions) throws(DecodingError) -> (any FrameSource)? {
        try file.withBytes { bytes throws(DecodingError) in try arrivedFrames(bytes, options) }
    }

    /// Nil while there are fewer than two.
    fileprivate func arrivedFrames(
        _ bytes: RawSpan, _ options: DecodingOptions
    ) throws(DecodingError) -> (any FrameSource)? {
        let frameCount = try header(of: bytes).frameCount ?? 1
        let arrived = (0..<frameCount).count { SolidImage.frameEnd($0) <= bytes.byteCount }
        guard arrived > 1 else { return nil }
        return SolidFrames(bitmap: try picture(bytes, options).bitmap, frameCount: arrived)
    }

    public func decode(_ bytes: RawSpan, _ options: DecodingOptions) throws(DecodingError) -> DecodedImage {
        onDecode()
        count.withLock { $0 += 1 }
        return try picture(bytes, options)
    }

    public func makeProgressiveDecoder(_ options: DecodingOptions) -> (any ProgressiveDecoder)? {
        SolidProgressiveDecoder(self, options)
    }

    fileprivate func picture(_ bytes: RawSpan, _ options: DecodingOptions) throws(DecodingError) -> DecodedImage {
        let header = try header(of: bytes)
        try options.limits.check(header.size)
        let size = options.outputSize(of: header.size)
        guard var buffer = PixelBuffer(size: size) else { throw .outOfMemory(size) }
        for row in 0..<size.height {
            buffer.withRow(row) { pixels in
                for offset in 0..<pixels.byteCount {
                    pixels.storeBytes(of: bytes.byte(at: 7 + offset % 4) ?? 0, toByteOffset: offset, as: UInt8.self)
                }
            }
        }
        return DecodedImage(bitmap: buffer.freeze(), header: header)
    }
}

/// Each of the picture, for 100 ms.
private struct SolidFrames: FrameSource {
    let bitmap: Bitmap
    let delays: [Duration]

    init(bitmap: Bitmap, frameCount: Int) {
        self.bitmap = bitmap
        delays = Array(repeating: .milliseconds(100), count: frameCount)
    }

    var size: PixelSize { bitmap.size }
    var loopCount: LoopCount { .forever }
    func frame(at index: Int) throws(DecodingError) -> Bitmap { bitmap }
}

/// Keeps the newest prefix; nothing of so small a picture is worth decoding ahead.
private final class SolidProgressiveDecoder: ProgressiveDecoder {
    private let decoder: SolidDecoder
    private let options: DecodingOptions
    private var file: EncodedImage?

    init(_ decoder: SolidDecoder, _ options: DecodingOptions) {
        self.decoder = decoder
        self.options = options
    }

    func update(_ prefix: RawSpan, isComplete: Bool) throws(DecodingError) {
        var bytes: [UInt8] = []
        for offset in 0..<prefix.byteCount { bytes.append(prefix.byte(at: offset) ?? 0) }
        file = EncodedImage(bytes)
    }

    func preview() throws(DecodingError) -> DecodedImage? {
        var image = try file?.withBytes { bytes throws(DecodingError) in try decoder.picture(bytes, options) }
        image?.isPreview = true
        return image
    }

    func frames() throws(DecodingError) -> (any FrameSource)? {
        try file?.withBytes { bytes throws(DecodingError) in try decoder.arrivedFrames(bytes, options) }
    }

    func finish() throws(DecodingError) -> DecodedImage {
        guard let file else { throw .empty }
        return try file.withBytes { bytes throws(DecodingError) in try decoder.decode(bytes, options) }
    }
}
