import BowerbirdCore
import BowerbirdLoading
import BowerbirdTestSupport
import FoundationEssentials
import Testing

@Suite(.timeLimit(.minutes(5)))
struct `A redirect handler` {
    let server: LocalServer

    init() throws {
        server = try LocalServer.start()
        server.script("/old", .redirect(to: "/new", status: 301))
        server.script("/new", .ok([1]))
        server.script("/other", .ok([2]))
    }

    @Test func isToldWhoRedirectsAndWhere() async throws {
        let seen = Lock<[HTTPRedirect]>([])
        let loader = loader { redirect in
            seen.withLock { $0.append(redirect) }
            return redirect.proposed
        }
        let request = DataRequest(
            url: server.url("/old"), headers: ["X-A": "1"], maximumByteCount: 9, usesCookies: true)
        _ = try await loader.response(for: request).body.allBytes()
        let redirect = try #require(seen.withLock { $0 }.first)
        #expect(redirect.from == server.url("/old") && redirect.status == 301)
        #expect(redirect.proposed.url == server.url("/new") && redirect.proposed.headers == ["X-A": "1"])
        #expect(redirect.proposed.maximumByteCount == 9 && redirect.proposed.usesCookies)
    }

    @Test(arguments: [
        ("/new", true), ("http://127.0.0.1:1/", false), ("http://localhost/", false), ("https://127.0.0.1/", false),
    ])
    func isProposedToProveWhoAsksToTheSameServerOnly(_ location: String, _ isSame: Bool) async throws {
        server.script("/old", .redirect(to: location))
        let seen = Lock<[HTTPRedirect]>([])
        let loader = loader { redirect in
            seen.withLock { $0.append(redirect) }
            return nil
        }
        let secrets = ["AUTHORIZATION": "1", "Cookie": "2", "Proxy-Authorization": "3"]
        let headers = secrets.merging(["X-Plain": "4"]) { $1 }
        await #expect(throws: LoadingError.self) {
            try await loader.response(for: DataRequest(url: server.url("/old"), headers: headers))
        }
        #expect(seen.withLock { $0.first?.proposed.headers } == (isSame ? headers : ["X-Plain": "4"]))
    }

    @Test func isNotAskedAboutOtherAnswers() async throws {
        let loader = loader { _ in nil }
        #expect(try await loader.bytes(from: server.url("/new")) == [1])
    }

    @Test func mayLeadElsewhere() async throws {
        let url = server.url("/other")
        let loader = loader { _ in DataRequest(url: url, headers: ["X-Way": "mine"]) }
        let response = try await loader.response(from: server.url("/old"))
        #expect(try await response.body.allBytes() == [2])
        #expect(response.head.url == url)
        #expect(server.requests(for: "/other").map { $0.headers["x-way"] } == ["mine"])
        #expect(server.requests(for: "/new").isEmpty)
    }

    @Test func mayRefuse() async {
        let loader = loader { _ in nil }
        await #expect(throws: LoadingError.redirectRefused(server.url("/new"))) {
            try await loader.bytes(from: server.url("/old"))
        }
        #expect(server.requests(for: "/new").isEmpty)
    }

    @Test func isNotAskedBeyondTheLimit() async {
        let count = Lock(0)
        var configuration = HTTPLoader.Configuration()
        configuration.maximumRedirects = 2
        configuration.onRedirect = { redirect in
            count.withLock { $0 += 1 }
            return redirect.proposed
        }
        server.script("/loop", .redirectLoop)
        let loader = HTTPLoader(configuration: configuration)
        await #expect(throws: LoadingError.tooManyRedirects) { try await loader.bytes(from: server.url("/loop")) }
        #expect(count.withLock { $0 } == 2)
    }

    @Test func isSparedALocationThatIsNoAddress() async {
        server.script("/", .redirect(to: "http://"))
        let loader = loader { $0.proposed }
        let error = await loader.failure(from: server.url("/"))
        guard case .invalidAnswer(let reason) = error else {
            return #expect(Bool(false), "this is what happened: \(String(describing: error))")
        }
        #expect(reason.contains("http://"))
    }

    @Test func holdsUpNobodyWhoIsCancelled() async {
        let gate = Gate()
        let loader = loader { redirect in
            await gate.pass()
            return redirect.proposed
        }
        let task = Task { try await loader.bytes(from: server.url("/old")) }
        await gate.waitForArrivals()
        task.cancel()
        await #expect(throws: LoadingError.cancelled) { try await task.value }
        #expect(server.requests(for: "/new").isEmpty)
    }

    @Test func leavesOneReportForAllTransfers() async throws {
        server.script("/old", .status(302, headers: ["Location": "/new"], body: pattern(500)))
        server.script("/new", .ok(pattern(5000)))
        let metrics = try await loader { $0.proposed }.measured(DataRequest(url: server.url("/old"))).metrics
        #expect(metrics.map(\.receivedByteCount) == [5500])
    }

    @Test func leavesTheConnectionOfTheRedirectToWhatFollows() async throws {
        let gate = LocalServer.Gate()
        let head = LocalServer.Answer.head(302, ["Location": "/new"], byteCount: 2000)
        let steps: [LocalServer.Answer.Step] = [head, .bytes(pattern(1000)), .gate(gate), .bytes(pattern(1000))]
        server.script("/old", LocalServer.Answer(steps))
        let loader = loader { $0.proposed }
        async let measured = loader.measured(DataRequest(url: server.url("/old")))
        await gate.reached()
        gate.open()
        #expect(try await measured.metrics.map(\.isReusedConnection) == [true])
    }

    @Test(arguments: ["/loop", "/refused", "/lost"])
    func leavesOneReportWhereItGoesWrong(_ start: String) async {
        server.script("/loop", .redirectLoop)
        server.script("/refused", .redirect(to: "/never"))
        server.script("/lost", .redirect(to: "/cut"))
        server.script("/cut", LocalServer.Answer([.close]))
        let log = MetricsLog()
        let loader = loader { $0.proposed.url.path() == "/never" ? nil : $0.proposed }
        let request = DataRequest(url: server.url(start), onMetrics: log.report)
        await #expect(throws: LoadingError.self) { try await loader.response(for: request) }
        #expect(await eventually { log.all.count == 1 })
    }

    @Test func leavesOneReportWhereItIsCancelledBeforeTheTurnOfTheNext() async {
        let gate = LocalServer.Gate()
        let log = MetricsLog()
        var configuration = HTTPLoader.Configuration()
        configuration.maximumConnectionsPerHost = 1
        configuration.onRedirect = { $0.proposed }
        let loader = HTTPLoader(configuration: configuration)
        let other = try? LocalServer.start()
        guard let other else { return }
        other.script("/slow", .gated([[1], [2]], by: [gate]))
        server.script("/away", .redirect(to: other.url("/next").absoluteString))
        let slow = Task { try await loader.bytes(from: other.url("/slow")) }
        await gate.reached()
        let task = Task {
            try await loader.response(for: DataRequest(url: server.url("/away"), onMetrics: log.report))
        }
        #expect(await eventually { server.requests(for: "/away").count == 1 })
        task.cancel()
        await #expect(throws: LoadingError.cancelled) { try await task.value }
        #expect(await eventually { log.all.count == 1 })
        gate.open()
        _ = try? await slow.value
        #expect(log.all.count == 1)
    }

    private func loader(_ handler: @escaping HTTPLoader.Configuration.RedirectHandler) -> HTTPLoader {
        var configuration = HTTPLoader.Configuration()
        configuration.onRedirect = handler
        return HTTPLoader(configuration: configuration)
    }
}
