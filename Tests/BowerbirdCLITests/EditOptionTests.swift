import Bowerbird
import BowerbirdTestSupport
import Foundation
import Testing

@testable import BowerbirdCLI

@Suite
struct `The options of convert that edit` {
    private let fixture: CommandFixture

    init() throws { fixture = try CommandFixture() }

    private func edits(_ words: String...) throws -> [any ImageProcessor] {
        guard case .convert(let convert) = try CommandLineRequest(["convert", "a.jpg", "-o", "b.png"] + words) else {
            Issue.record("it is another command")
            return []
        }
        return convert.conversion.edits.processors
    }

    @Test func areReadInTheOrderInWhichTheyAreGiven() throws {
        let edits = try edits(
            "--border", "2:#ffffff", "--round", "24", "--blur", "8", "--tint", "#336699:multiply", "--rotate", "90",
            "--flip", "h", "--crop", "30x20+1+2", "--round=50%", "--sepia")
        let expected: [any ImageProcessor] = [
            Border(width: 2, color: .white), RoundCorners(radius: 24), Blur(radius: 8),
            Tint(Color(red: 0x33, green: 0x66, blue: 0x99), blendMode: .multiply), Rotate(90), Flip(.horizontal),
            Crop(PixelRect(x: 1, y: 2, size: PixelSize(width: 30, height: 20))),
            RoundCorners(radius: .fraction(0.5)), Sepia(),
        ]
        #expect(edits.map(\.cacheKey) == expected.map(\.cacheKey))
    }

    @Test func giveAShapeTheBorderBehindIt() throws {
        let edits = try edits(
            "--round", "24", "--border", "2:#ffffff", "--border", "1:#000000", "--circle", "--border=3:#000000")
        let expected: [any ImageProcessor] = [
            RoundCorners(radius: 24, border: .init(width: 2, color: .white)), Border(width: 1, color: .black),
            Circle(border: .init(width: 3, color: .black)),
        ]
        #expect(edits.map(\.cacheKey) == expected.map(\.cacheKey))
    }

    @Test func leaveASizeAtTheBeginningToTheDecoder() throws {
        let request = try CommandLineRequest(
            ["convert", "a", "-o", "b.png", "--resize", "30x20", "--mode", "fill", "--invert", "--resize", "9"])
        guard case .convert(let convert) = request else { throw CancellationError() }
        #expect(convert.conversion.targetSize == PixelSize(width: 30, height: 20))
        #expect(convert.conversion.scaleMode == .fill)
        let rest: [any ImageProcessor] = [Invert(), Resize(PixelSize(width: 9, height: 9), mode: .fill)]
        #expect(convert.conversion.edits.processors.map(\.cacheKey) == rest.map(\.cacheKey))
    }

    @Test(arguments: [
        ["--crop", "30"], ["--crop", "0x4"], ["--crop", "3x4+1"], ["--rotate", "north"], ["--rotate", "nan"],
        ["--flip", "x"], ["--round", "-1"], ["--round", "inf"], ["--border", "#ffffff"], ["--border", "0:#ffffff"],
        ["--tint", "red"], ["--tint", "#123456:burn"], ["--blur", "hard"], ["--pixelate", "0"], ["--circle=3"],
        ["--lut", "/nowhere.cube"], ["--gamma", ""], ["--hue", "1e999"],
    ])
    func sayWhatTheyWant(_ words: [String]) {
        let error = #expect(throws: UsageError.self) {
            try CommandLineRequest(["convert", "a", "-o", "b.png"] + words)
        }
        #expect(error?.command == "convert")
    }

    @Test(ProgramFixture.canWrite(.jpeg), ProgramFixture.canWrite(.png))
    func editAPicture() async throws {
        try fixture.write(try ProgramFixture.picture(40, 30), to: "a.jpg")
        #expect(try await fixture.run("convert @a.jpg -o @b.png --crop 20x20 --circle --rotate 90") == .success)
        let bitmap = try fixture.pixels(of: "b.png")
        #expect(bitmap.size == PixelSize(width: 20, height: 20))
        #expect(!bitmap.isOpaque)
    }

    @Test func editAnAnimationFrameByFrame() async throws {
        fixture.codecs = FlipBook.codecs
        try fixture.write(FlipBook.file([.init(red: 1, delay: 10), .init(red: 2, delay: 20)]), to: "a.gif")
        #expect(try await fixture.run("convert @a.gif -o @b.gif --invert --crop 2x2") == .success)
        let file = try fixture.bytes("b.gif")
        #expect(FlipBook.pages(of: file) == [.init(red: 254, delay: 10), .init(red: 253, delay: 20)])
        #expect(file[6...7] == [2, 2])
    }

    @Test(ProgramFixture.canWrite(.jpeg), ProgramFixture.canWrite(.png))
    func lookColoursUpInATable() async throws {
        try fixture.write(try ProgramFixture.picture(4, 4), to: "a.jpg")
        try fixture.write(Array("LUT_1D_SIZE 2\n1 1 1\n1 1 1\n".utf8), to: "white.cube")
        #expect(try await fixture.run("convert @a.jpg -o @b.png --lut @white.cube") == .success)
        let bitmap = try fixture.pixels(of: "b.png")
        #expect(bitmap.withUnsafeBytes { $0.allSatisfy { $0 == 255 } })
    }

    @Test(ProgramFixture.canWrite(.jpeg), ProgramFixture.canWrite(.png))
    func tellWhatCannotBeDone() async throws {
        try fixture.write(try ProgramFixture.picture(4, 4), to: "a.jpg")
        #expect(try await fixture.run("convert @a.jpg -o @b.png --crop 2x2+9+9 --json") == .failure)
        #expect(try fixture.names() == ["a.jpg"])
    }
}
