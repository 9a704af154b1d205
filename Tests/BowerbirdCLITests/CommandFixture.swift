import Bowerbird
import BowerbirdTestSupport
import Foundation
import Testing

@testable import BowerbirdCLI

/// Runs commands inside the test, with codecs of its own, on files in a folder of its own.
final class CommandFixture {
    var codecs = CodecSet.builtIn
    let recorder = ConsoleRecorder()
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    /// Words that begin with `@` are names in the folder.
    func run(_ line: String) async throws -> BowerbirdCLI.ExitStatus {
        let words = line.split(separator: " ").map { $0.hasPrefix("@") ? path(String($0.dropFirst())) : String($0) }
        let configuration = ImagePipeline.Configuration(loader: FileLoader(), codecs: codecs)
        let context = CommandContext(recorder.console(nil), configuration, PartialFiles())
        switch try CommandLineRequest(words) {
        case .thumbnail(let command): return try await command.run(in: context)
        case .convert(let command): return try await command.run(in: context)
        case .frames(let command): return try await command.run(in: context)
        case .info(let command): return await command.run(in: context)
        case .formats(let command): return await command.run(in: context)
        case .cache(let command): return try await command.run(in: context)
        default: return .usage
        }
    }

    func path(_ name: String) -> String { "\(directory.path)/\(name)" }

    func write(_ bytes: [UInt8], to name: String) throws { _ = try directory.write(bytes, to: name) }

    func bytes(_ name: String) throws -> [UInt8] { Array(try Data(contentsOf: URL(fileURLWithPath: path(name)))) }

    func header(of name: String) throws -> ImageHeader {
        let file = try bytes(name)
        return try CodecSet.builtIn.header(of: file.span.bytes)
    }

    /// As the file has them.
    func pixels(of name: String) throws -> Bitmap {
        let file = try bytes(name)
        return try CodecSet.builtIn.decode(file.span.bytes, DecodingOptions(pixels: .exact, color: .asStored)).bitmap
    }

    func names(in folder: String = "") throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: path(folder)).sorted()
    }

    /// The last line of standard output.
    func report() throws -> [String: Any] {
        let line = try #require(recorder.output.split(separator: "\n").last)
        return try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    }
}
