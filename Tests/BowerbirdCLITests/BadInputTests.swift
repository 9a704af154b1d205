import BowerbirdTestSupport
import Foundation
import Testing

@Suite(Program.isBuilt) struct BadInputTests {
    private let fixture: ProgramFixture

    init() throws { fixture = try ProgramFixture() }

    @Test func noSuchHostIsOneLine() async throws {
        try await expectFailure("http://no-such-host.invalid/a.jpg", "there is no host “no-such-host.invalid”")
    }

    @Test func aRefusedConnectionIsOneLine() async throws {
        let port = try RefusingPort()
        try await expectFailure(port.address("/a.jpg"), "the server cannot be reached")
    }

    @Test(arguments: [404, 500])
    func aStatusIsOneLine(_ status: Int) async throws {
        fixture.server.script("/a.jpg", .status(status))
        try await expectFailure(fixture.server.url("/a.jpg").absoluteString, "status \(status)")
    }

    @Test func anEmptyBodyIsOneLine() async throws {
        try await expectFailure(fixture.serve("/a.jpg", []), "the file is empty")
    }

    @Test func anErrorPageIsOneLine() async throws {
        let page = Array("<!DOCTYPE html>\n<html><body>Sorry".utf8)
        try await expectFailure(fixture.serve("/a.jpg", page), "this is no image: it begins with “<!DOCTYPE html>")
    }

    @Test func aBodyThatEndsEarlyIsOneLine() async throws {
        fixture.server.script("/a.jpg", .cut(ProgramFixture.bytes(), after: 100))
        try await expectFailure(fixture.server.url("/a.jpg").absoluteString, "100 of 2000 bytes")
    }

    @Test func aMissingFileIsOneLine() async throws {
        try await expectFailure(fixture.directory.path + "/missing.jpg", "there is no such file")
    }

    @Test func aFolderIsOneLine() async throws {
        try await expectFailure(fixture.directory.path, "this is a folder, not a file; name the files in it")
    }

    @Test func nothingIsNoAddress() async throws {
        let result = try await fixture.fetch("")
        #expect(result.status == 1 && result.errors == "bowerbird: '': this is no URL\n")
    }

    @Test func anUnknownSchemeIsOneLine() async throws {
        try await expectFailure("ftp://host/a.jpg", "nothing here loads “ftp:” addresses")
    }

    @Test(Unprivileged.isPossible) func noPermissionToReadIsOneLine() async throws {
        let file = try fixture.directory.write(ProgramFixture.bytes(), to: "secret.jpg").path
        chmod(file, 0)
        try await expectFailure(file, "there is no permission to read it", as: Unprivileged.wrapper)
    }

    @Test(Unprivileged.isPossible) func noPermissionToWriteIsOneLineBeforeAnythingIsLoaded() async throws {
        let url = fixture.serve("/a.jpg")
        try FileManager.default.createDirectory(atPath: fixture.out, withIntermediateDirectories: false)
        chmod(fixture.out, 0o555)
        let result = try await unprivileged.run("fetch", "-o", fixture.out, url)
        #expect(result.status == 1 && result.output == "")
        #expect(result.errors.hasPrefix("bowerbird: \(fixture.out): cannot be written: Permission denied"))
        #expect(result.errorLines.count == 1 && fixture.server.requests(for: "/a.jpg").isEmpty)
    }

    @Test(Unprivileged.isPossible) func aReadOnlyCacheIsOneWarningAndLoadingGoesOn() async throws {
        let urls = (1...3).map { fixture.serve("/\($0).jpg") }
        for folder in [fixture.out, fixture.cache] {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        }
        chmod(fixture.out, 0o777)
        chmod(fixture.cache, 0o555)
        let result = try await unprivileged.run(["fetch", "-o", fixture.out] + urls)
        #expect(result.status == 0 && result.outputLines.count == 3)
        #expect(result.errorLines.count == 1 && result.errors.hasPrefix("bowerbird: warning: the disk cache in "))
        #expect(try fixture.written() == ["1.jpg", "2.jpg", "3.jpg"])
    }

    @Test(SmallDisk.isPossible) func aFullCacheIsOneWarningAndLoadingGoesOn() async throws {
        let urls = (1...3).map { fixture.serve("/\($0).jpg", ProgramFixture.bytes(3 << 20)) }
        let disk = try SmallDisk(at: fixture.directory.path + "/small")
        let result = try await disk.run(fixture.program, ["fetch", "--cache", disk.path, "-o", fixture.out] + urls)
        #expect(result.status == 0, "\(result.errors)")
        #expect(result.errorLines.count == 1 && result.errors.hasPrefix("bowerbird: warning: the disk cache in "))
        #expect(try fixture.contents("1.jpg").count == 3 << 20)
    }

