import BowerbirdLoading
import BowerbirdTestSupport
import FoundationEssentials
import Testing

@Suite(.timeLimit(.minutes(5)))
struct HTTPLifetimeTests {
    let server: LocalServer

    init() throws { server = try LocalServer.start() }

    @Test func aStreamOutlivesItsLoader() async throws {
        let gate = LocalServer.Gate()
        server.script("/", .gated([[1], pattern(100_000)], by: [gate]))
        let response = try await HTTPLoader().response(from: server.url("/"))
        gate.open()
        #expect(try await response.body.allBytes() == [1] + pattern(100_000))
    }

    @Test func aLoaderThatWasNeverAskedHasNoThread() {
        let before = loopThreadCount()
        let loaders = (0..<200).map { _ in HTTPLoader() }
        #expect(loopThreadCount() < before + loaders.count / 2)
    }

    /// Other tests run beside this one, so it looks for twenty times what may be left behind once.
    @Test func nothingIsLeftOfLoadersThatAreGone() async throws {
        server.script("/", .ok(pattern(1000)))
        server.script("/slow", .gated([[1], [2]], by: [LocalServer.Gate()]))
        let threads = loopThreadCount()
        let descriptors = descriptorCount()
        for _ in 0..<20 { try await useOnce() }
        #expect(await eventually { loopThreadCount() < threads + 10 })
        #expect(await eventually { descriptorCount() < descriptors + 20 })
        await server.connections(become: 0)
    }

    private func useOnce() async throws {
        let loader = HTTPLoader()
        _ = try await loader.bytes(from: server.url("/"))
        _ = try await loader.response(from: server.url("/slow"))
    }

    private func loopThreadCount() -> Int {
        let threads = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
        let names = threads.map { try? String(contentsOfFile: "/proc/self/task/\($0)/comm", encoding: .utf8) }
        return names.count { $0 == "bowerbird-http\n" }
    }

    private func descriptorCount() -> Int {
        (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count) ?? 0
    }
}
