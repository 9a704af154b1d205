import BowerbirdTestSupport
import FoundationEssentials
import Testing

@testable import BowerbirdLoading

/// What must be the same over HTTP/1.1, TLS and HTTP/2.
@Suite(.enabled(if: Nginx.canServeTLS, "nginx or openssl is not installed"), .timeLimit(.minutes(5)))
struct `An HTTP loader and nginx` {
    @Test(arguments: Nginx.Transport.allCases)
    func useOneConnectionAfterTheOther(_ transport: Nginx.Transport) async throws {
        let site = try ServedFolder(transport)
        let requests = [try await site.measure("0"), try await site.measure("1")]
        #expect(requests.map(\.bytes) == [site.file(0), site.file(1)])
        let metrics = requests.flatMap(\.metrics)
        #expect(metrics.map(\.isReusedConnection) == [false, true])
        #expect(metrics.allSatisfy { $0.protocolVersion == (transport == .http2 ? "2" : "1.1") })
        #expect(metrics.map { $0.secure > .zero } == [transport != .plain, false])
    }

    @Test(arguments: Nginx.Transport.allCases)
    func agreeAboutRanges(_ transport: Nginx.Transport) async throws {
        let site = try ServedFolder(transport)
        let part = try await site.load("0", ["Range": "bytes=100-199"])
        #expect(part.head.status == 206)
        #expect(part.head["content-range"] == "bytes 100-199/\(ServedFolder.fileByteCount)")
        #expect(part.head.expectedByteCount == 100)
        #expect(part.bytes == [UInt8](site.file(0)[100..<200]))
        let beyond = try await site.load("0", ["Range": "bytes=1000000-"])
        #expect(beyond.head.status == 416)
        #expect(beyond.head["content-range"] == "bytes */\(ServedFolder.fileByteCount)")
    }

    @Test(arguments: Nginx.Transport.allCases)
    func saveWhatIsThereAlready(_ transport: Nginx.Transport) async throws {
        let site = try ServedFolder(transport)
        let tag = try #require(try await site.load("0").head["etag"])
        let again = try await site.load("0", ["If-None-Match": tag])
        #expect(again.head.status == 304)
        #expect(again.bytes.isEmpty && again.head.expectedByteCount == 0)
        #expect(try await site.load("0", ["If-None-Match": "\"other\""]).head.status == 200)
    }

    @Test(arguments: Nginx.Transport.allCases)
    func packABodyForWhoAsksForIt(_ transport: Nginx.Transport) async throws {
        let site = try ServedFolder(transport, compresses: true)
        let packed = try await site.load("zeros", ["Accept-Encoding": "gzip"])
        #expect(packed.head["content-encoding"] == "gzip")
        #expect(packed.head.expectedByteCount == nil)
        #expect(packed.bytes == [UInt8](repeating: 0, count: ServedFolder.largeByteCount))
        #expect(try #require(packed.metrics.first).receivedByteCount < ServedFolder.largeByteCount / 100)
        let plain = try await site.load("0")
        #expect(plain.head["content-encoding"] == nil && plain.bytes == site.file(0))
    }

    @Test(arguments: Nginx.Transport.allCases)
    func waitForASlowReaderAndServeOthersMeanwhile(_ transport: Nginx.Transport) async throws {
        let site = try ServedFolder(transport)
        let multi = try CurlMulti.start(HTTPLoader.Configuration())
        let reader = TransferReader(of: site.request("zeros"), on: multi)
        var count = try #require(try await reader.next()).count
        #expect(await eventually { reader.body.backlog.isPaused })
        #expect(reader.body.backlog.byteCount <= TransferBodyState.highWaterMark + 64 << 10)
        let other = TransferReader(of: site.request("0"), on: multi)
        #expect(try await other.head().expectedByteCount == ServedFolder.fileByteCount)
        try await other.skip(.max)
        while let more = try await reader.next() { count += more.count }
        #expect(count == ServedFolder.largeByteCount)
    }

