import BowerbirdLoading
import BowerbirdTestSupport
import FoundationEssentials
import Testing

@Suite(.timeLimit(.minutes(5)))
struct HTTPAnswerTests {
    let server: LocalServer
    let loader = HTTPLoader()

    init() throws { server = try LocalServer.start() }

    @Test func aBodyArrivesWholeWithItsHead() async throws {
        let body = pattern(300_000)
        server.script("/photo.jpg", .ok(body, headers: ["Content-Type": "image/jpeg", "ETag": "\"v1\""]))
        let response = try await loader.response(from: server.url("/photo.jpg"))
        #expect(response.head.status == 200)
        #expect(response.head.url == server.url("/photo.jpg"))
        #expect(response.head["Content-Type"] == "image/jpeg")
        #expect(response.head.headers["etag"] == "\"v1\"")
        #expect(response.head.expectedByteCount == 300_000)
        #expect(try await response.body.allBytes() == body)
    }

    @Test func anEmptyBodyIsAnEmptyStream() async throws {
        server.script("/empty", .ok([]))
        let response = try await loader.response(from: server.url("/empty"))
        #expect(response.head.expectedByteCount == 0)
        #expect(try await response.body.nextBytes() == nil)
    }

    @Test func theEndOfAStreamStaysItsEnd() async throws {
        server.script("/small", .ok([1, 2, 3]))
        let body = try await loader.response(from: server.url("/small")).body
        #expect(try await body.nextBytes() == [1, 2, 3])
        #expect(try await body.nextBytes() == nil)
        #expect(try await body.nextBytes() == nil)
    }

    @Test func theHeadComesBeforeTheBodyIsThere() async throws {
        let gate = LocalServer.Gate()
        server.script("/slow", .gated([[1, 2], [3]], by: [gate]))
        let response = try await loader.response(from: server.url("/slow"))
        #expect(try await response.body.nextBytes() == [1, 2])
        gate.open()
        #expect(try await response.body.allBytes() == [3])
    }

    @Test func aLengthThatTheServerDoesNotTellIsUnknown() async throws {
        server.script("/chunked", .chunked([[1, 2], [3, 4, 5]]))
        let response = try await loader.response(from: server.url("/chunked"))
        #expect(response.head.expectedByteCount == nil)
        #expect(try await response.body.allBytes() == [1, 2, 3, 4, 5])
    }

    @Test func aBodyPackedAgainstOurWishIsUnpackedAndItsLengthUnknown() async throws {
        // gzip of "a picture, packed"
        let packed: [UInt8] = [
            31, 139, 8, 0, 0, 0, 0, 0, 2, 3, 75, 84, 40, 200, 76, 46, 41, 45, 74, 213, 81, 40, 72, 76, 206, 78, 77, 1,
            0, 154, 132, 92, 0, 17, 0, 0, 0,
        ]
        server.script("/packed", .ok(packed, headers: ["Content-Encoding": "gzip"]))
        let response = try await loader.response(from: server.url("/packed"))
        #expect(response.head.expectedByteCount == nil)
        #expect(try await response.body.allBytes() == [UInt8]("a picture, packed".utf8))
    }

    @Test func everyRequestSaysWhoAsksAndForWhat() async throws {
        server.script("/", .ok([1]))
        _ = try await loader.bytes(from: server.url("/"))
        let headers = try #require(server.requests(for: "/").first?.headers)
        #expect(headers["user-agent"]?.hasPrefix("Bowerbird/") == true)
        #expect(headers["accept"] == "image/*,*/*;q=0.8")
        #expect(headers["accept-encoding"] == "identity")
    }

