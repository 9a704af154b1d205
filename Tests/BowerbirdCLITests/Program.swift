import Foundation
import Testing

/// The built program, as a user runs it.
struct Program {
    /// It lies beside the tests; nil when only the tests were built.
    static let path: String? = {
        let folder = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
        let path = folder.appendingPathComponent("bowerbird").path
        return FileManager.default.isExecutableFile(atPath: path) ? path : nil
    }()

    static let isBuilt: ConditionTrait = .enabled(
        if: path != nil, "the program bowerbird has not been built beside the tests")

    struct Result: Sendable {
        let status: Int32
        let output: String
        let errors: String

        var outputLines: [Substring] { output.split(separator: "\n") }
        var errorLines: [Substring] { errors.split(separator: "\n") }
    }

    /// Variables besides those of the tests.
    var environment: [String: String] = [:]
    /// A program that runs it, with its arguments.
    var wrapper: [String] = []

    func run(_ arguments: String...) async throws -> Result { try await run(arguments) }

    func run(_ arguments: [String]) async throws -> Result { try await start(arguments).result() }

    func start(_ arguments: [String]) throws -> RunningProgram {
        let path = try #require(Self.path)
        return try RunningProgram(wrapper + [path] + arguments, environment)
    }
}

/// A run that has begun.
final class RunningProgram: Sendable {
    private let folder: URL
    private let process: Process
    private let end: AsyncStream<Int32>

    fileprivate init(_ words: [String], _ environment: [String: String]) throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("bowerbird-run-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        process = Process()
        // A test run in the background has signals ignored, and its children would inherit that.
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["--default-signal=INT,TERM,HUP,PIPE"] + words
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = try Self.newFile(folder, "output")
        process.standardError = try Self.newFile(folder, "errors")
        let (end, continuation) = AsyncStream.makeStream(of: Int32.self)
        self.end = end
        process.terminationHandler = { process in
            continuation.yield(process.terminationStatus)
            continuation.finish()
        }
        try process.run()
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    func send(_ signal: Int32) { kill(process.processIdentifier, signal) }

    /// When it has ended. For a program that a signal ended, the status is the signal's number.
    func result() async throws -> Program.Result {
        var status: Int32 = -1
        for await value in end { status = value }
        return Program.Result(status: status, output: try text("output"), errors: try text("errors"))
    }

    private func text(_ name: String) throws -> String {
        String(decoding: try Data(contentsOf: folder.appendingPathComponent(name)), as: UTF8.self)
    }

    private static func newFile(_ folder: URL, _ name: String) throws -> FileHandle {
        let url = folder.appendingPathComponent(name)
        try Data().write(to: url)
        return try FileHandle(forWritingTo: url)
    }
}
