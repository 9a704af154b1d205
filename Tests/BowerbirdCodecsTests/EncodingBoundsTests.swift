import BowerbirdCodecs
import BowerbirdCore
import Testing

@Suite("Files within bounds")
struct EncodingBoundsTests {
    /// Writes files of one byte for each hundredth of quality and each pixel, and notes what it was asked for.
    private final class CountingEncoder: ImageEncoder {
        let format = ImageFormat(name: "Counting", mediaType: "image/x-counting", fileExtensions: [])
        let calls = Lock([(quality: Double, size: PixelSize)]())
        let isLossless: Bool

        init(isLossless: Bool = false) { self.isLossless = isLossless }

        var qualities: [Double] { calls.withLock { $0.map(\.quality) } }
        var size: PixelSize? { calls.withLock { $0.last?.size } }

        func encode(_ bitmap: Bitmap, _ options: EncodingOptions) throws(EncodingError) -> EncodedImage {
            try write(bitmap.size, options)
        }

        func encode(_ frames: any FrameSource, _ options: EncodingOptions) throws(EncodingError) -> EncodedImage {
            guard let frame = try? frames.frame(at: 1), frame.size == frames.size else { throw .failed("frame") }
            return try write(frames.size, options)
        }

        private func write(_ size: PixelSize, _ options: EncodingOptions) throws(EncodingError) -> EncodedImage {
            calls.withLock { $0.append((options.quality, size)) }
            let count = isLossless ? 100 : Int(options.quality * 100) + 10
            guard let file = EncodedImage(Array(repeating: 0, count: count)) else { throw .outOfMemory }
            return file
        }
    }

    private final class TwoFrames: FrameSource {
        let picture: Bitmap
        let delays: [Duration] = [.milliseconds(20), .milliseconds(40)]
        let loopCount = LoopCount.times(3)

        init(_ picture: Bitmap) { self.picture = picture }

        var size: PixelSize { picture.size }
        func frame(at index: Int) throws(DecodingError) -> Bitmap { picture }
    }

    private func codecs(_ encoder: some ImageEncoder) -> CodecSet {
        var codecs = CodecSet()
        codecs.add(encoder)
        return codecs
    }

    @Test func aFileThatFitsIsWrittenOnce() throws {
        let encoder = CountingEncoder()
        let bounds = EncodingBounds(maximumByteCount: 95)
        let file = try codecs(encoder).encode(makePicture(4, 4), as: encoder.format, within: bounds)
        #expect(file.count == 95 && encoder.qualities == [0.85])
        #expect(try codecs(encoder).encode(makePicture(4, 4), as: encoder.format, within: EncodingBounds()).count == 95)
    }

    @Test(arguments: [11, 30, 55, 80, 94])
    func theBestQualityThatFitsIsFoundInEightTries(maximum: Int) throws {
        let encoder = CountingEncoder()
        let bounds = EncodingBounds(maximumByteCount: maximum)
        let file = try codecs(encoder).encode(makePicture(4, 4), as: encoder.format, within: bounds)
        #expect(file.count <= maximum && file.count >= maximum - 2)
        #expect(encoder.qualities.count == 8)
        let frames = try codecs(encoder).encode(TwoFrames(makePicture(4, 4)), as: encoder.format, within: bounds)
        #expect(frames.count == file.count)
    }

    @Test func whatCannotFitIsRefused() throws {
        for encoder in [CountingEncoder(), CountingEncoder(isLossless: true)] {
            #expect(throws: EncodingError.cannotFit(maximumByteCount: 9)) {
                let bounds = EncodingBounds(maximumByteCount: 9)
                return try codecs(encoder).encode(makePicture(4, 4), as: encoder.format, within: bounds)
            }
            #expect(encoder.qualities.count == 2)
        }
        let encoder = CountingEncoder()
        var lossless = EncodingOptions()
        lossless.isLossless = true
        #expect(throws: EncodingError.cannotFit(maximumByteCount: 50)) {
            let bounds = EncodingBounds(maximumByteCount: 50)
            return try codecs(encoder).encode(makePicture(4, 4), as: encoder.format, lossless, within: bounds)
        }
        #expect(encoder.qualities.count == 1)
        #expect(throws: EncodingError.unsupportedFormat(.jpeg)) {
            try codecs(encoder).encode(makePicture(4, 4), as: .jpeg, within: EncodingBounds())
        }
    }

    @Test(arguments: PixelFormat.allCases)
    func thePictureIsMadeSmallerAndNeverLarger(format: PixelFormat) throws {
        let encoder = CountingEncoder()
        let picture = try makePicture(40, 20, format: format, isOpaque: false)
        for (room, expected) in [(10, PixelSize(width: 10, height: 5)), (100, picture.size)] {
            let bounds = EncodingBounds(maximumSize: PixelSize(width: room, height: room))
            _ = try codecs(encoder).encode(picture, as: encoder.format, within: bounds)
            #expect(encoder.size == expected)
            _ = try codecs(encoder).encode(TwoFrames(picture), as: encoder.format, within: bounds)
            #expect(encoder.size == expected)
        }
    }

    @Test func aCancelledTaskStopsTheSearch() async throws {
        let encoder = CountingEncoder()
        let picture = try makePicture(4, 4)
        let codecs = codecs(encoder)
        let error = await Task { () -> EncodingError? in
            withUnsafeCurrentTask { $0?.cancel() }
            do throws(EncodingError) {
                let bounds = EncodingBounds(maximumByteCount: 20)
                _ = try codecs.encode(picture, as: encoder.format, within: bounds)
                return nil
            } catch {
                return error
            }
        }.value
        #expect(error == .cancelled && encoder.qualities.count == 1)
    }

    #if JPEG
        @Test(arguments: PixelFormat.allCases)
        func aPhotographFits(format: PixelFormat) throws {
            let picture = try makePicture(300, 200, format: format)
            let whole = try CodecSet.builtIn.encode(picture, as: .jpeg)
            let bounds = EncodingBounds(
                maximumSize: PixelSize(width: 200, height: 200), maximumByteCount: whole.count / 3)
            let file = try CodecSet.builtIn.encode(picture, as: .jpeg, within: bounds)
            #expect(file.count <= whole.count / 3 && file.count > whole.count / 6)
            let image = try file.withBytes { try CodecSet.builtIn.decode($0) }
            #expect(image.size == PixelSize(width: 200, height: 133))
            let expected = try JPEGDecoder().decode(
                encode(makePicture(300, 200), with: JPEGEncoder(), quality: 1), .fitting(200, 200))
            #expect(try image.bitmap.meanDifference(to: expected.bitmap) < 12)
        }
    #endif
}
