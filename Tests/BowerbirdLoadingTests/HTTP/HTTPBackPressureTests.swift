import BowerbirdTestSupport
import Testing

@testable import BowerbirdLoading

@Suite(.timeLimit(.minutes(5)))
struct HTTPBackPressureTests {
    let server: LocalServer

    init() throws { server = try LocalServer.start() }

    @Test func aReaderThatStopsHoldsTheServerBack() async throws {
        let size = 50 << 20
        let reader = try reader(of: size, HTTPLoader.Configuration())
        var count = try #require(try await reader.next()).count
        #expect(await eventually { reader.body.backlog.isPaused })
        #expect(reader.body.backlog.byteCount <= TransferBodyState.highWaterMark + 64 << 10)
        #expect(server.sentByteCount < size / 2)
        while let bytes = try await reader.next() { count += bytes.count }
        #expect(count == size)
    }

    /// What was sent and not read is all that can be held, here and in the kernel.
    @Test func aLargeBodyThatIsReadSlowlyIsNeverHeldWhole() async throws {
        let size = 200 << 20
        let reader = try reader(of: size, HTTPLoader.Configuration())
        var count = 0
        var held = 0
        while let bytes = try await reader.next() {
            count += bytes.count
            if count < 16 << 20 { #expect(await eventually { reader.body.backlog.isPaused }) }
            held = max(held, server.sentByteCount - count)
        }
        #expect(count == size)
        #expect(held < 40 << 20)
    }

    @Test func theServerIsNotBlamedForASlowReader() async throws {
        var configuration = HTTPLoader.Configuration()
        configuration.idleTimeout = .milliseconds(100)
        let reader = try reader(of: 20 << 20, configuration)
        _ = try await reader.head()
        #expect(await eventually { reader.body.backlog.isPaused })
        try await outlast(configuration)
        var count = 0
        while let bytes = try await reader.next() { count += bytes.count }
        #expect(count == 20 << 20)
    }

    @Test func lettingGoOfARestingTransferFreesItsConnection() async throws {
        var reader: TransferReader? = try reader(of: 50 << 20, HTTPLoader.Configuration())
        let body = try #require(reader?.body)
        #expect(await eventually { body.backlog.isPaused })
        reader = nil
        await server.connections(become: 0)
        #expect(body.backlog.byteCount == 0)
    }

    private func reader(of size: Int, _ configuration: HTTPLoader.Configuration) throws -> TransferReader {
        server.script("/zeros", .zeros(size))
        return TransferReader(of: DataRequest(url: server.url("/zeros")), on: try CurlMulti.start(configuration))
    }

    /// Returns when a server that was silent from now on has timed out.
    private func outlast(_ configuration: HTTPLoader.Configuration) async throws {
        server.script("/silent", LocalServer.Answer([.gate(LocalServer.Gate())]))
        let loader = HTTPLoader(configuration: configuration)
        await #expect { try await loader.response(from: server.url("/silent")) } throws: { error in
            guard case .timedOut? = error as? LoadingError else { return false }
            return true
        }
    }
}
