import BowerbirdCore
import BowerbirdTestSupport
import FoundationEssentials
import Testing

@testable import BowerbirdLoading

/// Gives what the test says, and remembers what it was asked.
private final class Provider: Sendable {
    private let state = Lock((answers: [Credential?](), challenges: [AuthenticationChallenge]()))

    init(_ answers: Credential?...) { state.withLock { $0.answers = answers } }

    var challenges: [AuthenticationChallenge] { state.withLock { $0.challenges } }

    /// In order, then the last again and again.
    @Sendable func answer(_ challenge: AuthenticationChallenge) async -> Credential? {
        state.withLock { state in
            state.challenges.append(challenge)
            let answer = state.answers.first ?? nil
            if state.answers.count > 1 { state.answers.removeFirst() }
            return answer
        }
    }
}

@Suite(.timeLimit(.minutes(5)))
struct `A server that asks who is there` {
    private static let right = Credential.basic(user: "bird", password: "söng")
    private static let wrong = Credential.basic(user: "bird", password: "wrong")
    /// RFC 7617 with UTF-8: `bird:söng`.
    private static let field = "Basic YmlyZDpzw7ZuZw=="

    private let server: LocalServer

    init() throws {
        server = try LocalServer.start()
        for target in ["/1", "/2"] { server.script(target, .guarded(Self.field, .ok(SolidImage.file()))) }
    }

    private func fixture(
        _ provider: Provider, configure: (inout ImagePipeline.Configuration) -> Void = { _ in }
    ) -> PipelineFixture {
        PipelineFixture {
            $0.loader = HTTPLoader()
            $0.credentialProvider = provider.answer
            configure(&$0)
        }
    }

    private func sent(to target: String) -> [String?] {
        server.requests(for: target).map { $0.headers["authorization"] }
    }

    private func load(_ target: String, _ fixture: PipelineFixture) async throws(ImageError) {
        _ = try await fixture.pipeline.image(for: ImageRequest(url: server.url(target)))
    }

    private var unauthorized: ImageError { .loading(.status(401), address: server.url("/1").absoluteString) }

    @Test func isAnsweredAndNotAskedAgain() async throws {
        let provider = Provider(Self.right)
        let fixture = fixture(provider)
        try await load("/1", fixture)
        try await load("/2", fixture)
        #expect(sent(to: "/1") == [nil, Self.field])
        #expect(sent(to: "/2") == [Self.field])
        let challenge = try #require(provider.challenges.first)
        #expect(provider.challenges.count == 1)
        #expect(challenge.url == server.url("/1") && challenge.status == 401 && challenge.refused == nil)
        #expect(challenge.demand == "Basic realm=\"test\"")
    }

    @Test func isAnErrorAfterOneMoreTryWithAWrongPassword() async throws {
        let provider = Provider(Self.wrong, Self.wrong, Self.right)
        let fixture = fixture(provider)
        await #expect(throws: unauthorized) { try await load("/1", fixture) }
        #expect(sent(to: "/1").count == 2)
        // The same again is worth no request.
        await #expect(throws: unauthorized) { try await load("/1", fixture) }
        #expect(sent(to: "/1").count == 3)
        try await load("/1", fixture)
        #expect(provider.challenges.map(\.refused) == [nil, Self.wrong, Self.wrong])
        #expect(sent(to: "/1").count == 5)
    }

    @Test func getsNothingWhereTheProviderGivesUp() async throws {
        let provider = Provider(nil, Self.right)
        let fixture = fixture(provider)
        await #expect(throws: unauthorized) { try await load("/1", fixture) }
        #expect(sent(to: "/1") == [nil])
        try await load("/1", fixture)
        #expect(provider.challenges.count == 2)
    }

    @Test(arguments: [true, false])
    func asksTheProviderOnceHoweverManyWait(isGiven: Bool) async throws {
        let gated = GatedProvider(isGiven ? Self.right : nil)
        let fixture = PipelineFixture {
            $0.loader = HTTPLoader()
            $0.credentialProvider = gated.answer
            $0.maximumTransferCount = 3
        }
        let targets = (0..<20).map { "/many/\($0)" }
        for target in targets { server.script(target, .guarded(Self.field, .ok(SolidImage.file()))) }
        let tasks = targets.map { fixture.pipeline.task(for: ImageRequest(url: server.url($0))) }
        #expect(await eventually { targets.allSatisfy { !sent(to: $0).isEmpty } })
        gated.gate.open()
        for task in tasks {
            if isGiven {
                _ = try await task.response
            } else {
                await #expect(throws: ImageError.self) { try await task.response }
            }
        }
        #expect(gated.gate.arrivals == 1)
    }

    @Test func letsOthersGoOnWhileSomebodyTypes() async throws {
        server.script("/open", .ok(SolidImage.file()))
        let gated = GatedProvider(Self.right)
        let fixture = PipelineFixture {
            $0.loader = HTTPLoader()
            $0.credentialProvider = gated.answer
            $0.maximumTransferCount = 1
        }
        let guarded = fixture.pipeline.task(for: ImageRequest(url: server.url("/1")))
        await gated.gate.waitForArrivals()
        try await load("/open", fixture)
        gated.gate.open()
        _ = try await guarded.response
    }

