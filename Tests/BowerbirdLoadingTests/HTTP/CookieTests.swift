import BowerbirdLoading
import BowerbirdTestSupport
import FoundationEssentials
import Testing

@Suite(.timeLimit(.minutes(5)))
struct `The cookies of a loader` {
    let server: LocalServer
    let loader = HTTPLoader()

    init() throws {
        server = try LocalServer.start()
        server.script("/login", .ok([1], headers: ["Set-Cookie": "session=7; Path=/"]))
        server.script("/", .ok([2]))
    }

    @Test func areKeptAndSentByRequestsThatWantThem() async throws {
        try await load("/login", usesCookies: true)
        try await load("/", usesCookies: true)
        #expect(sent(to: "/") == ["session=7"])
    }

    @Test func areNotSentByRequestsThatDoNotWantThemNorKept() async throws {
        try await load("/login", usesCookies: false)
        try await load("/", usesCookies: true)
        try await load("/login", usesCookies: true)
        try await load("/", usesCookies: false)
        #expect(sent(to: "/") == [nil, nil])
    }

    @Test func stayOutOfRequestsThatFollowOnTheSameHandle() async throws {
        try await load("/login", usesCookies: true)
        for _ in 0..<10 {
            try await load("/", usesCookies: true)
            try await load("/", usesCookies: false)
        }
        #expect(server.connectionCount == 1)
        #expect(sent(to: "/") == (0..<10).flatMap { _ in ["session=7", nil] })
    }

    @Test func belongToAllRequestsWhicheverConnectionTheyTake() async throws {
        let gate = LocalServer.Gate()
        server.script("/slow", .gated([[1], [2]], by: [gate]))
        let slow = try await loader.response(for: DataRequest(url: server.url("/slow"), usesCookies: true))
        try await load("/login", usesCookies: true)
        gate.open()
        _ = try await slow.body.allBytes()
        try await load("/slow", usesCookies: true)
        #expect(sent(to: "/slow") == [nil, "session=7"])
    }

    @Test func areNotThoseOfAnotherLoader() async throws {
        try await load("/login", usesCookies: true)
        let other = HTTPLoader()
        _ = try await other.response(for: DataRequest(url: server.url("/"), usesCookies: true)).body.allBytes()
        #expect(sent(to: "/") == [nil])
    }

    @Test func standBackWhereTheRequestBringsItsOwn() async throws {
        try await load("/login", usesCookies: true)
        server.script("/", .ok([1], headers: ["Set-Cookie": "session=8; Path=/"]))
        let request = DataRequest(url: server.url("/"), headers: ["cookie": "mine=1"], usesCookies: true)
        _ = try await loader.response(for: request).body.allBytes()
        try await load("/", usesCookies: true)
        #expect(sent(to: "/") == ["mine=1", "session=7"])
    }

    @Test(arguments: Following.allCases)
    func areTakenFromARedirectToo(_ following: Following) async throws {
        let loader = following.loader()
        server.script("/old", .status(302, headers: ["Set-Cookie": "a=b; Path=/", "Location": "/"]))
        _ = try await loader.response(for: DataRequest(url: server.url("/old"), usesCookies: true)).body.allBytes()
        #expect(sent(to: "/") == ["a=b"])
    }

    private func load(_ target: String, usesCookies: Bool) async throws {
        _ = try await loader.response(for: DataRequest(url: server.url(target), usesCookies: usesCookies)).body
            .allBytes()
    }

    private func sent(to target: String) -> [String?] { server.requests(for: target).map { $0.headers["cookie"] } }
}
