import BowerbirdTestSupport
import FoundationEssentials
import Testing

@testable import BowerbirdLoading

@Suite(.timeLimit(.minutes(5)))
struct `The metrics of a transfer` {
    let server: LocalServer
    let loader = HTTPLoader()
    let log = MetricsLog()

    init() throws { server = try LocalServer.start() }

    @Test func areThereWhenTheBodyHasBeenRead() async throws {
        server.script("/", .ok(pattern(5000)))
        let metrics = try await loader.measured(DataRequest(url: server.url("/"))).metrics
        try #require(metrics.count == 1)
        #expect(metrics[0].receivedByteCount == 5000)
        #expect(metrics[0].protocolVersion == "1.1")
        #expect(!metrics[0].isReusedConnection)
        #expect(metrics[0].connect > .zero && metrics[0].secure == .zero)
        #expect(metrics[0].firstByte > metrics[0].nameLookup + metrics[0].connect)
        #expect(metrics[0].total >= metrics[0].firstByte)
    }

    @Test func sayThatAConnectionWasThereAlready() async throws {
        server.script("/", .ok([1]))
        _ = try await loader.bytes(from: server.url("/"))
        let metrics = try await loader.measured(DataRequest(url: server.url("/"))).metrics
        #expect(metrics.map(\.isReusedConnection) == [true])
        #expect(metrics.first?.connect == .zero)
    }

    @Test func containTheTimeOfAServerThatIsSilentToTheEnd() async throws {
        server.script("/", LocalServer.Answer([.gate(LocalServer.Gate())]))
        var configuration = HTTPLoader.Configuration()
        configuration.idleTimeout = .milliseconds(100)
        let loader = HTTPLoader(configuration: configuration)
        await #expect(throws: LoadingError.self) { try await loader.response(for: request("/")) }
        #expect(log.all.count == 1)
        #expect(try #require(log.all.first).total >= .milliseconds(100))
        #expect(log.all.first?.firstByte == .zero && log.all.first?.protocolVersion == nil)
    }

    @Test func areReportedOnceWhereItFails() async throws {
        let port = try RefusingPort()
        let url = try #require(URL(string: port.address("/")))
        let refused = DataRequest(url: url, onMetrics: log.report)
        await #expect(throws: LoadingError.self) { try await loader.response(for: refused) }
        #expect(log.all.map(\.protocolVersion) == [nil])
        await #expect(throws: LoadingError.status(404)) { try await loader.response(for: request("/none")) }
        #expect(log.all.map(\.protocolVersion) == [nil, "1.1"])
        #expect(log.all.allSatisfy { !$0.isReusedConnection })
    }

    @Test func areReportedOnceWhereItIsCancelled() async throws {
        let gate = LocalServer.Gate()
        server.script("/", .gated([pattern(100), [1]], by: [gate]))
        let task = Task { try await loader.response(for: request("/")).body.allBytes() }
        await gate.reached()
        task.cancel()
        await #expect(throws: LoadingError.cancelled) { try await task.value }
        #expect(await eventually { !log.all.isEmpty })
        await server.connections(become: 0)
        #expect(log.all.count == 1)
    }

    @Test func areReportedOnceWhereLoaderAndStreamAreGone() async throws {
        server.script("/", .gated([[1], [2]], by: [LocalServer.Gate()]))
        _ = try await HTTPLoader().response(for: request("/"))
        #expect(await eventually { !log.all.isEmpty })
        await server.connections(become: 0)
        #expect(log.all.map(\.receivedByteCount) == [1])
    }

    @Test func areNotReportedWhereItNeverBegan() async throws {
        var configuration = HTTPLoader.Configuration()
        configuration.maximumConnectionsPerHost = 1
        let multi = try CurlMulti.start(configuration)
        let gate = LocalServer.Gate()
        server.script("/first", .gated([[1], [2]], by: [gate]))
        server.script("/last", .ok([3]))
        let first = TransferReader(of: DataRequest(url: server.url("/first")), on: multi)
        await gate.reached()
        _ = TransferReader(of: request("/second"), on: multi)
        gate.open()
        try await first.skip(.max)
        try await TransferReader(of: DataRequest(url: server.url("/last")), on: multi).skip(.max)
        #expect(log.all.isEmpty && server.requests(for: "/second").isEmpty)
    }

    /// Some of these are given up before libcurl has looked at them.
    @Test func areNeverThoseOfTheTransferBeforeOnTheSameHandle() async throws {
        server.script("/", .ok(pattern(5000)))
        server.script("/silent", LocalServer.Answer([.gate(LocalServer.Gate())]))
        let multi = try CurlMulti.start(HTTPLoader.Configuration())
        for _ in 0..<50 {
            try await TransferReader(of: DataRequest(url: server.url("/")), on: multi).skip(.max)
            _ = TransferReader(of: request("/silent"), on: multi)
        }
        // What is asked for last is answered after all that was given up before.
        try await TransferReader(of: DataRequest(url: server.url("/")), on: multi).skip(.max)
        #expect(log.all.allSatisfy { $0.receivedByteCount == 0 && $0.protocolVersion == nil })
    }

    private func request(_ target: String) -> DataRequest {
        DataRequest(url: server.url(target), onMetrics: log.report)
    }
}

struct `The sum of redirected transfers` {
    private var sum = TransferSum()

    @Test mutating func isThereWhenAllHaveEndedAndNoneFollows() {
        let early = [sum.add(metrics(1)), sum.add(metrics(2))]
        #expect(early == [nil, nil])
        let whole = sum.close(after: 2)
        #expect(whole?.receivedByteCount == 3)
    }

    @Test mutating func waitsForTheLastOfThem() {
        #expect([sum.add(metrics(1)), sum.close(after: 2)] == [nil, nil])
        let whole = sum.add(metrics(2))
        #expect(whole?.receivedByteCount == 3)
    }

    @Test mutating func isNothingWhereNoneBegan() {
        let whole = sum.close(after: 0)
        #expect(whole == nil)
    }

    @Test func countsTimesFromTheBeginningOfTheFirst() {
        let both = metrics(1).followed(by: metrics(2))
        #expect(both.total == .seconds(30))
        #expect(both.firstByte == .seconds(12))
        #expect(both.nameLookup == .seconds(3) && both.connect == .seconds(6) && both.secure == .seconds(9))
    }

    private func metrics(_ number: Int) -> TransferMetrics {
        var metrics = TransferMetrics()
        metrics.nameLookup = .seconds(number)
        metrics.connect = .seconds(2 * number)
        metrics.secure = .seconds(3 * number)
        metrics.firstByte = .seconds(number)
        metrics.total = .seconds(10 * number)
        metrics.receivedByteCount = number
        return metrics
    }
}