    @Test(arguments: Nginx.Transport.allCases)
    func dealWithManyAtOnce(_ transport: Nginx.Transport) async throws {
        let site = try ServedFolder(transport)
        let log = MetricsLog()
        try await withThrowingTaskGroup { group in
            for number in 0..<100 {
                group.addTask {
                    let name = number % ServedFolder.fileCount
                    let request = site.request("\(name)", onMetrics: log.report)
                    let bytes = try await site.loader.response(for: request).body.allBytes()
                    #expect(bytes == site.file(name))
                }
            }
            try await group.waitForAll()
        }
        #expect(log.all.count { !$0.isReusedConnection } <= (transport == .http2 ? 1 : 6))
    }

    /// The first second's bytes come at once.
    @Test(arguments: Nginx.Transport.allCases)
    func takeTheirTimeOverASlowLine(_ transport: Nginx.Transport) async throws {
        let site = try ServedFolder(transport, bytesPerSecond: ServedFolder.fileByteCount * 4 / 5)
        let metrics = try await site.measure("0").metrics
        #expect(try #require(metrics.first).total > .milliseconds(100))
    }

    @Test(arguments: Nginx.Transport.allCases)
    func goOnAfterACancelledTransfer(_ transport: Nginx.Transport) async throws {
        let site = try ServedFolder(transport)
        let log = MetricsLog()
        for _ in 0..<5 {
            let response = try await site.loader.response(for: site.request("zeros", onMetrics: log.report))
            let task = Task {
                while try await response.body.nextBytes() != nil { await Task.yield() }
            }
            task.cancel()
            await #expect(throws: LoadingError.cancelled) { try await task.value }
            let next = try await site.load("0")
            #expect(next.bytes == site.file(0))
            // One stream ended, and not the connection.
            if transport == .http2 { #expect(next.metrics.first?.isReusedConnection == true) }
        }
        #expect(await eventually { log.all.count == 5 })
    }
}

/// Some small files and a large one, and a loader that takes the certificate.
private final class ServedFolder: Sendable {
    static let fileCount = 10
    static let fileByteCount = 20_000
    static let largeByteCount = 20 << 20

    let loader = HTTPLoader()
    private let folder: TemporaryDirectory
    private let nginx: Nginx
    private let address: URL

    init(_ transport: Nginx.Transport, compresses: Bool = false, bytesPerSecond: Int? = nil) throws {
        folder = try TemporaryDirectory()
        _ = try folder.write([UInt8](repeating: 0, count: Self.largeByteCount), to: "zeros")
        nginx = try Nginx(
            serving: folder.path, over: transport, compresses: compresses, bytesPerSecond: bytesPerSecond)
        address = try #require(URL(string: nginx.address(of: "")))
        for number in 0..<Self.fileCount { _ = try folder.write(file(number), to: "\(number)") }
    }

    func file(_ number: Int) -> [UInt8] { pattern(Self.fileByteCount).map { $0 ^ UInt8(truncatingIfNeeded: number) } }

    func request(
        _ name: String, _ headers: [String: String] = [:], onMetrics: (@Sendable (TransferMetrics) -> Void)? = nil
    ) -> DataRequest {
        DataRequest(
            url: address.appending(path: name), headers: headers, allowsInvalidCertificate: true,
            acceptsAnyStatus: true, onMetrics: onMetrics)
    }

    func measure(_ name: String) async throws -> (bytes: [UInt8], metrics: [TransferMetrics]) {
        try await loader.measured(request(name))
    }

    func load(
        _ name: String, _ headers: [String: String] = [:]
    ) async throws -> (head: ResponseHead, bytes: [UInt8], metrics: [TransferMetrics]) {
        let log = MetricsLog()
        let response = try await loader.response(for: request(name, headers, onMetrics: log.report))
        let bytes = try await response.body.allBytes()
        return (response.head, bytes, log.all)
    }
}