    @Test func isLeftAtOnceWhileSomebodyTypes() async throws {
        let gated = GatedProvider(Self.right)
        let fixture = PipelineFixture {
            $0.loader = HTTPLoader()
            $0.credentialProvider = gated.answer
        }
        let task = fixture.pipeline.task(for: ImageRequest(url: server.url("/1")))
        await gated.gate.waitForArrivals()
        task.cancel()
        await #expect(throws: ImageError.cancelled) { try await task.response }
        await fixture.pipeline.waitUntilIdle()
        gated.gate.open()
        try await load("/1", fixture)
        #expect(sent(to: "/1").count == 3)
    }

    @Test func isToldOfANewTokenWhenTheOldOneHasExpired() async throws {
        let provider = Provider(.bearer("old"), .bearer("new"))
        let fixture = fixture(provider)
        server.script("/token", .guarded("Bearer old", .ok(SolidImage.file())))
        try await load("/token", fixture)
        let targets = (0..<10).map { "/renewed/\($0)" }
        for target in targets { server.script(target, .guarded("Bearer new", .ok(SolidImage.file()))) }
        let tasks = targets.map { fixture.pipeline.task(for: ImageRequest(url: server.url($0))) }
        for task in tasks { _ = try await task.response }
        #expect(provider.challenges.map(\.refused) == [nil, .bearer("old")])
    }

    @Test func mayCallItForbidden() async throws {
        let provider = Provider(.headers(["X-Key": "7"]))
        let fixture = fixture(provider)
        server.script("/key") { $0.headers["x-key"] == "7" ? .ok(SolidImage.file()) : .status(403) }
        try await load("/key", fixture)
        #expect(provider.challenges.map(\.status) == [403])
    }

    @Test func isNotToldWhatAnotherWasTold() async throws {
        let other = try LocalServer.start()
        other.script("/", .ok(SolidImage.file()))
        other.script("/guarded", .unauthorized())
        server.script("/away", .redirect(to: other.url("/").absoluteString))
        server.script("/astray", .redirect(to: other.url("/guarded").absoluteString))
        let provider = Provider(Self.right)
        let fixture = fixture(provider)
        try await load("/1", fixture)
        _ = try await fixture.pipeline.image(for: ImageRequest(url: other.url("/")))
        try await load("/away", fixture)
        await #expect(throws: ImageError.self) { try await load("/astray", fixture) }
        #expect(sent(to: "/away") == [Self.field])
        #expect(
            (other.requests(for: "/") + other.requests(for: "/guarded")).allSatisfy {
                $0.headers["authorization"] == nil
            })
        #expect(provider.challenges.count == 1)
        other.stop()
    }

    /// Whatever its fields are called.
    @Test func isNotToldTheHeaderFieldsOfAnother() async throws {
        let other = try LocalServer.start()
        other.script("/", .ok(SolidImage.file()))
        server.script("/key") {
            $0.headers["x-key"] == "7" ? .redirect(to: other.url("/").absoluteString) : .status(401)
        }
        let fixture = fixture(Provider(.headers(["X-Key": "7"])))
        try await load("/key", fixture)
        #expect(other.requests(for: "/").map { $0.headers["x-key"] } == [nil])
        other.stop()
    }

    @Test func isNotToldWhenTheApplicationSendsTheRequestElsewhere() async throws {
        let other = try LocalServer.start()
        other.script("/1", .ok(SolidImage.file()))
        let isMoved = Flag()
        let fixture = fixture(Provider(Self.right)) {
            $0.prepareRequest = { request in
                var request = request
                if isMoved.isSet { request.url = other.url("/1") }
                return request
            }
        }
        try await load("/2", fixture)
        isMoved.isSet = true
        try await load("/1", fixture)
        #expect(other.requests(for: "/1").map { $0.headers["authorization"] } == [nil])
        other.stop()
    }

    @Test func isToldWhatTheRequestSaysAndNothingElse() async throws {
        let provider = Provider(Self.right)
        let fixture = fixture(provider)
        var request = ImageRequest(url: server.url("/1"))
        request.headers = ["authorization": "Bearer mine"]
        await #expect(throws: unauthorized) { try await fixture.pipeline.image(for: request) }
        #expect(sent(to: "/1") == ["Bearer mine"] && provider.challenges.isEmpty)
    }
}

/// Answers once the test opens its gate.
private final class GatedProvider: Sendable {
    let gate = Gate()
    private let credential: Credential?

    init(_ credential: Credential?) { self.credential = credential }

    @Sendable func answer(_ challenge: AuthenticationChallenge) async -> Credential? {
        await gate.pass()
        return Task.isCancelled ? nil : credential
    }
}
