import Bowerbird
import BowerbirdCore
import BowerbirdTestSupport
import Foundation
import Testing

@testable import BowerbirdCLI

@Suite struct ConvertTests {
    private let fixture: CommandFixture

    init() throws { fixture = try CommandFixture() }

    @Test(ProgramFixture.canWrite(.png), arguments: [PixelFormat.rgba8Straight, .rgba16Straight])
    func losslessFilesKeepEveryBit(_ format: PixelFormat) async throws {
        let before = try noise(format)
        try fixture.write(try png(before), to: "a.png")
        #expect(try await fixture.run("convert @a.png -o @b.png") == .success)
        let after = try fixture.pixels(of: "b.png")
        #expect(after.format == format && after.size == before.size)
        #expect(bytes(of: after) == bytes(of: before))
    }

    @Test(ProgramFixture.canWrite(.jpeg), ProgramFixture.canWrite(.png))
    func theExtensionSaysTheFormatUnlessAnOptionDoes() async throws {
        try fixture.write(try ProgramFixture.picture(40, 30, as: .png), to: "a.png")
        for (arguments, format) in [("-o @b.JPG", "JPEG"), ("-o @b.out --format jpeg", "JPEG"), ("-o @b.png", "PNG")] {
            #expect(try await fixture.run("convert @a.png --json \(arguments)") == .success)
            let report = try fixture.report()
            #expect(report["format"] as? String == format && report["source"] as? String == fixture.path("a.png"))
            #expect(report["width"] as? Int == 40 && report["height"] as? Int == 30 && report["frames"] as? Int == 1)
        }
        #expect(EncodedImage(try fixture.bytes("b.out"))?.format == .jpeg)
        #expect(EncodedImage(try fixture.bytes("b.png"))?.format == .png)
    }

    @Test(
        ProgramFixture.canWrite(.jpeg), ProgramFixture.canWrite(.png),
        arguments: [
            ("--resize 100", PixelSize(width: 100, height: 75)), ("--resize 400x30", PixelSize(width: 40, height: 30)),
            ("--resize 100 --mode fill", PixelSize(width: 133, height: 100)),
            ("--resize 100x50 --mode exact", PixelSize(width: 100, height: 50)),
            ("--resize 9999", PixelSize(width: 400, height: 300)),
            ("--resize 800 --enlarge", PixelSize(width: 800, height: 600)),
            ("--resize 800x10 --enlarge --mode exact", PixelSize(width: 800, height: 10)),
        ])
    func aPictureIsResizedAsAsked(_ options: String, _ size: PixelSize) async throws {
        try fixture.write(try ProgramFixture.picture(400, 300), to: "a.jpg")
        #expect(try await fixture.run("convert @a.jpg -o @b.png \(options)") == .success)
        #expect(try pictureSize(fixture.bytes("b.png")) == size)
    }

    @Test(ProgramFixture.canWrite(.jpeg)) func whatIsThereIsReplacedAndNothingElseIsLeft() async throws {
        try fixture.write(try ProgramFixture.picture(40, 30), to: "a.jpg")
        #expect(try await fixture.run("convert @a.jpg -o @a.jpg --resize 20") == .success)
        #expect(try pictureSize(fixture.bytes("a.jpg")) == PixelSize(width: 20, height: 15))
        #expect(try fixture.names() == ["a.jpg"])
        #expect(fixture.recorder.output.hasPrefix("\(fixture.path("a.jpg")): JPEG, 20 x 15, "))
    }

    @Test func aFailureLeavesTheOldFileAndSaysItsStage() async throws {
        try fixture.write([1, 2, 3], to: "old.jpg")
        try fixture.write(Array("no picture".utf8), to: "text")
        #expect(try await fixture.run("convert @text -o @old.jpg --json") == .failure)
        #expect(try fixture.bytes("old.jpg") == [1, 2, 3] && fixture.names() == ["old.jpg", "text"])
        let error = try #require(try fixture.report()["error"] as? [String: String])
        #expect(error["stage"] == "decoding" && error["kind"] == "not-an-image")
    }

