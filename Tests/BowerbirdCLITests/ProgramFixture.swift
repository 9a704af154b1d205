import Bowerbird
import BowerbirdTestSupport
import Foundation
import Testing

/// A server, a folder to write into, and a cache of its own.
final class ProgramFixture {
    let server: LocalServer
    let directory: TemporaryDirectory

    init() throws {
        server = try LocalServer.start()
        directory = try TemporaryDirectory()
        chmod(directory.path, 0o755)
    }

    deinit { server.stop() }

    var out: String { directory.path + "/out" }
    var cache: String { directory.path + "/cache" }

    /// The program, with a home of its own.
    var program: Program { Program(environment: ["HOME": directory.path, "XDG_CACHE_HOME": cache, "no_proxy": "*"]) }

    func fetch(_ arguments: String...) async throws -> Program.Result {
        try await program.run(["fetch", "-o", out] + arguments)
    }

    /// Lets the server give this file, and tells the address.
    func serve(_ target: String, _ bytes: [UInt8] = ProgramFixture.bytes()) -> String {
        server.script(target, .ok(bytes))
        return server.url(target).absoluteString
    }

    /// The names in the folder, hidden ones too.
    func written() throws -> [String] {
        guard FileManager.default.fileExists(atPath: out) else { return [] }
        return try FileManager.default.contentsOfDirectory(atPath: out).sorted()
    }

    func contents(_ name: String) throws -> [UInt8] {
        Array(try Data(contentsOf: URL(fileURLWithPath: out + "/" + name)))
    }

    /// Something that begins like a JPEG file; `fetch` asks no more of it.
    static func bytes(_ count: Int = 2000, seed: UInt8 = 0) -> [UInt8] {
        [0xFF, 0xD8, 0xFF, 0xE0] + (4..<count).map { UInt8(truncatingIfNeeded: $0) ^ seed }
    }

    /// A real picture, of one colour.
    static func picture(
        _ width: Int, _ height: Int, as format: ImageFormat = .jpeg, isOpaque: Bool = true
    ) throws -> [UInt8] {
        var buffer = try PixelBuffer.make(width, height, isOpaque: isOpaque)
        let value: UInt8 = isOpaque ? 0xFF : 0x80
        for row in 0..<height {
            buffer.withRow(row) { row in
                for offset in 0..<row.byteCount { row.storeBytes(of: value, toByteOffset: offset, as: UInt8.self) }
            }
        }
        return try CodecSet.builtIn.encode(buffer.freeze(), as: format).withUnsafeBytes { Array($0) }
    }

    static func canRead(_ format: ImageFormat) -> ConditionTrait {
        .enabled(if: CodecSet.builtIn.decoder(for: format) != nil, "this build cannot read \(format)")
    }

    static func canWrite(_ format: ImageFormat) -> ConditionTrait {
        .enabled(if: CodecSet.builtIn.encoder(for: format) != nil, "this build cannot write \(format)")
    }
}

/// The size of the picture in a file.
func pictureSize(_ bytes: [UInt8]) throws -> PixelSize {
    try CodecSet.builtIn.header(of: bytes.span.bytes).size
}
