import BowerbirdCodecs
import BowerbirdCore
import Testing

@Suite("Decoding GIF from the corpus", Corpus.isPresent)
struct GIFCorpusTests {
    private let decoder = GIFDecoder()
    private static let exact = DecodingOptions(pixels: .exact, color: .asStored)

    #if PNG
        @Test(arguments: ["simple", "anim"])
        func picturesAreThoseOfTheReferences(folder: String) throws {
            let references = try Corpus.files(in: "image-rs/reference/gif/" + folder, ending: ".gif.png")
            #expect(references.count >= 3)
            for reference in references {
                let path = reference.replacing("/reference/", with: "/images/").dropLast(4)
                let image = try decoder.decode(Corpus.bytes(String(path)), Self.exact)
                let expected = try PNGDecoder().decode(Corpus.bytes(reference), Self.exact)
                #expect(image.size == expected.size && image.warnings.isEmpty, "\(path)")
                #expect(image.bitmap.bytes == expected.bitmap.bytes, "\(path)")
            }
        }
    #endif

    /// Sizes, frames, loops, and whether something of the file can be transparent.
    private static let facts: [(path: String, PixelSize, frames: Int, loops: LoopCount?, hasAlpha: Bool)] = [
        ("sdwebimage/TestImage.gif", PixelSize(width: 50, height: 50), 5, .forever, false),
        ("sdwebimage/TestLoopCount.gif", PixelSize(width: 72, height: 48), 2, .times(1), true),
        ("sdwebimage/1@2x.gif", PixelSize(width: 400, height: 400), 44, .times(65535), false),
        ("image-gif/moon_impact.gif", PixelSize(width: 116, height: 100), 14, .times(10), false),
        ("image-gif/sample_big.gif", PixelSize(width: 1000, height: 175), 259, .times(1), true),
        ("image-gif/gifplayer-muybridge.gif", PixelSize(width: 472, height: 298), 380, .forever, true),
        ("image-gif/set_hsts.gif", PixelSize(width: 1, height: 1), 1, nil, true),
        ("image-gif/2x2.gif", PixelSize(width: 2, height: 2), 1, nil, false),
        ("image-gif/interlaced.gif", PixelSize(width: 540, height: 330), 1, nil, false),
        ("pillow/no_palette_with_transparency.gif", PixelSize(width: 2, height: 2), 2, .times(1), true),
        ("pillow/dispose_bgnd_transparency.gif", PixelSize(width: 38, height: 32), 10, .forever, true),
        ("image-rs/images/gif/anim/oob.gif", PixelSize(width: 32, height: 32), 1, nil, true),
    ]

    @Test func headersSayWhatTheFilesAre() throws {
        for (path, size, frameCount, loopCount, hasAlpha) in Self.facts {
            let header = try decoder.header(of: Corpus.bytes(path))
            #expect(header.size == size && header.frameCount == frameCount, "\(path)")
            #expect(header.loopCount == loopCount && header.isAnimated == (frameCount > 1), "\(path)")
            #expect(header.hasAlpha == hasAlpha, "\(path)")
        }
    }

    @Test func everyFileShowsItsFirstFrames() throws {
        let folders = ["image-gif", "pillow", "image-rs/images/gif/simple", "image-rs/images/gif/anim", "sdwebimage"]
        for path in try folders.flatMap({ try Corpus.files(in: $0, ending: ".gif") }) {
            let bytes = try Corpus.bytes(path)
            let image = try decoder.decode(bytes)
            #expect(image.warnings.isEmpty, "\(path)")
            let frames = try decoder.frames(in: #require(EncodedImage(bytes)), DecodingOptions())
            #expect(frames?.frameCount ?? 1 == image.header.frameCount, "\(path)")
            guard let frames else { continue }
            #expect(try frames.frame(at: 0).bytes == image.bitmap.bytes, "\(path)")
            #expect(try frames.frame(at: min(4, frames.frameCount - 1)).size == image.size, "\(path)")
        }
    }

    @Test(arguments: ["image-gif/interlaced.gif", "image-gif/moon_impact.gif", "pillow/dispose_bgnd_transparency.gif"])
    func chunksNeverChangeThePixelsOfRealFiles(path: String) throws {
        let file = try Corpus.bytes(path)
        let expected = try decoder.decode(file)
        let arriving = try #require(decoder.makeProgressiveDecoder(DecodingOptions()))
        for count in stride(from: 0, to: file.count, by: 511) {
            let prefix = Array(file[..<count])
            try arriving.update(prefix.span.bytes, isComplete: false)
            _ = try arriving.preview()
        }
        try arriving.update(file.span.bytes, isComplete: true)
        #expect(try arriving.finish().bitmap.bytes == expected.bitmap.bytes)
        #expect(try arriving.frames()?.frameCount ?? 1 == expected.header.frameCount)
    }

    @Test func whatStandsBesideThePicturesIsRead() throws {
        let profile = try decoder.header(of: Corpus.bytes("image-gif/beacon_icc.gif")).profile
        guard case .icc(let icc) = profile else {
            Issue.record("\(profile)")
            return
        }
        #expect(icc.colorSpace == .rgb)
        let bytes = try Corpus.bytes("image-gif/beacon_xmp.gif")
        let metadata = try decoder.metadata(of: bytes.span.bytes, DecodingLimits())
        let packet = String(decoding: metadata.xmp ?? [], as: UTF8.self)
        #expect(packet.hasPrefix("<?xpacket begin") && packet.hasSuffix("?>"))
    }

    @Test func aFileWithoutAPictureThrows() throws {
        let file = try Corpus.bytes("image-rs/regression/gif/zero-loop-count.gif")
        #expect(throws: DecodingError.corrupt("it has no picture")) { try decoder.decode(file) }
    }
}