    @Test func aFormatThatThisBuildCannotWriteIsAnError() async throws {
        fixture.codecs = CodecSet()
        fixture.codecs.add(StubDecoder())
        try fixture.write(StubDecoder.file, to: "a.tif")
        #expect(try await fixture.run("convert @a.tif -o @b.webp --json") == .failure)
        let error = try #require(try fixture.report()["error"] as? [String: String])
        #expect(error["stage"] == "encoding" && error["kind"] == "unsupported-format")
        #expect(error["message"] == "this build cannot write WebP")
    }

    // MARK: Animations and documents

    private static let pages = [
        FlipBook.Page(red: 10, delay: 4), FlipBook.Page(red: 20, delay: 10), FlipBook.Page(red: 30, delay: 7),
    ]

    @Test func anAnimationStaysOne() async throws {
        try prepareAnimation()
        #expect(try await fixture.run("convert @a.gif -o @b.gif --json") == .success)
        #expect(try FlipBook.pages(of: fixture.bytes("b.gif")) == Self.pages)
        #expect(try FlipBook.loop(of: fixture.bytes("b.gif")) == 3)
        #expect(try fixture.report()["frames"] as? Int == 3)
    }

    @Test func whoWaitsIsToldOfEveryFrame() throws {
        let numbers = Lock<[Int]>([])
        let data = try #require(EncodedImage(FlipBook.file(Self.pages)))
        let input = InputFile(source: .data(data, name: "flip"), data: data, origin: .local)
        let result = try Conversion(format: .gif).convert(input, FlipBook.codecs) { index, count in
            numbers.withLock { $0 += [index, count] }
        }
        #expect(numbers.withLock { $0 } == [0, 3, 1, 3, 2, 3])
        #expect(result.frameCount == 3 && result.size == PixelSize(width: 4, height: 3) && result.remarks == [])
    }

    @Test func anAnimationIsResized() async throws {
        try prepareAnimation()
        #expect(try await fixture.run("convert @a.gif -o @b.gif --resize 2x2 --mode exact") == .success)
        #expect(try fixture.bytes("b.gif")[6...7] == [2, 2])
    }

    @Test func aFormatOfStillsGetsTheFirstFrameAndANote() async throws {
        try prepareAnimation()
        let recorder = EncoderRecorder(.bmp)
        fixture.codecs.add(recorder)
        #expect(try await fixture.run("convert @a.gif -o @b.bmp --json") == .success)
        #expect(recorder.bitmap?.red == 10)
        let note = "BMP holds stills only: the first of 3 frames was written"
        #expect(fixture.recorder.errors == "bowerbird: warning: \(fixture.path("a.gif")): \(note)\n")
        #expect(try fixture.report()["warnings"] as? [String] == [note])
        #expect(try fixture.report()["frames"] as? Int == 1)
    }

    @Test(arguments: [("--first-frame", 10), ("--page 1", 10), ("--page 3", 30)] as [(String, UInt8)])
    func oneFrameOfAnAnimationIsAStill(_ option: String, _ red: UInt8) async throws {
        try prepareAnimation()
        #expect(try await fixture.run("convert @a.gif -o @b.gif \(option)") == .success)
        #expect(try FlipBook.pages(of: fixture.bytes("b.gif")).map(\.red) == [red])
        #expect(fixture.recorder.errors == "")
    }

    @Test func aDamagedFrameIsAnErrorThatNamesIt() async throws {
        let pages = Self.pages + [FlipBook.Page(red: 1, delay: FlipBook.damage)]
        try prepareAnimation(pages)
        #expect(try await fixture.run("convert @a.gif -o @b.gif --json") == .failure)
        let error = try #require(try fixture.report()["error"] as? [String: String])
        #expect(error["stage"] == "encoding" && error["kind"] == "unreadable-frame")
        #expect(error["message"]?.hasPrefix("frame 3: ") == true)
        #expect(try fixture.names() == ["a.gif"])
    }

    @Test func anyPageOfADocumentCanBeHad() async throws {
        let recorder = try prepare(StubDecoder(pages: 3), .bmp)
        #expect(try await fixture.run("convert @a.tif -o @b.bmp --page 3") == .success)
        #expect(recorder.bitmap?.red == 20)
        #expect(try await fixture.run("convert @a.tif -o @b.bmp") == .success)
        #expect(recorder.bitmap?.red == 0)
    }

