import Bowerbird
import BowerbirdTestSupport
import Foundation
import Testing

@Suite(Program.isBuilt, ProgramFixture.canWrite(.jpeg)) struct InfoTests {
    private let fixture: ProgramFixture

    init() throws { fixture = try ProgramFixture() }

    @Test func aPictureIsDescribedInTheOrderOfTheArguments() async throws {
        let url = fixture.serve("/photo.jpg", try ProgramFixture.picture(400, 300))
        let file = try fixture.directory.write(try ProgramFixture.picture(30, 40), to: "small.jpg").path
        let result = try await fixture.program.run("info", url, file)
        #expect(result.status == 0 && result.errors == "")
        let blocks = result.output.split(separator: "\n\(file)\n", omittingEmptySubsequences: false)
        try #require(blocks.count == 2)
        #expect(blocks[0].hasPrefix(url + "\n  format    JPEG\n  size      400 x 300 pixels\n"))
        #expect(blocks[0].hasSuffix("from      the network"))
        #expect(blocks[1].contains("size      30 x 40 pixels") && blocks[1].hasSuffix("from      this machine\n"))
    }

    @Test func onlyTheHeaderMatters() async throws {
        let picture = try ProgramFixture.picture(400, 300)
        let file = try fixture.directory.write(Array(picture.prefix(picture.count / 2)), to: "cut.jpg").path
        let result = try await fixture.program.run("info", file)
        #expect(result.status == 0 && result.output.contains("400 x 300") && result.errors == "")
    }

    @Test func theCacheAnswersInfoToo() async throws {
        let url = fixture.serve("/photo.jpg", try ProgramFixture.picture(40, 30))
        for origin in ["network", "disk"] {
            let result = try await fixture.program.run("info", "--json", url)
            #expect(result.outputLines.count == 1 && result.output.contains(#""origin":"\#(origin)""#))
            #expect(result.output.contains(#""width":40,"height":30"#))
        }
    }

    @Test func standardInputIsReadForADash() async throws {
        let picture = try ProgramFixture.picture(30, 40)
        let file = try fixture.directory.write(picture, to: "small.jpg").path
        var program = fixture.program
        program.wrapper = ["bash", "-c", #""$@" < "$0""#, file]
        let info = try await program.run("info", "--json", "-")
        #expect(info.status == 0 && info.output.hasPrefix(#"{"source":"-","url":"-","format":"JPEG","#))
        #expect(info.output.contains(#""width":30,"height":40,"#))
        #expect(info.output.contains(#""bytes":\#(picture.count),"#))
        let output = fixture.directory.path + "/out.jpg"
        #expect(try await program.run("convert", "-", "-o", output, "--resize", "20").status == 0)
        #expect(FileManager.default.fileExists(atPath: output))
        let nothing = try await fixture.program.run("info", "-")
        #expect(nothing.status == 1 && nothing.errors == "bowerbird: -: the file is empty\n")
    }
}
