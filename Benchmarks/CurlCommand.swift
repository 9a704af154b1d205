import BowerbirdTestSupport
import FoundationEssentials

/// The command `curl`, told what to load by a file.
struct CurlCommand {
    private let folder: TemporaryDirectory
    /// Names of configurations.
    let all: String
    let one: String

    init(_ files: ServedFiles) throws {
        folder = try TemporaryDirectory()
        all = try Self.write(files.urls[...], to: "all", in: folder)
        one = try Self.write(files.urls.prefix(1), to: "one", in: folder)
    }

    private static func write(
        _ urls: ArraySlice<URL>, to name: String, in folder: TemporaryDirectory
    ) throws -> String {
        let lines = urls.map { "url = \"\($0.absoluteString)\"\noutput = \"/dev/null\"\n" }
        return try folder.write(Array(lines.joined().utf8), to: name).path
    }

    func run(_ configuration: String) throws {
        let status = try ChildProcess([
            "curl", "--config", configuration, "--no-progress-meter", "--fail", "--insecure", "--parallel",
            "--parallel-immediate", "--parallel-max", "\(ServedFiles.atOnce)",
        ]).wait()
        guard status == 0 else { throw CannotMeasure("curl ended with status \(status)") }
    }
}
