import Bowerbird
import BowerbirdTestSupport
import Foundation
import Testing

@testable import BowerbirdCLI

/// The program with real animated files, where this build has their formats.
@Suite(Program.isBuilt) struct RealAnimationTests {
    private let fixture: ProgramFixture

    init() throws { fixture = try ProgramFixture() }

    @Test(ProgramFixture.canRead(.gif), ProgramFixture.canWrite(.png))
    func aGIFBecomesFramesAsTheyAreSeen() async throws {
        let file = try fixture.directory.write(Self.gif, to: "a.gif").path
        let result = try await fixture.program.run("frames", file, "-o", fixture.out)
        #expect(result.status == 0 && result.output.hasPrefix("\(fixture.out): 2 frames of GIF, 2 x 1, "))
        #expect(try fixture.written() == ["frame-0001.png", "frame-0002.png", "frames.json"])
        #expect(try pixels("frame-0001.png") == [255, 0, 0, 255, 0, 255, 0, 255])
        #expect(try pixels("frame-0002.png") == [255, 0, 0, 255, 0, 0, 255, 255])
        let list = String(decoding: try fixture.contents("frames.json"), as: UTF8.self)
        let frames = #"[{"file":"frame-0001.png","delay_ms":50},{"file":"frame-0002.png","delay_ms":100}]"#
        #expect(list.hasSuffix(#""format":"GIF","width":2,"height":1,"loop":2,"frames":\#(frames)}"# + "\n"))
    }

    @Test(ProgramFixture.canRead(.gif)) func aGIFTellsItsFrames() async throws {
        let file = try fixture.directory.write(Self.gif, to: "a.gif").path
        let result = try await fixture.program.run("info", "--json", file)
        #expect(result.status == 0)
        #expect(result.output.contains(#""frames":2,"animated":true,"loop":2,"delays_ms":[50,100],"#))
    }

    @Test(ProgramFixture.canRead(.gif), arguments: [ImageFormat.gif, .png, .webP, .avif, .jxl])
    func aGIFBecomesAnotherAnimation(_ format: ImageFormat) async throws {
        guard FormatFacts(format, .builtIn).isWrittenAnimated else { return }
        let file = try fixture.directory.write(Self.gif, to: "a.gif").path
        let output = "\(fixture.directory.path)/b.\(format.fileExtensions[0])"
        let result = try await fixture.program.run("convert", file, "-o", output, "--lossless")
        #expect(result.status == 0 && result.errors == "")
        let info = try await fixture.program.run("info", "--json", output)
        #expect(info.output.contains(#""width":2,"height":1,"#) && info.output.contains(#""frames":2,"animated":true"#))
        #expect(info.output.contains(#""delays_ms":[50,100],"#))
    }

    private func pixels(_ name: String) throws -> [UInt8] {
        let file = try fixture.contents(name)
        let options = DecodingOptions(pixels: .exact, color: .asStored)
        return try CodecSet.builtIn.decode(file.span.bytes, options).bitmap.withUnsafeBytes { Array($0) }
    }

    /// Red and green for 50 ms; then the second pixel is blue, for 10 ms, which is too short. Twice.
    private static let gif: [UInt8] = {
        let canvas = Array("GIF89a".utf8) + [2, 0, 1, 0, 0x81, 0, 0]
        let palette: [UInt8] = [0, 0, 0, 255, 0, 0, 0, 255, 0, 0, 0, 255]
        let loop = [0x21, 0xFF, 11] + Array("NETSCAPE2.0".utf8) + [3, 1, 2, 0, 0]
        let first: [UInt8] = [0x21, 0xF9, 4, 4, 5, 0, 0, 0, 0x2C, 0, 0, 0, 0, 2, 0, 1, 0, 0, 2, 2, 0x8C, 0x0A, 0]
        let second: [UInt8] = [0x21, 0xF9, 4, 4, 1, 0, 0, 0, 0x2C, 1, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x5C, 0x01, 0]
        return canvas + palette + loop + first + second + [0x3B]
    }()
}
