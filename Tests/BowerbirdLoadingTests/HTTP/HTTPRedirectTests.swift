import BowerbirdLoading
import BowerbirdTestSupport
import FoundationEssentials
import Testing

@Suite(.timeLimit(.minutes(1)))
struct HTTPRedirectTests {
    let server: LocalServer
    let loader = HTTPLoader()
    let secrets = ["Authorization": "Bearer 1", "Cookie": "a=b", "X-Plain": "yes"]

    init() throws { server = try LocalServer.start() }

    @Test func aRedirectIsFollowedAndTheHeadIsThatOfItsEnd() async throws {
        server.script("/old", .redirect(to: "/new", status: 301))
        server.script("/new", .chunked([[5, 6]], headers: ["X-Last": "1"]))
        let response = try await loader.response(from: server.url("/old"))
        #expect(response.head.url == server.url("/new"))
        #expect(response.head.status == 200)
        #expect(response.head["x-last"] == "1" && response.head["location"] == nil)
        #expect(response.head.expectedByteCount == nil)
        #expect(try await response.body.allBytes() == [5, 6])
    }

    @Test func aCircleEndsAfterTheAllowedNumberOfTurns() async throws {
        server.script("/loop", .redirect(to: "/loop"))
        await #expect(throws: LoadingError.tooManyRedirects) { try await loader.bytes(from: server.url("/loop")) }
        #expect(server.requests(for: "/loop").count == 11)
    }

    @Test(arguments: ["file:///etc/hostname", "ftp://127.0.0.1/x"])
    func aRedirectToAnotherSchemeIsRefused(_ location: String) async throws {
        server.script("/", .redirect(to: location))
        let scheme = String(location.prefix { $0 != ":" })
        await #expect(throws: LoadingError.unsupportedScheme(scheme)) { try await loader.bytes(from: server.url("/")) }
    }

    @Test func secretsAreNotSentOnToAnotherServer() async throws {
        let other = try LocalServer.start()
        other.script("/end", .ok([1]))
        server.script("/start", .redirect(to: other.url("/end").absoluteString))
        let request = DataRequest(url: server.url("/start"), headers: secrets)
        _ = try await loader.response(for: request).body.allBytes()
        let first = try #require(server.requests(for: "/start").first?.headers)
        let last = try #require(other.requests(for: "/end").first?.headers)
        #expect(first["authorization"] == "Bearer 1" && first["cookie"] == "a=b")
        #expect(last["authorization"] == nil && last["cookie"] == nil)
        #expect(last["x-plain"] == "yes")
    }

    @Test func theSameServerGetsThemAgain() async throws {
        server.script("/start", .redirect(to: "/end"))
        server.script("/end", .ok([1]))
        let request = DataRequest(url: server.url("/start"), headers: secrets)
        _ = try await loader.response(for: request).body.allBytes()
        let last = try #require(server.requests(for: "/end").first?.headers)
        #expect(last["authorization"] == "Bearer 1" && last["cookie"] == "a=b")
    }
}
