import Bowerbird
import BowerbirdTestSupport
import Foundation
import Testing

@testable import BowerbirdCLI

@Suite(ProgramFixture.canWrite(.png)) struct FramesTests {
    private let fixture: CommandFixture

    init() throws {
        fixture = try CommandFixture()
        fixture.codecs = FlipBook.codecs
    }

    @Test func everyFrameIsAFileAndAListSaysTheirDelays() async throws {
        let pages = (1...12).map { FlipBook.Page(red: UInt8($0), delay: UInt8($0)) }
        try fixture.write(FlipBook.file(pages, loop: 2), to: "a.gif")
        #expect(try await fixture.run("frames @a.gif -o @out --json") == .success)
        let names = (1...12).map { $0 < 10 ? "frame-000\($0).png" : "frame-00\($0).png" }
        #expect(try fixture.names(in: "out") == names + ["frames.json"])
        for (name, page) in zip(names, pages) { #expect(try red(of: "out/\(name)") == page.red) }

        let list = try list("out")
        #expect(list["source"] as? String == fixture.path("a.gif") && list["format"] as? String == "GIF")
        #expect(list["width"] as? Int == 4 && list["height"] as? Int == 3 && list["loop"] as? Int == 2)
        let frames = try #require(list["frames"] as? [[String: Any]])
        #expect(frames.compactMap { $0["file"] as? String } == names)
        // What asks for less than 11 ms is shown for 100.
        #expect(frames.compactMap { $0["delay_ms"] as? Int } == [100] + (2...12).map { 10 * $0 })
        let report = try fixture.report()
        #expect(report["frames"] as? Int == 12 && report["folder"] as? String == fixture.path("out"))
    }

    @Test func aStillIsOneFrameWithoutADelay() async throws {
        try fixture.write(try ProgramFixture.picture(5, 4, as: .png), to: "a.png")
        #expect(try await fixture.run("frames @a.png -o @out") == .success)
        #expect(try fixture.names(in: "out") == ["frame-0001.png", "frames.json"])
        let list = try list("out")
        let frames = try #require(list["frames"] as? [[String: Any]])
        #expect(list["loop"] == nil && frames.count == 1 && frames[0]["delay_ms"] == nil)
        #expect(frames[0]["width"] as? Int == 5 && frames[0]["height"] as? Int == 4)
        #expect(fixture.recorder.output.hasPrefix("\(fixture.path("out")): 1 frame of PNG, 5 x 4, "))
    }

    @Test func everyPageOfADocumentIsAFile() async throws {
        fixture.codecs.add(StubDecoder(pages: 3))
        try fixture.write(StubDecoder.file, to: "a.tif")
        #expect(try await fixture.run("frames @a.tif -o @out") == .success)
        #expect(try (1...3).map { try red(of: "out/frame-000\($0).png") } == [0, 10, 20])
        #expect(fixture.recorder.output.contains(": 3 pages of TIFF, 8 x 6, "))
    }

    @Test func whatComesBeforeDamageIsWritten() async throws {
        let pages = [FlipBook.Page(red: 7, delay: 2), FlipBook.Page(red: 8, delay: FlipBook.damage)]
        try fixture.write(FlipBook.file(pages), to: "a.gif")
        #expect(try await fixture.run("frames @a.gif -o @out") == .failure)
        #expect(try fixture.names(in: "out") == ["frame-0001.png", "frames.json"])
        #expect((try list("out")["frames"] as? [Any])?.count == 1)
        let reason = "the file is damaged: frame 1 is torn"
        #expect(fixture.recorder.errors == "bowerbird: \(fixture.path("a.gif")): \(reason)\n")
    }

    @Test func aFileWithoutAnyFrameLeavesNoList() async throws {
        try fixture.write(FlipBook.file([.init(red: 1, delay: FlipBook.damage)]), to: "a.gif")
        #expect(try await fixture.run("frames @a.gif -o @out") == .failure)
        #expect(try fixture.names(in: "out") == [])
    }

    @Test func framesOfAnEarlierRunAreReplaced() async throws {
        for red in [1, 2] as [UInt8] {
            try fixture.write(FlipBook.file([.init(red: red, delay: 9), .init(red: red, delay: 9)]), to: "a.gif")
            #expect(try await fixture.run("frames @a.gif -o @out") == .success)
        }
        #expect(try red(of: "out/frame-0002.png") == 2)
        #expect(try fixture.names(in: "out") == ["frame-0001.png", "frame-0002.png", "frames.json"])
    }

    @Test(arguments: [(0, "frame-0001.png"), (9998, "frame-9999.png"), (9999, "frame-10000.png")])
    func numbersHaveFourDigitsOrMore(_ index: Int, _ name: String) {
        #expect(FrameList.fileName(index) == name)
    }

    private func red(of name: String) throws -> UInt8 { try fixture.pixels(of: name).red }

    private func list(_ folder: String) throws -> [String: Any] {
        let object = try JSONSerialization.jsonObject(with: Data(try fixture.bytes(folder + "/frames.json")))
        return try #require(object as? [String: Any])
    }
}