    @Test(arguments: ["tif", "gif"]) func aPageThatIsNotThereIsAnError(_ ending: String) async throws {
        try prepareAnimation()
        _ = try prepare(StubDecoder(pages: 3), .bmp)
        #expect(try await fixture.run("convert @a.\(ending) -o @b.bmp --page 4 --json") == .failure)
        let error = try #require(try fixture.report()["error"] as? [String: String])
        #expect(error["stage"] == "decoding" && error["kind"] == "no-such-frame")
    }

    // MARK: Bounds

    @Test(ProgramFixture.canWrite(.jpeg), ProgramFixture.canWrite(.png))
    func aFileIsNoLargerThanItMayBe() async throws {
        try fixture.write(try png(noise(.rgba8Straight, PixelSize(width: 100, height: 80))), to: "a.png")
        #expect(try await fixture.run("convert @a.png -o @whole.jpg") == .success)
        let maximum = try fixture.bytes("whole.jpg").count / 2
        #expect(try await fixture.run("convert @a.png -o @b.jpg --max-bytes \(maximum) --json") == .success)
        #expect(try (maximum / 2...maximum).contains(fixture.bytes("b.jpg").count))
        #expect(try await fixture.run("convert @a.png -o @c.jpg --max-bytes 100 --json") == .failure)
        let error = try #require(try fixture.report()["error"] as? [String: String])
        #expect(error["stage"] == "encoding" && error["kind"] == "cannot-fit")
        #expect(try fixture.names() == ["a.png", "b.jpg", "whole.jpg"])
    }

    @Test func aPictureIsNoLargerThanItMayBe() async throws {
        let recorder = try prepare(StubDecoder(), .webP)
        for (option, size) in [("4x9", PixelSize(width: 4, height: 3)), ("20", PixelSize(width: 8, height: 6))] {
            #expect(try await fixture.run("convert @a.tif -o @b.webp --json --max-size \(option)") == .success)
            #expect(recorder.bitmap?.size == size)
            #expect(try fixture.report()["width"] as? Int == size.width)
        }
        try prepareAnimation()
        #expect(try await fixture.run("convert @a.gif -o @b.gif --json --max-size 2") == .success)
        #expect(try fixture.bytes("b.gif")[6...7] == [2, 2] && fixture.report()["height"] as? Int == 2)
    }

    // MARK: What is written beside the pixels

    @Test func optionsReachTheEncoder() async throws {
        let recorder = try prepare(StubDecoder(), .webP)
        let options = "--quality 40 --effort 90 --lossless --progressive --background #102030"
        #expect(try await fixture.run("convert @a.tif -o @b.webp \(options)") == .success)
        let seen = try #require(recorder.options)
        #expect(seen.quality == 0.4 && seen.effort == 0.9 && seen.isLossless && seen.isProgressive)
        #expect(seen.background == Color(red: 16, green: 32, blue: 48) && seen.metadata == nil)
        #expect(seen.orientation == .topLeft)
    }

    @Test func aProfileGoesWhereAFileCanHaveIt() async throws {
        let rgb = ColorProfile.icc(Self.profile("RGB "))
        let gray = ColorProfile.icc(Self.profile("GRAY"))
        let p3 = ColorProfile.cicp(CodingPoints(primaries: 12, transfer: 13))
        let linear = ColorProfile.cicp(CodingPoints(primaries: 1, transfer: 8))
        let cases: [(ColorProfile, ImageFormat, Bool)] = [
            (rgb, .webP, true), (rgb, .jpeg, true), (rgb, .bmp, true), (rgb, .gif, false), (gray, .png, false),
            (p3, .png, true), (p3, .webP, false), (p3, .qoi, false), (linear, .qoi, true), (linear, .jpeg, false),
            (.unspecified, .gif, true), (.sRGB, .png, true),
        ]
        for (profile, format, isKept) in cases {
            let recorder = try prepare(StubDecoder(profile: profile), format)
            let name = "@b.\(format.fileExtensions[0])"
            #expect(try await fixture.run("convert @a.tif -o \(name)") == .success)
            #expect(recorder.options?.profile == (isKept ? profile : .sRGB), "\(profile) in \(format)")
            #expect(recorder.bitmap?.format == .rgba8Straight)
            #expect(try await fixture.run("convert @a.tif -o \(name) --resize 4") == .success)
            #expect(recorder.options?.profile == .sRGB && recorder.bitmap?.format == .bgra8Premultiplied)
        }
    }

