import Bowerbird
import BowerbirdTestSupport
import Foundation
import Testing

@testable import BowerbirdCLI

@Suite(Program.isBuilt, ProgramFixture.canWrite(.jpeg)) struct ThumbnailTests {
    private let fixture: ProgramFixture

    init() throws { fixture = try ProgramFixture() }

    @Test(arguments: [
        (["--size", "100"], PixelSize(width: 100, height: 75)),
        (["--size", "400x30"], PixelSize(width: 40, height: 30)),
        (["--size", "100", "--fill"], PixelSize(width: 133, height: 100)),
        (["--size", "100x50", "--exact"], PixelSize(width: 100, height: 50)),
        (["--size", "100", "--fast"], PixelSize(width: 100, height: 75)),
        (["--size", "9999"], PixelSize(width: 400, height: 300)),
    ])
    func aThumbnailHasTheRightSize(_ options: [String], _ size: PixelSize) async throws {
        let url = fixture.serve("/photo.jpeg", try ProgramFixture.picture(400, 300))
        let result = try await thumbnail(options + [url])
        #expect(result.status == 0 && result.errors == "")
        #expect(result.output.hasPrefix("\(fixture.out)/photo.jpg: \(size.width) x \(size.height) of 400 x 300 from "))
        #expect(try pictureSize(fixture.contents("photo.jpg")) == size)
    }

    @Test func manyFilesAtOnceEachGiveOne() async throws {
        let files = try (1...9).map { number in
            try fixture.directory.write(try ProgramFixture.picture(90 + number, 60), to: "\(number).jpg").path
        }
        let result = try await thumbnail(["--size", "50", "--json"] + files)
        #expect(result.status == 0 && result.outputLines.count == 9)
        #expect(try fixture.written() == (1...9).map { "\($0).jpg" })
        #expect(result.outputLines.allSatisfy { $0.contains(#""width":50,"height":3"#) && $0.contains("local") })
    }

    @Test func aDamagedFileGivesAThumbnailAndAWarning() async throws {
        let bytes = try ProgramFixture.picture(800, 600)
        let file = try fixture.directory.write(Array(bytes.dropLast(bytes.count / 3)), to: "cut.jpg").path
        let result = try await thumbnail(["--size", "50", file])
        #expect(result.status == 0 && result.errorLines.count >= 1)
        #expect(result.errorLines.allSatisfy { $0.hasPrefix("bowerbird: warning: \(file): ") })
        #expect(try fixture.written() == ["cut.jpg"])
    }

    @Test func anUndecodableFormatIsOneLine() async throws {
        let command = try CommandFixture()
        command.codecs = CodecSet()
        try command.write(Array("qoif".utf8) + Array(repeating: 0, count: 80), to: "a.qoi")
        #expect(try await command.run("thumbnail @a.qoi -o @out --size 50") == .failure)
        let reason = "QOI is not a format that this build can decode"
        #expect(command.recorder.errors == "bowerbird: \(command.path("a.qoi")): \(reason)\n")
    }

    @Test func qualityChangesTheSizeOfTheFile() async throws {
        let file = try fixture.directory.write(try noise(200, 150), to: "noise.jpg").path
        _ = try await thumbnail(["--size", "100", "--quality", "95", file])
        _ = try await thumbnail(["--size", "100", "--quality", "10", file])
        #expect(try fixture.contents("noise.jpg").count > 2 * fixture.contents("noise-2.jpg").count)
    }

    @Test(ProgramFixture.canWrite(.png)) func aPictureWithTransparencyBecomesAPNG() async throws {
        let picture = try ProgramFixture.picture(400, 300, as: .png, isOpaque: false)
        let file = try fixture.directory.write(picture, to: "logo.png").path
        #expect(try await thumbnail(["--size", "100", file]).status == 0)
        #expect(try await thumbnail(["--size", "100", "--format", "jpeg", file]).status == 0)
        #expect(try fixture.written() == ["logo.jpg", "logo.png"])
        #expect(try pictureSize(fixture.contents("logo.png")) == PixelSize(width: 100, height: 75))
    }

    private func thumbnail(_ arguments: [String]) async throws -> Program.Result {
        try await fixture.program.run(["thumbnail", "-o", fixture.out] + arguments)
    }

    private func noise(_ width: Int, _ height: Int) throws -> [UInt8] {
        var buffer = try PixelBuffer.make(width, height, isOpaque: true)
        var state: UInt32 = 1
        for row in 0..<height {
            buffer.withRow(row) { row in
                for offset in 0..<row.byteCount {
                    state = state &* 1_664_525 &+ 1_013_904_223
                    row.storeBytes(of: offset % 4 == 3 ? 255 : UInt8(state >> 24), toByteOffset: offset, as: UInt8.self)
                }
            }
        }
        return try CodecSet.builtIn.encode(buffer.freeze(), as: .jpeg).withUnsafeBytes { Array($0) }
    }
}
