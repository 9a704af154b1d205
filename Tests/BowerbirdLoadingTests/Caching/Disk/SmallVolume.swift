import BowerbirdTestSupport
import Foundation

/// A file system in memory, mounted by a shell that takes it away again when this lets go, and also when this process
/// dies.
final class SmallVolume {
    var path: String { folder.path }
    private let folder: TemporaryDirectory
    private let shell = Process()
    private let leash = Pipe()

    static let isPossible = (try? SmallVolume(options: "size=64k")) != nil

    init(options: String) throws {
        folder = try TemporaryDirectory()
        let output = Pipe()
        let script =
            "mount -t tmpfs -o \(options) none '\(folder.path)' && echo ready && cat; umount -l '\(folder.path)'"
        shell.executableURL = URL(fileURLWithPath: "/bin/sh")
        shell.arguments = ["-c", script]
        shell.standardInput = leash
        shell.standardOutput = output
        shell.standardError = FileHandle.nullDevice
        try shell.run()
        let answer = output.fileHandleForReading.availableData
        guard answer == Data("ready\n".utf8) else { throw CocoaError(.featureUnsupported) }
    }

    deinit {
        try? leash.fileHandleForWriting.close()
        shell.waitUntilExit()
    }
}
