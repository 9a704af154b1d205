import BowerbirdLoading
import BowerbirdTestSupport
import FoundationEssentials
import Testing

@Suite(.enabled(if: Nginx.canServeTLS, "nginx or openssl is not installed"), .timeLimit(.minutes(5)))
struct `A certificate that nobody vouches for` {
    private static let overTLS: [Nginx.Transport] = [.tls, .http2]

    @Test(arguments: overTLS)
    func isTakenByOneRequestAndByNoOther(_ transport: Nginx.Transport) async throws {
        let site = try Site(transport)
        let loader = HTTPLoader()
        await site.expectRefusal(by: loader)
        for _ in 0..<3 {
            #expect(try await site.load(by: loader).bytes == site.file)
            await site.expectRefusal(by: loader)
        }
    }

    @Test func isTakenThoughItIsForAnotherHost() async throws {
        let site = try Site(.tls, host: "localhost")
        #expect(try await site.load(by: HTTPLoader()).bytes == site.file)
    }

    @Test(arguments: overTLS)
    func givesNoConnectionToWhoVerifiesThoughOneIsThere(_ transport: Nginx.Transport) async throws {
        let site = try Site(transport)
        let loader = HTTPLoader()
        #expect(try await site.load(by: loader).metrics.first?.isReusedConnection == false)
        await site.expectRefusal(by: loader)
        #expect(try await site.load(by: loader).metrics.first?.isReusedConnection == true)
    }

    @Test(arguments: overTLS)
    func givesNoConnectionToWhoVerifiesThoughOneIsInUse(_ transport: Nginx.Transport) async throws {
        let site = try Site(transport)
        let loader = HTTPLoader()
        let response = try await loader.response(for: site.request(for: "large", takesAny: true))
        await site.expectRefusal(by: loader)
        #expect(try await response.body.allBytes().count == Site.largeByteCount)
    }

    @Test(arguments: overTLS)
    func isRefusedWhileOthersTakeIt(_ transport: Nginx.Transport) async throws {
        let site = try Site(transport)
        let loader = HTTPLoader()
        try await withThrowingTaskGroup { group in
            for _ in 0..<20 {
                group.addTask { await site.expectRefusal(by: loader) }
                group.addTask {
                    let bytes = try await site.load(by: loader).bytes
                    #expect(bytes == site.file)
                }
            }
            try await group.waitForAll()
        }
    }
}

/// nginx whose certificate is its own.
private final class Site: Sendable {
    static let largeByteCount = 8 << 20

    let file = pattern(5000)
    private let folder: TemporaryDirectory
    private let nginx: Nginx
    private let address: URL

    /// The certificate is for 127.0.0.1.
    init(_ transport: Nginx.Transport, host: String = "127.0.0.1") throws {
        folder = try TemporaryDirectory()
        _ = try folder.write(file, to: "small")
        _ = try folder.write([UInt8](repeating: 1, count: Self.largeByteCount), to: "large")
        nginx = try Nginx(serving: folder.path, over: transport)
        address = try #require(URL(string: "https://\(host):\(nginx.port)/"))
    }

    func request(for name: String, takesAny: Bool) -> DataRequest {
        DataRequest(url: address.appending(path: name), allowsInvalidCertificate: takesAny)
    }

    func load(by loader: HTTPLoader) async throws -> (bytes: [UInt8], metrics: [TransferMetrics]) {
        try await loader.measured(request(for: "small", takesAny: true))
    }

    func expectRefusal(by loader: HTTPLoader) async {
        await #expect {
            try await loader.response(for: self.request(for: "small", takesAny: false))
        } throws: { error in
            guard case .insecure(let reason)? = error as? LoadingError else { return false }
            return !reason.isEmpty
        }
    }
}
