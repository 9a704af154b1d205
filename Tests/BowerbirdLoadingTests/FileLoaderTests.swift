import BowerbirdTestSupport
import FoundationEssentials
import Glibc
import Testing

@testable import BowerbirdLoading

@Suite(.timeLimit(.minutes(5)))
struct FileLoaderTests {
    let directory: TemporaryDirectory
    let loader = FileLoader()

    init() throws { directory = try TemporaryDirectory() }

    @Test(arguments: [0, 1, 1 << 20, 1 << 20 + 7])
    func aFileArrivesWhole(_ size: Int) async throws {
        let bytes = pattern(size)
        let url = try directory.write(bytes, to: "photo.jpg")
        let response = try await loader.response(from: url)
        #expect(response.head.url == url)
        #expect(response.head.status == nil)
        #expect(response.head.expectedByteCount == size)
        #expect(try await response.body.allBytes() == bytes)
    }

    @Test(arguments: ["东方不败.jpg", "a b　c%20d#e?f.jpg"])
    func anyNameCanBeRead(_ name: String) async throws {
        let url = try directory.write([1, 2], to: name)
        #expect(try await loader.bytes(from: url) == [1, 2])
    }

    @Test func aNameThatIsNoTextCanBeRead() async throws {
        let path = [UInt8]("\(directory.path)/".utf8) + [0xFF, 0xFE]
        let descriptor = open(path.map(CChar.init(bitPattern:)) + [0], O_CREAT | O_WRONLY, 0o600)
        #expect(write(descriptor, [5 as UInt8], 1) == 1)
        close(descriptor)
        let url = try #require(URL(string: "file://\(directory.path)/%FF%FE"))
        #expect(try await loader.bytes(from: url) == [5])
    }

    @Test func whatDoesNotExistIsNotFound() async throws {
        let file = try directory.write([1], to: "file")
        for url in [directory.url(of: "missing.jpg"), file.appending(path: "below")] {
            await #expect(throws: LoadingError.fileNotFound) { try await loader.bytes(from: url) }
        }
    }

    @Test func aNameIsNotCutAtAZeroByte() async throws {
        _ = try directory.write([1], to: "a")
        let url = try #require(URL(string: "file://\(directory.path)/a%00b"))
        await #expect(throws: LoadingError.fileNotFound) { try await loader.bytes(from: url) }
    }

    @Test func aFolderIsNoFile() async {
        await #expect(throws: LoadingError.isDirectory) { try await loader.bytes(from: directory.url) }
    }

    @Test func aPipeIsRefusedAndNotWaitedFor() async throws {
        let url = directory.url(of: "pipe")
        try #require(mkfifo("\(directory.path)/pipe", 0o600) == 0)
        await #expect(throws: LoadingError.file("it is no regular file")) { try await loader.bytes(from: url) }
    }

    @Test func aDeviceIsRefused() async throws {
        let url = URL(filePath: "/dev/zero")
        await #expect(throws: LoadingError.file("it is no regular file")) { try await loader.bytes(from: url) }
    }

    @Test func aFileOnAnotherMachineIsRefused() async throws {
        let url = try #require(URL(string: "file://elsewhere/etc/hostname"))
        await #expect(throws: LoadingError.file("it is on another machine, “elsewhere”")) {
            try await loader.bytes(from: url)
        }
    }

    @Test func aLargerFileThanAllowedIsRefused() async throws {
        let url = try directory.write(pattern(100), to: "large")
        await #expect(throws: LoadingError.tooLarge(maximumByteCount: 99)) {
            try await loader.response(for: DataRequest(url: url, maximumByteCount: 99))
        }
        #expect(try await loader.response(for: DataRequest(url: url, maximumByteCount: 100)).head.url == url)
    }

    @Test func aFileOfSomebodyElseIsForbidden() async throws {
        _ = try directory.write([1], to: "secret")
        let path = [UInt8]("\(directory.path)/secret".utf8)
        try #require(chmod("\(directory.path)/secret", 0) == 0)
        let error = await unprivileged { () -> LoadingError? in
            do throws(LoadingError) {
                _ = try SourceFile(path)
                return nil
            } catch {
                return error
            }
        }
        #expect(error == .permissionDenied)
    }

    @Test func aCancelledTaskReadsNothing() async throws {
        let url = try directory.write(pattern(100), to: "file")
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await loader.response(from: url)
        }
        await #expect(throws: LoadingError.cancelled) { try await task.value }
    }

    @Test func noDescriptorIsLeftOpen() async throws {
        let good = try directory.write([1], to: "file")
        _ = try await loader.bytes(from: good)
        await #expect(throws: LoadingError.isDirectory) { try await loader.bytes(from: directory.url) }
        await #expect(throws: LoadingError.tooLarge(maximumByteCount: 0)) {
            try await loader.response(for: DataRequest(url: good, maximumByteCount: 0))
        }
        let files = FileManager.default
        let open = try files.contentsOfDirectory(atPath: "/proc/self/fd")
            .compactMap { try? files.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)") }
        #expect(!open.contains { $0.hasPrefix(directory.path) })
    }
}
