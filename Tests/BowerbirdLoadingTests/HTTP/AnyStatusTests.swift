import BowerbirdLoading
import BowerbirdTestSupport
import FoundationEssentials
import Testing

@Suite(.timeLimit(.minutes(5)))
struct `A request that takes any status` {
    let server: LocalServer
    let loader = HTTPLoader()

    init() throws { server = try LocalServer.start() }

    @Test(arguments: [401, 404, 416, 429, 503])
    func getsTheHeadAndTheBodyAsTheyAre(_ status: Int) async throws {
        server.script("/", .status(status, headers: ["Retry-After": "2"], body: [1, 2, 3]))
        let response = try await loader.response(for: request())
        #expect(response.head.status == status)
        #expect(response.head["retry-after"] == "2")
        #expect(response.head.expectedByteCount == 3)
        #expect(try await response.body.allBytes() == [1, 2, 3])
    }

    @Test func hasNothingToReadAfterNotModified() async throws {
        server.script("/", LocalServer.Answer([.head(304, ["ETag": "\"v1\"", "Content-Length": "5000000000"])]))
        for _ in 0..<2 {
            let response = try await loader.response(for: request(maximumByteCount: 10))
            #expect(response.head.status == 304)
            #expect(response.head["etag"] == "\"v1\"")
            #expect(response.head.expectedByteCount == 0)
            #expect(try await response.body.allBytes() == [])
        }
        #expect(server.connectionCount == 1)
    }

    @Test func isStillRefusedATooLongBody() async {
        server.script("/", .status(500, body: pattern(2000)))
        await #expect(throws: LoadingError.tooLarge(maximumByteCount: 1999)) {
            try await loader.response(for: request(maximumByteCount: 1999))
        }
    }

    @Test(arguments: Following.allCases)
    func isRedirectedAllTheSame(_ following: Following) async throws {
        server.script("/", .redirect(to: "/gone"))
        server.script("/gone", .status(410))
        let response = try await following.loader().response(for: request())
        #expect(response.head.status == 410 && response.head.url == server.url("/gone"))
    }

    @Test func leavesNothingOfItToTheNext() async throws {
        server.script("/", .status(404))
        _ = try await loader.response(for: request()).body.allBytes()
        await #expect(throws: LoadingError.status(404)) { try await loader.response(from: server.url("/")) }
    }

    private func request(maximumByteCount: Int = 1 << 20) -> DataRequest {
        DataRequest(url: server.url("/"), maximumByteCount: maximumByteCount, acceptsAnyStatus: true)
    }
}