    @Test func aFieldOfTheRequestReplacesTheLoadersWhateverItsCase() async throws {
        server.script("/", .ok([1]))
        let fields = ["ACCEPT": "image/png", "X-Token": "7", "X-Empty": "", "X-Bad": "a\r\nX-Smuggled: b"]
        _ = try await loader.response(for: DataRequest(url: server.url("/"), headers: fields)).body.allBytes()
        let headers = try #require(server.requests(for: "/").first?.headers)
        #expect(headers["accept"] == "image/png")
        #expect(headers["x-token"] == "7")
        #expect(headers["x-empty"] == "")
        #expect(headers["x-bad"] == nil && headers["x-smuggled"] == nil)
    }

    @Test func nothingOfOneRequestReachesTheNext() async throws {
        server.script("/", .ok(pattern(2000)))
        let fields = ["Accept": "image/png", "Authorization": "Bearer 1", "X-Token": "7"]
        let first = DataRequest(url: server.url("/"), headers: fields, maximumByteCount: 2000)
        _ = try await loader.response(for: first).body.allBytes()
        server.script("/", .ok(pattern(3000)))
        #expect(try await loader.bytes(from: server.url("/")).count == 3000)
        let headers = try #require(server.requests(for: "/").last?.headers)
        #expect(server.connectionCount == 1)
        #expect(headers["accept"] == "image/*,*/*;q=0.8")
        #expect(headers["authorization"] == nil && headers["x-token"] == nil)
    }

    @Test func aFailureIsForgottenByTheNextRequest() async throws {
        server.script("/", .ok(pattern(2000)))
        server.script("/old", .redirect(to: "/"))
        server.script("/none", .status(404, body: []))
        for _ in 0..<3 {
            #expect(try await loader.response(from: server.url("/old")).head.url == server.url("/"))
            await #expect(throws: LoadingError.status(404)) { try await loader.bytes(from: server.url("/none")) }
            let response = try await loader.response(from: server.url("/"))
            #expect(response.head.url == server.url("/") && response.head.status == 200)
        }
    }

    @Test(arguments: ["/%E4%B8%9C%E6%96%B9%E4%B8%8D%E8%B4%A5.jpg", "/a%E3%80%80b%20c.jpg", "/p?q=%E4%B8%9C&r=1"])
    func anEncodedAddressIsSentAsItIs(_ target: String) async throws {
        server.script(target, .ok([9]))
        #expect(try await loader.bytes(from: server.url(target)) == [9])
    }

    @Test func aConnectionServesOneRequestAfterTheOther() async throws {
        server.script("/", .ok(pattern(20_000)))
        for _ in 0..<20 { _ = try await loader.bytes(from: server.url("/")) }
        #expect(server.connectionCount == 1)
        #expect(server.requests(for: "/").count == 20)
    }

    @Test(arguments: [Duration.seconds(Int64.max), .seconds(1000)])
    func anyTimeOutThatIsNotTooShortWillDo(_ timeout: Duration) async throws {
        server.script("/", .ok([1]))
        var configuration = HTTPLoader.Configuration()
        configuration.connectTimeout = timeout
        configuration.idleTimeout = timeout
        #expect(try await HTTPLoader(configuration: configuration).bytes(from: server.url("/")) == [1])
    }

    @Test func oneHostGetsNoMoreConnectionsThanAllowed() async throws {
        let gates = (0..<3).map { _ in LocalServer.Gate() }
        for (index, gate) in gates.enumerated() { server.script("/\(index)", .gated([[1], [2]], by: [gate])) }
        var configuration = HTTPLoader.Configuration()
        configuration.maximumConnectionsPerHost = 2
        let loader = HTTPLoader(configuration: configuration)
        let first = try await loader.response(from: server.url("/0"))
        let second = try await loader.response(from: server.url("/1"))
        async let third = loader.bytes(from: server.url("/2"))
        gates[2].open()
        gates[0].open()
        #expect(try await first.body.allBytes() == [1, 2])
        #expect(try await third == [1, 2])
        #expect(server.connectionCount == 2)
        gates[1].open()
        #expect(try await second.body.allBytes() == [1, 2])
    }
}
