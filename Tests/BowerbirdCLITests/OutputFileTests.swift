import Bowerbird
import BowerbirdTestSupport
import Foundation
import Testing

@testable import BowerbirdCLI

@Suite struct OutputFileTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    @Test func aFileIsReplacedAndNothingElseIsLeft() throws {
        for text in ["1", "2"] { try file("a.png").write(bytes(text)) }
        #expect(try contents("a.png") == "2" && names() == ["a.png"])
    }

    @Test func missingFoldersAreMade() throws {
        try file("x/y/a.png").write(bytes("1"))
        #expect(try contents("x/y/a.png") == "1")
    }

    @Test func aLinkStaysAndWhatItLeadsToIsReplaced() throws {
        _ = try directory.write([0], to: "real.png")
        try FileManager.default.createSymbolicLink(atPath: path("link.png"), withDestinationPath: "real.png")
        try file("link.png").write(bytes("1"))
        #expect(try contents("real.png") == "1")
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: path("link.png")) == "real.png")
    }

    @Test func whatIsNoFileIsRefusedAndStays() throws {
        #expect(mkfifo(path("pipe"), 0o600) == 0)
        for name in ["pipe", "", "missing/"] {
            let error = #expect(throws: OutputError.self) { _ = try file(name) }
            #expect(error?.path == path(name))
        }
        #expect(throws: OutputError.self) { _ = try OutputFile("/dev/null", PartialFiles()) }
        #expect(try names() == ["pipe"])
    }

    private func path(_ name: String) -> String { "\(directory.path)/\(name)" }

    private func file(_ name: String) throws -> OutputFile { try OutputFile(path(name), PartialFiles()) }

    private func bytes(_ text: String) throws -> EncodedImage { try #require(EncodedImage(Array(text.utf8))) }

    private func contents(_ name: String) throws -> String { try String(contentsOfFile: path(name), encoding: .utf8) }

    private func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: directory.path).sorted()
    }
}
