import BowerbirdCodecs
import BowerbirdCore
import BowerbirdTestSupport
import Testing

@Suite("What every decoder promises")
struct DecoderConformanceTests {
    #if JPEG
        @Test(arguments: [false, true])
        func jpegKeepsIt(isProgressive: Bool) async throws {
            let plain = try encode(makePicture(48, 36), with: JPEGEncoder(isProgressive: isProgressive))
            for file in [plain, jpeg(plain, orientation: .rightTop)] {
                let conformance = DecoderConformance(of: JPEGDecoder(), file: file, in: .builtIn)
                #expect(await conformance.violations() == [])
            }
            let colored = jpeg(plain, inserting: profileSegments(TestProfile.displayP3, count: 2))
            #expect(await DecoderConformance(of: JPEGDecoder(), file: colored, in: .builtIn).violations() == [])
        }
    #endif

    #if PNG
        @Test(arguments: [PixelFormat.bgra8Premultiplied, .rgba16Straight])
        func pngKeepsIt(format: PixelFormat) async throws {
            let picture = try makePicture(24, 20, format: format, isOpaque: format == .rgba16Straight)
            let file = try encode(picture, with: PNGEncoder())
            #expect(await DecoderConformance(of: PNGDecoder(), file: file, in: .builtIn).violations() == [])
        }
    #endif

    /// Breaks each promise that can be broken by what it returns.
    private struct CarelessDecoder: ImageDecoder {
        let inner = SolidDecoder()
        var formats: [ImageFormat] { [.bmp] }
        func recognizes(_ bytes: RawSpan) -> Bool { false }

        func header(of bytes: RawSpan) throws(DecodingError) -> ImageHeader { try inner.header(of: bytes) }

        func decode(_ bytes: RawSpan, _ options: DecodingOptions) throws(DecodingError) -> DecodedImage {
            let header = try header(of: bytes)
            guard var buffer = PixelBuffer(size: header.size, isOpaque: inner.decodeCount > 0) else { throw .empty }
            _ = try inner.decode(bytes, DecodingOptions())
            let value = UInt8(truncatingIfNeeded: inner.decodeCount)
            UnsafeMutableRawPointer.allocate(byteCount: 20_000, alignment: 1)
                .initializeMemory(as: UInt8.self, repeating: 1, count: 20_000)
            buffer.withRow(0) { $0.storeBytes(of: value, toByteOffset: 0, as: UInt8.self) }
            var image = DecodedImage(
                bitmap: buffer.freeze(), header: header, isPreview: true, warnings: [.corrupt("")],
                profile: .unspecified)
            image.header.hasAlpha = false
            return image
        }
    }

    @Test func whatIsNotKeptIsSaid() async {
        let conformance = DecoderConformance(of: CarelessDecoder(), file: SolidImage.file(), in: CodecSet(), tries: 3)
        let violations = await conformance.violations()
        for promise in [
            "none of its formats", "no decoder is found", "decoding tells of", "has warnings", "as a preview",
            "instead of sRGB", "exceeds its alpha", "two pictures", "exact pixels are", "exact to 1 × 1",
            "over the limit is decoded", "a cancelled task gets a picture",
        ] {
            #expect(violations.contains { $0.contains(promise) }, "\(promise): \(violations)")
        }
    }

    /// Other tests may give memory back meanwhile, which hides a leak, but not each time.
    @Test func memoryThatIsLeftBehindIsSaid() async {
        let conformance = DecoderConformance(of: CarelessDecoder(), file: SolidImage.file(), in: CodecSet(), tries: 1)
        for _ in 0..<200 where await conformance.violations().contains(where: { $0.contains("bytes behind") }) {
            return
        }
        Issue.record("20,000 bytes a decoding were not noticed")
    }

    @Test func anEmptyFileIsNoGoodFile() async {
        let conformance = DecoderConformance(of: SolidDecoder(), file: [], in: CodecSet())
        #expect(
            await conformance.violations() == [
                "the file cannot be decoded: the file ends at byte 0, before any of the picture"
            ])
    }
}