    @Test(SmallDisk.isPossible) func aFullFolderIsOneLineAndLeavesNoPartialFile() async throws {
        let url = fixture.serve("/a.jpg", ProgramFixture.bytes(3 << 20))
        let disk = try SmallDisk(at: fixture.directory.path + "/small")
        let result = try await disk.run(fixture.program, ["fetch", "--no-cache", "-o", disk.path, url])
        #expect(result.status == 1)
        #expect(result.errorLines.count == 1 && result.errors.hasPrefix("bowerbird: \(url): \(disk.path) "))
        #expect(result.errors.contains("cannot be written: No space left on device; make room"))
        // What is listed at the end.
        #expect(result.output == "")
    }

    @Test func oneFailureAmongManyIsOneLineAndTheOthersArrive() async throws {
        let good = (1...4).map { fixture.serve("/\($0).jpg") }
        let bad = fixture.server.url("/missing.jpg").absoluteString
        let result = try await fixture.program.run(["fetch", "-o", fixture.out, bad] + good)
        #expect(result.status == 1 && result.outputLines.count == 4)
        #expect(result.errorLines.count == 1 && result.errors.hasPrefix("bowerbird: \(bad): "))
    }

    @Test func wrongUsageIsStatusTwo() async throws {
        for arguments in [[], ["bogus"], ["fetch"], ["fetch", "x"], ["convert", "x"], ["frames", "x"]] {
            let result = try await fixture.program.run(arguments)
            #expect(result.status == 2 && result.output == "" && result.errorLines.count == 2)
        }
    }

    @Test func helpIsStatusZeroOnStandardOutput() async throws {
        for arguments in [["help"], ["--help"], ["help", "info"], ["fetch", "--help"], ["--version"]] {
            let result = try await fixture.program.run(arguments)
            #expect(result.status == 0 && !result.output.isEmpty && result.errors == "")
        }
    }

    private var unprivileged: Program {
        var program = fixture.program
        program.wrapper = Unprivileged.wrapper
        return program
    }

    /// All commands say the same of a bad input, once, and nothing is written.
    private func expectFailure(_ input: String, _ part: String, as wrapper: [String] = []) async throws {
        var program = fixture.program
        program.wrapper = wrapper
        let folder = fixture.directory.path + "/writable"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        chmod(folder, 0o777)
        let commands = [
            ["fetch", "-o", folder], ["thumbnail", "-o", folder, "--size", "9"], ["info"],
            ["convert", "-o", folder + "/a.png"], ["frames", "-o", folder],
        ]
        for command in commands {
            let result = try await program.run(command + ["--no-cache", input])
            #expect(result.status == 1 && result.output == "", "\(command[0])")
            #expect(result.errorLines.count == 1, "\(command[0]): \(result.errors)")
            #expect(result.errors.hasPrefix("bowerbird: \(input): "))
            #expect(result.errors.contains(part), "\(result.errors)")
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == [])
    }
}

/// A child that is not root, to whom mode bits forbid nothing.
enum Unprivileged {
    static let wrapper = getuid() == 0 ? ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"] : []

    static let isPossible: ConditionTrait = .enabled("the program cannot be run by an ordinary user here") {
        guard Program.path != nil else { return false }
        return try await Program(wrapper: wrapper).run("--version").status == 0
    }
}

/// A file system of 1 MB that only the program sees.
struct SmallDisk {
    let path: String

    static let isPossible: ConditionTrait = .enabled("a small file system can be mounted by root only") {
        guard Program.path != nil else { return false }
        return try await Program(wrapper: wrapper("/mnt")).run("--version").status == 0
    }

    init(at path: String) throws {
        self.path = path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    }

    /// What is left on it of images, partial ones too, is listed on standard output.
    func run(_ program: Program, _ arguments: [String]) async throws -> Program.Result {
        var program = program
        program.wrapper = Self.wrapper(path)
        return try await program.run(arguments)
    }

    private static func wrapper(_ path: String) -> [String] {
        let script = """
            mount -t tmpfs -o size=1m none "$0" || exit 9
            "$@"; status=$?; ls -A "$0" | grep -E 'jpg|part'; exit $status
            """
        return ["unshare", "-m", "sh", "-c", script, path]
    }
}
