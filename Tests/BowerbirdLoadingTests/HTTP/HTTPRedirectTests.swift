import BowerbirdLoading
import BowerbirdTestSupport
import FoundationEssentials
import Testing

@Suite(.timeLimit(.minutes(5)))
struct HTTPRedirectTests {
    let server: LocalServer
    let secrets = ["Authorization": "Bearer 1", "cookie": "a=b", "X-Plain": "yes"]

    init() throws { server = try LocalServer.start() }

    @Test(arguments: Following.allCases, [300, 301, 302, 303, 307, 308])
    func aRedirectIsFollowedAndTheHeadIsThatOfItsEnd(_ following: Following, _ status: Int) async throws {
        server.script("/old", .redirect(to: "/new", status: status))
        server.script("/new", .chunked([[5, 6]], headers: ["X-Last": "1"]))
        let response = try await following.loader().response(from: server.url("/old"))
        #expect(response.head.url == server.url("/new"))
        #expect(response.head.status == 200)
        #expect(response.head["x-last"] == "1" && response.head["location"] == nil)
        #expect(response.head.expectedByteCount == nil)
        #expect(try await response.body.allBytes() == [5, 6])
    }

    @Test(arguments: Following.allCases)
    func aCircleEndsAfterTheAllowedNumberOfTurns(_ following: Following) async throws {
        server.script("/loop", .redirectLoop)
        let loader = following.loader()
        await #expect(throws: LoadingError.tooManyRedirects) { try await loader.bytes(from: server.url("/loop")) }
        #expect(server.requests(for: "/loop").count == 11)
    }

    @Test(arguments: Following.allCases, ["file:///etc/hostname", "ftp://127.0.0.1/x"])
    func aRedirectToAnotherSchemeIsRefused(_ following: Following, _ location: String) async throws {
        server.script("/", .redirect(to: location))
        let scheme = String(location.prefix { $0 != ":" })
        let loader = following.loader()
        await #expect(throws: LoadingError.unsupportedScheme(scheme)) { try await loader.bytes(from: server.url("/")) }
    }

    @Test(arguments: Following.allCases)
    func aRedirectToNowhereIsAStatus(_ following: Following) async throws {
        server.script("/", .status(302))
        let loader = following.loader()
        await #expect(throws: LoadingError.status(302)) { try await loader.bytes(from: server.url("/")) }
    }

    @Test(
        arguments: Following.allCases,
        [
            ("/a/b", "c?d=1", "/a/c?d=1"), ("/a/b", "../e", "/e"), ("/a/b", "?q", "/a/b?q"),
            ("/", "/two words", "/two%20words"), ("/", "/东", "/%e4%b8%9c"), ("/", "/%41%20%e4", "/%41%20%e4"),
        ])
    func aLocationMayBeRelativeAndHalfEncoded(_ following: Following, _ way: (String, String, String)) async throws {
        let (start, location, end) = way
        server.script(start, .redirect(to: location))
        server.script(end, .ok([1]))
        let response = try await following.loader().response(from: server.url(start))
        #expect(response.head.url == server.url(end))
        #expect(try await response.body.allBytes() == [1])
    }

    @Test(arguments: Following.allCases)
    func theBodyOfARedirectIsNotWhatWasAskedFor(_ following: Following) async throws {
        server.script("/old", .status(302, headers: ["Location": "/new"], body: pattern(5000)))
        server.script("/new", .ok([1, 2]))
        let request = DataRequest(url: server.url("/old"), maximumByteCount: 2)
        let loader = following.loader()
        #expect(try await loader.response(for: request).body.allBytes() == [1, 2])
        #expect(server.connectionCount == 1)
    }

    @Test(arguments: Following.allCases)
    func secretsAreNotSentOnToAnotherPort(_ following: Following) async throws {
        let other = try LocalServer.start()
        other.script("/end", .ok([1]))
        try await expectSecretsStay(redirect: other.url("/end").absoluteString, other, following)
    }

    @Test(arguments: Following.allCases)
    func secretsAreNotSentOnToAnotherHost(_ following: Following) async throws {
        server.script("/end", .ok([1]))
        try await expectSecretsStay(redirect: "http://localhost:\(server.port)/end", server, following)
    }

    @Test(arguments: Following.allCases)
    func theSameServerGetsThemAgain(_ following: Following) async throws {
        server.script("/start", .redirect(to: "/end"))
        server.script("/end", .ok([1]))
        let request = DataRequest(url: server.url("/start"), headers: secrets)
        _ = try await following.loader().response(for: request).body.allBytes()
        let last = try #require(server.requests(for: "/end").first?.headers)
        #expect(last["authorization"] == "Bearer 1" && last["cookie"] == "a=b")
    }

    private func expectSecretsStay(redirect: String, _ other: LocalServer, _ following: Following) async throws {
        server.script("/start", .redirect(to: redirect))
        let request = DataRequest(url: server.url("/start"), headers: secrets)
        _ = try await following.loader().response(for: request).body.allBytes()
        let first = try #require(server.requests(for: "/start").first?.headers)
        let last = try #require(other.requests(for: "/end").first?.headers)
        #expect(first["authorization"] == "Bearer 1" && first["cookie"] == "a=b")
        #expect(last["authorization"] == nil && last["cookie"] == nil)
        #expect(last["x-plain"] == "yes")
    }
}