    @Test func metadataIsKeptWhereThatIsWanted() async throws {
        var decoder = StubDecoder()
        decoder.metadata = ImageMetadata(exif: [1, 2, 3], density: .init(horizontal: 72, vertical: 72))
        let recorder = try prepare(decoder, .webP)
        #expect(try await fixture.run("convert @a.tif -o @b.webp") == .success)
        #expect(recorder.options?.metadata == nil)
        #expect(try await fixture.run("convert @a.tif -o @b.webp --keep-metadata") == .success)
        #expect(recorder.options?.metadata == decoder.metadata && recorder.options?.orientation == .topLeft)
    }

    @Test func metadataThatCannotBeReadIsAWarning() async throws {
        _ = try prepare(StubDecoder(), .webP)
        #expect(try await fixture.run("convert @a.tif -o @b.webp --keep-metadata") == .success)
        #expect(fixture.recorder.errors.contains("warning: \(fixture.path("a.tif")): its metadata cannot be read"))
    }

    @Test func damageThatCanBeShownIsAWarning() async throws {
        var decoder = StubDecoder()
        decoder.warnings = [.truncated(atByte: 7)]
        _ = try prepare(decoder, .webP)
        #expect(try await fixture.run("convert @a.tif -o @b.webp --json") == .success)
        #expect(try fixture.report()["warnings"] as? [String] == ["the file ends early, at byte 7"])
        #expect(fixture.recorder.errors.contains("the file ends early, at byte 7"))
    }

    @Test(ProgramFixture.canWrite(.jpeg)) func theOrientationIsInThePixelsAfterwards() async throws {
        let exif: [UInt8] = [0x4D, 0x4D, 0, 0x2A, 0, 0, 0, 8, 0, 1, 1, 0x12, 0, 3, 0, 0, 0, 1, 0, 6, 0, 0, 0, 0, 0, 0]
        let segment = [0xFF, 0xE1, 0, UInt8(exif.count + 8)] + Array("Exif\0\0".utf8) + exif
        let picture = try ProgramFixture.picture(40, 30)
        try fixture.write(Array(picture[..<2]) + segment + picture[2...], to: "a.jpg")
        #expect(try await fixture.run("convert @a.jpg -o @b.jpg --keep-metadata") == .success)
        let header = try fixture.header(of: "b.jpg")
        #expect(header.storedSize == PixelSize(width: 30, height: 40) && header.orientation == .topLeft)
    }

    private func prepare(_ decoder: StubDecoder, _ format: ImageFormat) throws -> EncoderRecorder {
        let recorder = EncoderRecorder(format)
        fixture.codecs.add(decoder)
        fixture.codecs.add(recorder)
        try fixture.write(StubDecoder.file, to: "a.tif")
        return recorder
    }

    private func prepareAnimation(_ pages: [FlipBook.Page] = Self.pages) throws {
        fixture.codecs = FlipBook.codecs
        try fixture.write(FlipBook.file(pages, loop: 3), to: "a.gif")
    }

    /// The beginning of one.
    private static func profile(_ space: String) -> ICCProfile {
        let bytes = [UInt8](repeating: 0, count: 16) + Array(space.utf8) + [UInt8](repeating: 0, count: 16)
        return ICCProfile(bytes: bytes + Array("acsp".utf8) + [UInt8](repeating: 0, count: 100))
    }

    private func noise(
        _ format: PixelFormat, _ size: PixelSize = PixelSize(width: 19, height: 11)
    ) throws -> Bitmap {
        var buffer = try PixelBuffer.make(size.width, size.height, format: format)
        var random = SeededRandom(seed: 7)
        for row in 0..<size.height {
            buffer.withRow(row) { row in
                for offset in 0..<row.byteCount {
                    row.storeBytes(of: UInt8.random(in: 0...255, using: &random), toByteOffset: offset, as: UInt8.self)
                }
            }
        }
        return buffer.freeze()
    }

    private func png(_ bitmap: Bitmap) throws -> [UInt8] {
        try CodecSet.builtIn.encode(bitmap, as: .png).withUnsafeBytes { Array($0) }
    }

    private func bytes(of bitmap: Bitmap) -> [UInt8] { bitmap.withUnsafeBytes { Array($0) } }
}
