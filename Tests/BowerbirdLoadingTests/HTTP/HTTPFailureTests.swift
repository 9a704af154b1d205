import BowerbirdLoading
import FoundationEssentials
import Testing

@testable import BowerbirdTestSupport

@Suite(.timeLimit(.minutes(5)))
struct HTTPFailureTests {
    let server: LocalServer
    let loader = HTTPLoader()

    init() throws { server = try LocalServer.start() }

    @Test(arguments: [304, 403, 404, 500, 503])
    func aStatusThatIsNoSuccessIsAnError(_ status: Int) async {
        server.script("/", .status(status, body: status == 304 ? [] : pattern(2_000)))
        await #expect(throws: LoadingError.status(status)) { try await loader.response(from: server.url("/")) }
    }

    @Test func aHostThatDoesNotExistIsNamed() async throws {
        let url = try #require(URL(string: "http://no-such-host.invalid/a.jpg"))
        await #expect(throws: LoadingError.hostNotFound("no-such-host.invalid")) { try await loader.bytes(from: url) }
    }

    @Test func aPortWhereNobodyListensIsNamed() async throws {
        let port = try RefusingPort()
        let error = await loader.failure(from: try #require(URL(string: port.address("/"))))
        guard case .cannotConnect(let reason) = error else { return record(error) }
        #expect(reason.contains("127.0.0.1") && reason.contains("\(port.number)"))
    }

    @Test func aServerThatHangsUpLosesTheConnection() async {
        server.script("/", LocalServer.Answer([.close]))
        let error = await loader.failure(from: server.url("/"))
        guard case .connectionLost(let reason) = error else { return record(error) }
        #expect(!reason.isEmpty)
    }

    @Test func anAnswerThatIsNotHTTPMakesNoSense() async {
        server.script("/", LocalServer.Answer([.bytes([UInt8]("good day\r\n\r\n".utf8)), .close]))
        let error = await loader.failure(from: server.url("/"))
        guard case .invalidAnswer = error else { return record(error) }
    }

    @Test func aCutBodyGivesWhatCameAndThenSaysHowMuchIsMissing() async throws {
        server.script("/", .cut(pattern(1000), after: 400))
        let response = try await loader.response(from: server.url("/"))
        #expect(try await response.body.nextBytes() == [UInt8](pattern(1000).prefix(400)))
        await #expect(throws: LoadingError.incomplete(received: 400, expected: 1000)) {
            try await response.body.nextBytes()
        }
    }

    @Test func aCutBodyOfUnknownLengthIsIncompleteToo() async throws {
        let head = LocalServer.Answer.Step.head(200, ["Transfer-Encoding": "chunked"])
        server.script("/", LocalServer.Answer([head, .chunk([1, 2, 3]), .close]))
        await #expect(throws: LoadingError.incomplete(received: 3, expected: nil)) {
            try await loader.bytes(from: server.url("/"))
        }
    }

    @Test func aLengthBeyondTheLimitIsRefusedAtTheHead() async {
        server.script("/", .ok(pattern(2000)))
        let request = DataRequest(url: server.url("/"), maximumByteCount: 1999)
        await #expect(throws: LoadingError.tooLarge(maximumByteCount: 1999)) { try await loader.response(for: request) }
    }

    @Test func aBodyOfUnknownLengthIsRefusedWhereItPassesTheLimit() async throws {
        let gate = LocalServer.Gate()
        let head = LocalServer.Answer.Step.head(200, ["Transfer-Encoding": "chunked"])
        let steps: [LocalServer.Answer.Step] = [head, .chunk(pattern(1000)), .gate(gate), .chunk(pattern(1000))]
        server.script("/", LocalServer.Answer(steps))
        let response = try await loader.response(for: DataRequest(url: server.url("/"), maximumByteCount: 1999))
        #expect(try await response.body.nextBytes() == pattern(1000))
        gate.open()
        await #expect(throws: LoadingError.tooLarge(maximumByteCount: 1999)) { try await response.body.nextBytes() }
        await server.connections(become: 0)
    }

    @Test func aBodyOfExactlyTheLimitIsTaken() async throws {
        server.script("/", .ok(pattern(2000)))
        let response = try await loader.response(for: DataRequest(url: server.url("/"), maximumByteCount: 2000))
        #expect(try await response.body.allBytes() == pattern(2000))
    }

    @Test func aServerThatSpeaksNoTLSIsInsecure() async throws {
        let url = try #require(URL(string: "https://127.0.0.1:\(server.port)/"))
        let error = await loader.failure(from: url)
        guard case .insecure(let reason) = error else { return record(error) }
        #expect(!reason.isEmpty)
    }

    @Test func aSilentServerTimesOut() async {
        let gate = LocalServer.Gate()
        server.script("/", .gated([[1], [2]], by: [gate]))
        let error = await impatientLoader().failure(from: server.url("/"))
        guard case .timedOut(let reason) = error else { return record(error) }
        #expect(reason.contains("127.0.0.1"))
        await server.connections(become: 0)
    }

    @Test func aServerThatAcceptsNobodyTimesOut() async throws {
        let listener = try Socket.listening(backlog: 0)
        defer { listener.close() }
        let url = try #require(URL(string: "http://127.0.0.1:\(try listener.port())/"))
        let loader = impatientLoader()
        let crowd = (0..<4).map { _ in Task { await loader.failure(from: url) } }
        for task in crowd {
            let error = await task.value
            guard case .timedOut = error else { return record(error) }
        }
    }

    @Test(arguments: ["ftp://127.0.0.1/x", "mailto:a@b.c", "x.jpg"])
    func aSchemeThatIsNotHTTPIsRefused(_ address: String) async throws {
        let url = try #require(URL(string: address))
        await #expect(throws: LoadingError.unsupportedScheme(url.scheme ?? "")) { try await loader.bytes(from: url) }
        await #expect(throws: LoadingError.unsupportedScheme(url.scheme ?? "")) {
            try await SourceLoader().bytes(from: url)
        }
    }

    @Test func anAddressWithoutAHostIsRefused() async throws {
        let url = try #require(URL(string: "http:///x.jpg"))
        await #expect(throws: LoadingError.hostNotFound("")) { try await loader.bytes(from: url) }
    }

    @Test func aPortThatCannotBeIsNamed() async throws {
        let url = try #require(URL(string: "http://127.0.0.1:99999/"))
        let error = await loader.failure(from: url)
        guard case .cannotConnect(let reason) = error else { return record(error) }
        #expect(!reason.isEmpty)
    }

    private func impatientLoader() -> HTTPLoader {
        var configuration = HTTPLoader.Configuration()
        configuration.connectTimeout = .milliseconds(100)
        configuration.idleTimeout = .milliseconds(100)
        return HTTPLoader(configuration: configuration)
    }

    private func record(_ error: LoadingError?) { Issue.record("this is what happened: \(String(describing: error))") }
}
