import Bowerbird
import Foundation
import Testing

@testable import BowerbirdCLI

@Suite struct FormatsTests {
    @Test func whatABuildCanDoIsListed() async throws {
        let fixture = try CommandFixture()
        fixture.codecs = FlipBook.codecs
        fixture.codecs.add(EncoderRecorder(.bmp))
        #expect(try await fixture.run("formats") == .success)
        let lines = fixture.recorder.output.split(separator: "\n")
        #expect(lines.count == ImageFormat.known.count + 1)
        #expect(lines[0] == "format    read  written  animated  extensions")
        #expect(lines.contains("GIF       yes   yes      yes       gif"))
        #expect(lines.contains { $0.hasPrefix("BMP") && $0.contains("yes      no        bmp, dib") })
    }

    @Test func everyFormatInJSONIsOneObject() async throws {
        let fixture = try CommandFixture()
        fixture.codecs = CodecSet()
        #expect(try await fixture.run("formats --json") == .success)
        #expect(fixture.recorder.output.split(separator: "\n").count == ImageFormat.known.count)
        let report = try fixture.report()
        #expect(report["format"] as? String == "QOI" && report["extensions"] as? [String] == ["qoi"])
        #expect(report["read"] as? Bool == false && report["written"] as? Bool == false)
        #expect(report["animated"] as? Bool == false && report["mediaType"] as? String == "image/qoi")
    }

    @Test(arguments: [
        ("jpeg", ImageFormat.jpeg), ("JPG", .jpeg), ("webp", .webP), ("apng", .png), ("jxl", .jxl), ("jpegxl", .jxl),
        ("tif", .tiff), ("heic", .heif),
    ])
    func aFormatIsKnownByNameAndExtension(_ text: String, _ format: ImageFormat) {
        #expect(ImageFormat(named: text) == format)
        #expect(ImageFormat(ofFileNamed: "a.b.\(text)") == format)
    }

    @Test(arguments: ["", "doc", "jpeg2000", "."]) func otherNamesAreNone(_ text: String) {
        #expect(ImageFormat(named: text) == nil && ImageFormat(ofFileNamed: text) == nil)
    }
}
