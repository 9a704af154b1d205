import Bowerbird
import BowerbirdTestSupport
import Foundation
import Testing

@testable import BowerbirdCLI

@Suite struct ImageFactsTests {
    private let fixture: CommandFixture

    init() throws { fixture = try CommandFixture() }

    @Test func anAnimationTellsItsFramesLoopAndDelays() async throws {
        fixture.codecs = FlipBook.codecs
        let pages = [FlipBook.Page(red: 1, delay: 0), FlipBook.Page(red: 2, delay: 7)]
        try fixture.write(FlipBook.file(pages, loop: 0), to: "a.gif")
        #expect(try await fixture.run("info @a.gif --json") == .success)
        let facts = try fixture.report()
        #expect(facts["source"] as? String == fixture.path("a.gif") && facts["format"] as? String == "GIF")
        #expect(facts["frames"] as? Int == 2 && facts["loop"] as? Int == 0 && facts["animated"] as? Bool == true)
        #expect(facts["delays_ms"] as? [Int] == [100, 70])
        #expect(try await fixture.run("info @a.gif") == .success)
        #expect(fixture.recorder.output.contains("  frames    2, played for ever, 0.17 s a round\n"))
    }

    @Test func aStillHasOneFrameAndNoLoop() async throws {
        fixture.codecs.add(StubDecoder(profile: .cicp(CodingPoints(primaries: 12, transfer: 13))))
        try fixture.write(StubDecoder.file, to: "a.tif")
        #expect(try await fixture.run("info @a.tif --json") == .success)
        let facts = try fixture.report()
        #expect(facts["frames"] as? Int == 1 && facts["loop"] == nil && facts["delays_ms"] == nil)
        #expect(facts["alpha"] as? Bool == false && facts["bits"] as? Int == 8 && facts["orientation"] as? Int == 1)
        #expect(facts["profile"] as? String == "Display P3")
    }

    @Test func aFormatThatCannotBeDecodedIsNoFailure() async throws {
        fixture.codecs = CodecSet()
        try fixture.write(Array("qoif".utf8) + Array(repeating: 0, count: 80), to: "a.qoi")
        #expect(try await fixture.run("info @a.qoi") == .success)
        #expect(fixture.recorder.output.contains("  format    QOI, which this build cannot decode\n  bytes     84\n"))
    }

    @Test func anAnimationOfOneFrameIsAStill() async throws {
        fixture.codecs = FlipBook.codecs
        try fixture.write(FlipBook.file([.init(red: 1, delay: 3)]), to: "a.gif")
        #expect(try await fixture.run("info @a.gif --json") == .success)
        #expect(try fixture.report()["frames"] as? Int == 1)
        #expect(try fixture.report()["animated"] as? Bool == false)
    }

    @Test func aBrokenAnimationIsAStill() async throws {
        var decoder = StubDecoder(pages: 3)
        decoder.header.isAnimated = true
        fixture.codecs.add(decoder)
        try fixture.write(StubDecoder.file, to: "a.tif")
        #expect(try await fixture.run("info @a.tif --json") == .success)
        #expect(try fixture.report()["frames"] as? Int == 1)
        #expect(try fixture.report()["animated"] as? Bool == false)
    }

    @Test func pagesAreCountedAsFrames() async throws {
        fixture.codecs.add(StubDecoder(pages: 5))
        try fixture.write(StubDecoder.file, to: "a.tif")
        #expect(try await fixture.run("info @a.tif --json") == .success)
        let facts = try fixture.report()
        #expect(facts["frames"] as? Int == 5 && facts["animated"] as? Bool == false && facts["loop"] == nil)
        #expect(try await fixture.run("info @a.tif") == .success)
        #expect(fixture.recorder.output.contains("  pages     5\n"))
    }

    @Test func aFileThatCannotBeCountedIsAnErrorWithItsStage() async throws {
        fixture.codecs = FlipBook.codecs
        try fixture.write(Array(FlipBook.file([.init(red: 1, delay: 3)]).dropLast()), to: "a.gif")
        #expect(try await fixture.run("info @a.gif --json") == .failure)
        let report = try fixture.report()
        let error = try #require(report["error"] as? [String: String])
        #expect(report["source"] as? String == fixture.path("a.gif"))
        #expect(error["stage"] == "decoding" && error["kind"] == "truncated" && error["message"] != nil)
    }

    @Test func metadataIsTold() async throws {
        var decoder = StubDecoder()
        decoder.metadata = Self.metadata
        fixture.codecs.add(decoder)
        try fixture.write(StubDecoder.file, to: "a.tif")
        #expect(try await fixture.run("info @a.tif --json") == .success)
        let facts = try fixture.report()
        #expect(facts["make"] as? String == "Canon" && facts["model"] as? String == "Canon R5")
        #expect(facts["date"] as? String == "2024-05-17T12:30:00" && facts["exposureTime"] as? Double == 0.004)
        #expect(facts["fNumber"] as? Double == 2.8 && facts["iso"] as? Int == 100)
        #expect(facts["place"] as? [String: Double] == ["latitude": 48.25, "longitude": -16.5, "altitude": 170])
        #expect(facts["density"] as? [String: Double] == ["horizontal": 72, "vertical": 96])
        #expect(facts["texts"] as? [[String: String]] == [["keyword": "Comment", "text": "a\u{1B}b"]])
        #expect(facts["xmp"] as? Bool == true && facts["exif"] as? Bool == false)
        #expect(try await fixture.run("info @a.tif") == .success)
        let rows = [
            "camera    Canon R5", "exposure  1/250 s, f/2.8, ISO 100", "place     48.25, -16.5, 170 m above the sea",
            "density   72 x 96 dots an inch", "xmp       2 bytes", "text      Comment: a\u{FFFD}b",
        ]
        for row in rows { #expect(fixture.recorder.output.contains("\n  \(row)\n"), "\(row)") }
    }

    @Test func metadataThatCannotBeReadIsAWarning() async throws {
        fixture.codecs.add(StubDecoder())
        try fixture.write(StubDecoder.file, to: "a.tif")
        #expect(try await fixture.run("info @a.tif --json") == .success)
        let warnings = try #require(try fixture.report()["warnings"] as? [String])
        #expect(warnings.count == 1 && warnings[0].hasPrefix("its metadata cannot be read: "))
    }

    @Test func aMakerThatTheModelDoesNotNameStandsBeforeIt() {
        var metadata = ImageMetadata()
        metadata.photograph.make = "Nikon"
        metadata.photograph.model = "Z 8"
        metadata.photograph.exposureTime = 2
        #expect(metadata.rows.map(\.1) == ["Nikon Z 8", "2 s"])
    }

    private static var metadata: ImageMetadata {
        var photograph = ImageMetadata.Photograph()
        photograph.make = "Canon"
        photograph.model = "Canon R5"
        photograph.date = "2024-05-17T12:30:00"
        photograph.exposureTime = 0.004
        photograph.fNumber = 2.8
        photograph.iso = 100
        photograph.place = .init(latitude: 48.25, longitude: -16.5, altitude: 170)
        return ImageMetadata(
            xmp: [1, 2], density: .init(horizontal: 72, vertical: 96),
            texts: [.init(keyword: "Comment", text: "a\u{1B}b")], photograph: photograph)
    }
}
