import Bowerbird
import BowerbirdTestSupport
import Foundation
import Testing

@testable import BowerbirdCLI

@Suite struct OutputFolderTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    @Test func missingFoldersAreMade() throws {
        let path = directory.path + "/a/b//c/"
        let file = try OutputFolder(path, PartialFiles()).write(bytes("1"), as: name)
        #expect(file == directory.path + "/a/b//c/photo.jpg")
        #expect(try String(contentsOfFile: file, encoding: .utf8) == "1")
    }

    @Test func nothingIsOverwrittenAndNothingElseIsLeft() throws {
        let folder = try OutputFolder(directory.path, PartialFiles())
        try FileManager.default.createSymbolicLink(
            atPath: directory.path + "/photo-2.jpg", withDestinationPath: "/nowhere")
        for text in ["1", "2", "3"] { _ = try folder.write(bytes(text), as: name) }
        #expect(try files() == ["photo-2.jpg", "photo-3.jpg", "photo-4.jpg", "photo.jpg"])
        let texts = try ["photo.jpg", "photo-3.jpg", "photo-4.jpg"].map(contents)
        #expect(texts == ["1", "2", "3"])
    }

    @Test func manyWritersAtOnceEachGetAFile() async throws {
        let folder = try OutputFolder(directory.path, PartialFiles())
        let paths = try await withThrowingTaskGroup { group in
            for number in 0..<50 { group.addTask { try folder.write(bytes("\(number)"), as: name) } }
            return try await group.reduce(into: Set<String>()) { $0.insert($1) }
        }
        #expect(paths.count == 50)
        let texts = try files().map(contents)
        #expect(Set(texts) == Set((0..<50).map(String.init)))
    }

    @Test func aFileInTheWayOfTheFolderIsAnError() throws {
        let file = try directory.write([1], to: "file").path
        for path in [file, file + "/below"] {
            let error = #expect(throws: OutputError.self) { _ = try OutputFolder(path, PartialFiles()) }
            #expect(error?.reason.contains("a file is in the way") == true)
        }
    }

    @Test func aFileThatIsGivenUpLeavesNothing() throws {
        let partialFiles = PartialFiles()
        let descriptor = open(directory.path, O_RDONLY | O_DIRECTORY)
        defer { close(descriptor) }
        let entry = try partialFiles.begin(in: descriptor)
        close(entry.file)
        #expect(try files() == [entry.name])
        partialFiles.finish(entry)
        #expect(try files() == [])
    }

    @Test func aNameLeftBehindByAKilledProcessIsNotInTheWay() throws {
        for number in 1...3 { _ = try directory.write([1], to: ".bowerbird-\(getpid())-\(number).part") }
        _ = try OutputFolder(directory.path, PartialFiles()).write(bytes("1"), as: name)
        #expect(try contents("photo.jpg") == "1")
    }

    @Test func theEndOfTheProgramRemovesWhatIsUnfinished() async throws {
        let path = directory.path
        await #expect(processExitsWith: .exitCode(130)) { [path = path as String] in
            let partialFiles = PartialFiles()
            let descriptor = open(path, O_RDONLY | O_DIRECTORY)
            _ = try partialFiles.begin(in: descriptor)
            _ = try partialFiles.begin(in: descriptor)
            guard try FileManager.default.contentsOfDirectory(atPath: path).count == 2 else { return }
            Interruption(partialFiles).end(by: SIGINT)
        }
        #expect(try files() == [])
    }

    private var name: FileName { FileName("photo.jpg", fallbackExtension: nil) }

    private func bytes(_ text: String) throws -> EncodedImage { try #require(EncodedImage(Array(text.utf8))) }

    private func files() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: directory.path).sorted()
    }

    private func contents(_ name: String) throws -> String {
        let path = "\(directory.path)/\(name)"
        return FileManager.default.fileExists(atPath: path) ? try String(contentsOfFile: path, encoding: .utf8) : "-"
    }
}
