import BowerbirdLoading
import FoundationEssentials
import Testing

@testable import BowerbirdTestSupport

@Suite(.timeLimit(.minutes(5)))
struct `A faulty server` {
    let server: LocalServer
    let loader = HTTPLoader()

    init() throws { server = try LocalServer.start() }

    @Test func thatPromisesMoreThanItHasLeavesTheBodyIncomplete() async {
        server.script("/", .wrongLength(pattern(400), said: 1000))
        await #expect(throws: LoadingError.incomplete(received: 400, expected: 1000)) {
            try await loader.bytes(from: server.url("/"))
        }
    }

    @Test func thatSendsMoreThanItPromisesIsTakenAtItsWord() async throws {
        server.script("/", .wrongLength(pattern(1000), said: 400))
        #expect(try await loader.bytes(from: server.url("/")) == [UInt8](pattern(1000).prefix(400)))
    }

    @Test func thatIsBusyAtFirstSaysWhenToComeBack() async throws {
        server.script("/", .inTurn([.busy(retryAfter: "2"), .busy(429, retryAfter: "1"), .ok([1])]))
        let request = DataRequest(url: server.url("/"), acceptsAnyStatus: true)
        let heads = [
            try await loader.response(for: request).head, try await loader.response(for: request).head,
            try await loader.response(for: request).head, try await loader.response(for: request).head,
        ]
        #expect(heads.map(\.status) == [503, 429, 200, 200])
        #expect(heads.map { $0["retry-after"] } == ["2", "1", nil, nil])
    }

    @Test func thatWantsToKnowWhoAsksSaysHow() async throws {
        server.script("/", .guarded("Bearer 1", .ok([1])))
        let stranger = DataRequest(url: server.url("/"), acceptsAnyStatus: true)
        let head = try await loader.response(for: stranger).head
        #expect(head.status == 401 && head["www-authenticate"] == "Basic realm=\"test\"")
        let friend = DataRequest(url: server.url("/"), headers: ["Authorization": "Bearer 1"])
        #expect(try await loader.response(for: friend).body.allBytes() == [1])
    }

    @Test func mayAnswerAsItsTestComputes() async throws {
        server.script("/") { .ok([UInt8](($0.headers["x-word"] ?? "").utf8)) }
        let request = DataRequest(url: server.url("/"), headers: ["X-Word": "good day"])
        #expect(try await loader.response(for: request).body.allBytes() == [UInt8]("good day".utf8))
    }

    @Test(arguments: ["gzip", "br", "deflate", "new-and-unknown"])
    func thatPacksItsBodyBadlyMakesNoSense(_ encoding: String) async {
        server.script("/", .ok(pattern(1000), headers: ["Content-Encoding": encoding]))
        let error = await loader.failure(from: server.url("/"))
        guard case .invalidAnswer(let reason) = error else {
            return #expect(Bool(false), "this is what happened: \(String(describing: error))")
        }
        #expect(!reason.isEmpty)
    }
}

/// As HTTP says.
struct `A scripted resource` {
    private let resource = LocalServer.Resource(
        pattern(100), eTag: "\"v1\"", lastModified: "Mon, 01 Jan 2024 00:00:00 GMT", headers: ["X-A": "1"])

    @Test(arguments: [
        ([:], 200), (["if-none-match": "\"v1\""], 304), (["if-none-match": "\"v0\", W/\"v1\""], 304),
        (["if-none-match": "*"], 304), (["if-none-match": "\"v0\""], 200),
        (["if-modified-since": "Mon, 01 Jan 2024 00:00:00 GMT"], 304),
        (["if-modified-since": "Sun, 31 Dec 2023 00:00:00 GMT"], 200),
        (["if-none-match": "\"v0\"", "if-modified-since": "Mon, 01 Jan 2024 00:00:00 GMT"], 200),
        (["range": "bytes=0-9"], 206), (["range": "bytes=100-"], 416), (["range": "bytes=-0"], 416),
        (["range": "bytes=0-9", "if-range": "\"v1\""], 206),
        (["range": "bytes=0-9", "if-range": "Mon, 01 Jan 2024 00:00:00 GMT"], 206),
        (["range": "bytes=0-9", "if-range": "\"v0\""], 200),
        (["range": "bytes=0-9", "if-none-match": "\"v1\""], 304),
        (["range": "lines=0-9"], 200), (["range": "bytes=0-1,5-6"], 200), (["range": "bytes=9-0"], 200),
    ])
    func answersWith(_ headers: [String: String], _ status: Int) {
        let head = head(of: resource, headers)
        #expect(head?.status == status)
        #expect(head?.fields["ETag"] == "\"v1\"" && head?.fields["X-A"] == "1")
        #expect(head?.fields["Accept-Ranges"] == "bytes")
    }

    @Test(arguments: [
        ("bytes=0-9", 0..<10), ("bytes=90-", 90..<100), ("bytes=-5", 95..<100), ("bytes=-500", 0..<100),
        ("bytes=99-9223372036854775807", 99..<100), ("bytes=0-0", 0..<1),
    ])
    func sendsThePartThatIsAskedFor(_ field: String, _ range: Range<Int>) {
        let answer = resource.answer(to: LocalServer.Request(headers: ["range": field]))
        #expect(
            head(of: resource, ["range": field])?.fields["Content-Range"]
                == "bytes \(range.lowerBound)-\(range.upperBound - 1)/100")
        guard case .bytes(let bytes)? = answer.steps.last else { return #expect(Bool(false)) }
        #expect(bytes == [UInt8](pattern(100)[range]))
    }

    @Test func saysHowLongItIsWhereARangeIsBeyondIt() {
        #expect(head(of: resource, ["range": "bytes=200-300"])?.fields["Content-Range"] == "bytes */100")
    }

    @Test(arguments: [(LocalServer.Resource.Ranges.ignored, "bytes" as String?), (.unknown, nil)])
    func mayHaveNoEarForRanges(_ ranges: LocalServer.Resource.Ranges, _ promise: String?) {
        let head = head(of: LocalServer.Resource([1, 2, 3], ranges: ranges), ["range": "bytes=1-1"])
        #expect(head?.status == 200)
        #expect(head?.fields["Accept-Ranges"] == promise)
    }

    private func head(
        of resource: LocalServer.Resource, _ headers: [String: String]
    ) -> (status: Int, fields: [String: String])? {
        let answer = resource.answer(to: LocalServer.Request(headers: headers))
        guard case .head(let status, let fields)? = answer.steps.first else { return nil }
        return (status, fields)
    }
}
