import BowerbirdLoading
import BowerbirdTestSupport
import FoundationEssentials
import Testing

@Suite(.timeLimit(.minutes(5)))
struct HTTPCancellationTests {
    let server: LocalServer
    let loader = HTTPLoader()

    init() throws { server = try LocalServer.start() }

    @Test func cancellingInTheMiddleOfABodyThrowsAndFreesTheConnection() async throws {
        let gate = LocalServer.Gate()
        server.script("/", .gated([[1], [2]], by: [gate]))
        let response = try await loader.response(from: server.url("/"))
        #expect(try await response.body.nextBytes() == [1])
        let reading = Task { try await response.body.nextBytes() }
        await gate.reached()
        reading.cancel()
        await #expect(throws: LoadingError.cancelled) { try await reading.value }
        await server.connections(become: 0)
    }

    @Test func cancellingBeforeTheHeadThrowsAndFreesTheConnection() async throws {
        let gate = LocalServer.Gate()
        server.script("/", LocalServer.Answer([.gate(gate)]))
        let task = Task { try await loader.response(from: server.url("/")) }
        await gate.reached()
        task.cancel()
        await #expect(throws: LoadingError.cancelled) { try await task.value }
        await server.connections(become: 0)
    }

    @Test func aTaskCancelledBeforeItAsksSendsNothing() async throws {
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await loader.response(from: server.url("/"))
        }
        await #expect(throws: LoadingError.cancelled) { try await task.value }
        #expect(server.requests(for: "/").isEmpty)
    }

    @Test func aCancelledReaderGetsNothingMoreThoughItIsThere() async throws {
        server.script("/", .ok([1, 2, 3]))
        let response = try await loader.response(from: server.url("/"))
        let reading = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await response.body.nextBytes()
        }
        await #expect(throws: LoadingError.cancelled) { try await reading.value }
    }

    @Test func cancellingOneDoesNotDisturbAnother() async throws {
        let gates = [LocalServer.Gate(), LocalServer.Gate()]
        server.script("/a", .gated([[1], [2]], by: [gates[0]]))
        server.script("/b", .gated([[3], [4]], by: [gates[1]]))
        let doomed = Task { try await loader.bytes(from: server.url("/a")) }
        let kept = Task { try await loader.bytes(from: server.url("/b")) }
        for gate in gates { await gate.reached() }
        doomed.cancel()
        await server.connections(become: 1)
        gates[1].open()
        #expect(try await kept.value == [3, 4])
        await #expect(throws: LoadingError.cancelled) { try await doomed.value }
    }

    @Test func lettingGoOfAStreamFreesTheConnection() async throws {
        let gate = LocalServer.Gate()
        server.script("/", .gated([[1], [2]], by: [gate]))
        var response: DataResponse? = try await loader.response(from: server.url("/"))
        #expect(response?.head.status == 200)
        response = nil
        await server.connections(become: 0)
    }

    /// The best of some rounds, because the machine has other things to do. The sanitizer makes all of it slower.
    @Test func aStormOfCancellationsHoldsUpNobody() async throws {
        server.script("/", .gated([[1], [2]], by: [LocalServer.Gate()]))
        var shortest = Storm(held: .seconds(60), gone: .seconds(60))
        for _ in 0..<20 where shortest.held >= Self.longestHold || shortest.gone >= .milliseconds(100) {
            let storm = try await storm()
            shortest = Storm(held: min(shortest.held, storm.held), gone: min(shortest.gone, storm.gone))
        }
        #expect(shortest.held < Self.longestHold)
        #expect(shortest.gone < .milliseconds(100))
    }

    #if BOWERBIRD_SANITIZER
        private static let longestHold: Duration = .milliseconds(20)
    #else
        private static let longestHold: Duration = .milliseconds(1)
    #endif

    /// How long the canceller was held, and how long it took until the last connection was closed.
    private struct Storm {
        var held: Duration
        var gone: Duration
    }

    private func storm() async throws -> Storm {
        var configuration = HTTPLoader.Configuration()
        configuration.maximumConnectionsPerHost = 200
        let loader = HTTPLoader(configuration: configuration)
        let tasks = (0..<200).map { _ in Task { try await loader.bytes(from: server.url("/")) } }
        await server.connections(become: 200)
        let clock = ContinuousClock()
        let start = clock.now
        for task in tasks { task.cancel() }
        let held = clock.now - start
        await server.connections(become: 0)
        let gone = clock.now - start
        for task in tasks { await #expect(throws: LoadingError.cancelled) { try await task.value } }
        return Storm(held: held, gone: gone)
    }

    @Test func theLoaderServesOnAfterAStorm() async throws {
        let gate = LocalServer.Gate()
        server.script("/slow", .gated([[1], [2]], by: [gate]))
        server.script("/", .ok([7]))
        let tasks = (0..<50).map { _ in Task { try await loader.bytes(from: server.url("/slow")) } }
        await gate.reached()
        for task in tasks { task.cancel() }
        #expect(try await loader.bytes(from: server.url("/")) == [7])
    }
}
