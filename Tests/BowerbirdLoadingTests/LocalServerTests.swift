import BowerbirdLoading
import BowerbirdTestSupport
import FoundationEssentials
import Testing

/// What the other tests rely on.
@Suite(.timeLimit(.minutes(5)))
struct LocalServerTests {
    let server: LocalServer
    let loader = HTTPLoader()

    init() throws { server = try LocalServer.start() }

    @Test func whatHasNoScriptIsNotFound() async {
        await #expect(throws: LoadingError.status(404)) { try await loader.bytes(from: server.url("/x")) }
        #expect(server.requests(for: "/x").map(\.method) == ["GET"])
    }

    @Test func stoppingDoesNotWaitForGatesNorForClients() async throws {
        let gate = LocalServer.Gate()
        server.script("/gate", LocalServer.Answer([.gate(gate)]))
        server.script("/full", .zeros(256 << 20))
        let unread = try await loader.response(from: server.url("/full"))
        let task = Task { try await loader.response(from: server.url("/gate")) }
        await gate.reached()
        server.stop()
        #expect(server.connectionCount == 0)
        await #expect(throws: LoadingError.self) { try await task.value }
        await #expect(throws: LoadingError.self) { try await unread.body.allBytes() }
        server.stop()
    }

    @Test func aTemporaryFolderGoesWithAllThatIsInIt() throws {
        var directory: TemporaryDirectory? = try TemporaryDirectory()
        let path = try #require(directory?.path)
        _ = try directory?.write([1], to: "file")
        #expect(FileManager.default.fileExists(atPath: "\(path)/file"))
        directory = nil
        #expect(!FileManager.default.fileExists(atPath: path))
    }
}
