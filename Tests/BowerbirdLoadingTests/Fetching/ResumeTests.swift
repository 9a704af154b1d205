import BowerbirdCore
import BowerbirdTestSupport
import FoundationEssentials
import Testing

@testable import BowerbirdLoading

@Suite(.timeLimit(.minutes(5)))
struct `A transfer that was cut` {
    private static let file = SolidImage.file(.black, byteCount: 1000)
    private static let other = SolidImage.file(.white, byteCount: 900)
    private static let cut = 400
    private static let address = PipelineFixture.address

    private let fixture = PipelineFixture()

    private func request() throws -> ImageRequest { ImageRequest(try ImageSource(Self.address)) }

    /// The first answer: cut after some bytes.
    private func cutFirst(
        _ headers: [String: String] = ["etag": "\"1\"", "accept-ranges": "bytes"], at count: Int = cut
    ) async throws {
        fixture.loader.setAnswer(for: Self.address) { _ in
            .init(
                headers: headers,
                [.chunk(Array(Self.file[..<count])), .failure(.connectionLost("")), .chunk(Array(Self.file[count...]))])
        }
        await #expect(throws: ImageError.loading(.connectionLost(""))) {
            try await fixture.pipeline.image(for: request())
        }
    }

    /// The answers from then on.
    private func answer(
        _ status: Int = 206, _ headers: [String: String] = [:], _ steps: [ScriptedLoader.Step]? = nil
    ) {
        let rest: [ScriptedLoader.Step] = [.chunk(Array(Self.file[Self.cut...]))]
        fixture.loader.setAnswer(for: Self.address) { request in
            request.headers["Range"] == nil
                ? .init(headers: ["etag": "\"2\""], [.chunk(Self.other)])
                : .init(status: status, headers: headers, steps ?? rest)
        }
    }

    private var ranges: [String?] { fixture.loader.requests.map { $0.headers["Range"] } }

    @Test func goesOnWhereItStoppedAndIsKeptAsOneFile() async throws {
        try await cutFirst(["etag": "\"1\"", "accept-ranges": "bytes", "content-type": "image/x-solid"])
        answer(206, ["content-range": "bytes 400-999/1000", "etag": "\"1\"", "cache-control": "max-age=9"])
        let task = fixture.pipeline.task(for: try request())
        let events = await task.events.collect()
        let answer = try #require(try events.outcome?.get())
        #expect(answer.byteCount == 1000 && answer.brightness == 0)
        #expect(events.progress.allSatisfy { $0.received >= 400 && $0.total == 1000 })
        #expect(fixture.loader.requests.last?.headers["If-Range"] == "\"1\"")
        #expect(ranges == [nil, "bytes=400-"])

        let kept = try #require(fixture.data.all.first)
        #expect(kept.data.hasEqualBytes(to: try #require(EncodedImage(Self.file))))
        #expect(kept.mediaType == "image/x-solid")
        #expect(kept.freshness?.status == 200 && kept.freshness?.entityTag == "\"1\"")
        #expect(kept.freshness?.headers["cache-control"] == "max-age=9")
    }

    @Test func beginsItsProgressWithWhatIsThere() async throws {
        try await cutFirst()
        let gate = Gate()
        answer(206, ["content-range": "bytes 400-999/1000"], [.gate(gate), .chunk(Array(Self.file[400...]))])
        let task = fixture.pipeline.task(for: try request())
        var events = task.events.makeAsyncIterator()
        guard case .progress(let progress)? = await events.next() else {
            Issue.record("what is there is progress")
            return
        }
        #expect(progress == TransferProgress(received: 400, total: 1000))
        gate.open()
        _ = try await task.response
    }

    @Test func mayBeCutAgainAndAgain() async throws {
        try await cutFirst()
        answer(
            206, ["content-range": "bytes 400-999/1000"],
            [.chunk(Array(Self.file[400..<700])), .failure(.connectionLost("")), .chunk(Array(Self.file[700...]))])
        await #expect(throws: ImageError.loading(.connectionLost(""))) {
            try await fixture.pipeline.image(for: request())
        }
        answer(206, ["content-range": "bytes 700-999/*"], [.chunk(Array(Self.file[700...]))])
        #expect(try await fixture.pipeline.response(for: request()).byteCount == 1000)
        #expect(ranges == [nil, "bytes=400-", "bytes=700-"])
    }

    /// The server has another file now, and sends all of it.
    @Test func isReplacedByTheWholeOfANewFile() async throws {
        try await cutFirst()
        answer(200, ["etag": "\"2\""], [.chunk(Self.other)])
        let answer = try await fixture.pipeline.response(for: request())
        #expect(answer.byteCount == 900 && answer.brightness == 255)
        #expect(ranges == [nil, "bytes=400-"])
    }

    static let strangeAnswers: [(Int, [String: String])] = [
        (416, ["content-range": "bytes */900"]),
        (206, [:]),
        (206, ["content-range": "bytes 401-999/1000"]),
        (206, ["content-range": "bytes 0-999/1000"]),
        (206, ["content-range": "bytes 400-999/1001"]),
        (206, ["content-range": "bytes 400-1000/1000"]),
        (206, ["content-range": "bytes 400-399/1000"]),
        (206, ["content-range": "bytes 400-999/1000", "etag": "\"2\""]),
        (206, ["content-range": "garbage"]),
        (206, ["content-range": "bytes 400-99999999999999999999/99999999999999999999"]),
    ]

    @Test(arguments: strangeAnswers)
    func isBegunAnewWhereTheRestDoesNotFit(status: Int, headers: [String: String]) async throws {
        try await cutFirst()
        answer(status, headers)
        let answer = try await fixture.pipeline.response(for: request())
        #expect(answer.byteCount == 900 && answer.brightness == 255)
        #expect(ranges == [nil, "bytes=400-", nil])
    }

    /// A server may send less than was asked for.
    @Test func isNotWholeBeforeAllOfItIsThere() async throws {
        try await cutFirst()
        answer(206, ["content-range": "bytes 400-599/1000"], [.chunk(Array(Self.file[400..<600]))])
        let missing = ImageError.loading(.incomplete(received: 600, expected: 1000))
        await #expect(throws: missing) { try await fixture.pipeline.image(for: request()) }
        answer(206, ["content-range": "bytes 600-999/1000"], [.chunk(Array(Self.file[600...]))])
        #expect(try await fixture.pipeline.response(for: request()).byteCount == 1000)
    }

    static let uselessHeads: [[String: String]] = [
        ["etag": "\"1\""], ["etag": "\"1\"", "accept-ranges": "none"], ["accept-ranges": "bytes"],
        ["etag": "W/\"1\"", "accept-ranges": "bytes"],
        [
            "etag": "W/\"1\"", "accept-ranges": "bytes", "last-modified": "Wed, 01 Jan 2020 00:00:00 GMT",
            "date": "Thu, 02 Jan 2020 00:00:00 GMT",
        ],
        ["accept-ranges": "bytes", "last-modified": "Wed, 01 Jan 2020 00:00:00 GMT"],
        [
            "accept-ranges": "bytes", "last-modified": "Wed, 01 Jan 2020 00:00:00 GMT",
            "date": "Wed, 01 Jan 2020 00:00:00 GMT",
        ],
        ["etag": "\"1\"", "accept-ranges": "bytes", "content-encoding": "gzip"],
    ]

    @Test(arguments: uselessHeads)
    func beginsAnewWhereTheServerPromisesNothing(_ head: [String: String]) async throws {
        try await cutFirst(head)
        answer()
        #expect(try await fixture.pipeline.response(for: request()).byteCount == 900)
        #expect(ranges == [nil, nil])
    }

    @Test func goesOnByItsDateWhereThatIsEnough() async throws {
        let date = "Wed, 01 Jan 2020 00:00:00 GMT"
        try await cutFirst(
            ["accept-ranges": "bytes", "last-modified": date, "date": "Wed, 01 Jan 2020 00:00:01 GMT"])
        answer(206, ["content-range": "bytes 400-999/1000", "last-modified": date])
        #expect(try await fixture.pipeline.response(for: request()).byteCount == 1000)
        #expect(fixture.loader.requests.last?.headers["If-Range"] == date)
    }

    @Test func goesOnThoughItWasCancelled() async throws {
        let gate = Gate()
        fixture.loader.setAnswer(for: Self.address) { _ in
            .init(
                headers: ["etag": "\"1\"", "accept-ranges": "bytes"],
                [.chunk(Array(Self.file[..<400])), .gate(gate), .chunk(Array(Self.file[400...]))])
        }
        let task = fixture.pipeline.task(for: try request())
        await gate.waitForArrivals()
        task.cancel()
        await fixture.pipeline.waitUntilIdle()
        answer(206, ["content-range": "bytes 400-999/1000"])
        #expect(try await fixture.pipeline.response(for: request()).byteCount == 1000)
        #expect(ranges == [nil, "bytes=400-"])
    }

    @Test func goesOnInTheNextTryOfTheSameRequest() async throws {
        let clock = ManualClock()
        let fixture = PipelineFixture {
            $0.clock = clock
            $0.options.retry = .backoff()
        }
        let resource = Self.file
        fixture.loader.setAnswer(for: Self.address) { request in
            let headers = ["etag": "\"1\"", "accept-ranges": "bytes"]
            guard request.headers["Range"] == "bytes=400-" else {
                return .init(
                    headers: headers,
                    [.chunk(Array(resource[..<400])), .failure(.timedOut("")), .chunk(Array(resource[400...]))])
            }
            let range = headers.merging(["content-range": "bytes 400-999/1000"]) { $1 }
            return .init(status: 206, headers: range, [.chunk(Array(resource[400...]))])
        }
        let task = fixture.pipeline.task(for: try request())
        await clock.waitForSleepers()
        clock.advance(by: .seconds(1))
        #expect(try await task.response.byteCount == 1000)
        #expect(fixture.loader.requests.count == 2)
    }

    /// The beginning is still good where the answer was not about the file.
    @Test(arguments: [500, 503, 401])
    func goesOnAfterAnAnswerThatSaysNothingOfTheFile(status: Int) async throws {
        try await cutFirst()
        fixture.loader.setAnswer(for: Self.address) { _ in .init(status: status) }
        await #expect(throws: ImageError.loading(.status(status))) { try await fixture.pipeline.image(for: request()) }
        answer(206, ["content-range": "bytes 400-999/1000"])
        #expect(try await fixture.pipeline.response(for: request()).byteCount == 1000)
        #expect(ranges == [nil, "bytes=400-", "bytes=400-"])
    }

    @Test func goesOnAfterATryThatNeverWentOut() async throws {
        let refuses = Flag()
        let fixture = PipelineFixture {
            $0.prepareRequest = { request in
                if refuses.isSet { throw LoadingError.cancelled }
                return request
            }
        }
        let file = Self.file
        fixture.loader.setAnswer(for: Self.address) { request in
            let headers = ["etag": "\"1\"", "accept-ranges": "bytes", "content-range": "bytes 400-999/1000"]
            if request.headers["Range"] != nil {
                return .init(status: 206, headers: headers, [.chunk(Array(file[400...]))])
            }
            return .init(
                headers: headers,
                [.chunk(Array(file[..<400])), .failure(.timedOut("")), .chunk(Array(file[400...]))])
        }
        for isRefused in [false, true] {
            refuses.isSet = isRefused
            await #expect(throws: ImageError.self) { try await fixture.pipeline.image(for: request()) }
        }
        refuses.isSet = false
        #expect(try await fixture.pipeline.response(for: request()).byteCount == 1000)
    }

    /// Here, with what is there already, and not only in what still comes.
    @Test func isNoLongerThanTheRequestAllows() async throws {
        var request = try request()
        request.options.maximumByteCount = 999
        let cut: [ScriptedLoader.Step] = [.chunk(Array(Self.file[..<400])), .failure(.timedOut(""))]
        let headers = ["etag": "\"1\"", "accept-ranges": "bytes"]
        fixture.loader.setAnswer(for: Self.address) { _ in .init(headers: headers, cut) }
        await #expect(throws: ImageError.loading(.timedOut(""))) { try await fixture.pipeline.image(for: request) }
        answer(206, ["content-range": "bytes 400-999/*"])
        await #expect(throws: ImageError.loading(.tooLarge(maximumByteCount: 999))) {
            try await fixture.pipeline.image(for: request)
        }
        #expect(ranges == [nil, "bytes=400-"])
    }

    @Test func isNotTakenForThePartThatARequestWants() async throws {
        try await cutFirst()
        var request = try request()
        request.headers = ["Range": "bytes=0-99"]
        answer(206, ["content-range": "bytes 0-99/1000"], [.chunk(Array(Self.file[..<100]))])
        #expect(try await fixture.pipeline.response(for: request).byteCount == 100)
        #expect(ranges == [nil, "bytes=0-99"])
        #expect(fixture.data.all.isEmpty)
    }

    @Test func isNotThereWhenAPartComesUnasked() async throws {
        fixture.loader.setAnswer(for: Self.address) { _ in
            .init(status: 206, headers: ["content-range": "bytes 0-99/1000"], [.chunk(Array(Self.file[..<100]))])
        }
        let error = await #expect(throws: ImageError.self) { try await fixture.pipeline.image(for: request()) }
        guard case .loading(.invalidAnswer, _)? = error else {
            Issue.record("a part is no file")
            return
        }
    }

    @Test func isForgottenWithEverythingElse() async throws {
        try await cutFirst()
        await fixture.pipeline.removeAll()
        answer()
        _ = try await fixture.pipeline.image(for: request())
        #expect(ranges == [nil, nil])
    }

    @Test func asksWhetherTheKeptFileIsStillRightToo() async throws {
        let site = ScriptedSite()
        var request = try site.request(nil, .refreshCached)
        _ = try await site.load(request)
        let headers = ["etag": "\"2\"", "accept-ranges": "bytes"]
        site.fixture.loader.setAnswer(for: Self.address) { _ in
            .init(
                headers: headers,
                [.chunk(Array(Self.other[..<400])), .failure(.timedOut("")), .chunk(Array(Self.other[400...]))])
        }
        request.options.cachePolicy = .networkOnly
        await #expect(throws: ImageError.self) { try await site.load(request) }
        site.fixture.loader.setAnswer(for: Self.address) { request in
            guard request.headers["If-None-Match"] == "\"1\"" else { return .init(status: 500) }
            let range = headers.merging(["content-range": "bytes 400-899/900"]) { $1 }
            return .init(status: 206, headers: range, [.chunk(Array(Self.other[400...]))])
        }
        request.options.cachePolicy = .refreshCached
        #expect(try await site.load(request).brightness == 255)
    }
}

@Suite
struct `The beginnings of files` {
    private func partial(_ count: Int) throws -> PartialFile {
        let head = ResponseHead(
            url: try #require(URL(string: "http://host.test/")), status: 200,
            headers: ["etag": "\"1\"", "accept-ranges": "bytes"])
        let data = try #require(EncodedImage([UInt8](repeating: 1, count: count)))
        return try #require(PartialFile(data, total: nil, head))
    }

    @Test func takeNoMoreMemoryThanTheyMay() throws {
        let files = PartialFiles(byteLimit: 1000)
        for name in ["a", "b", "c"] { files.store(try partial(400), for: CacheKey(name)) }
        files.store(try partial(1001), for: CacheKey("d"))
        #expect(["a", "b", "c", "d"].map { files.take(CacheKey($0)) != nil } == [false, true, true, false])
    }

    @Test func areNoMoreThanAHundred() throws {
        let files = PartialFiles(byteLimit: 1000)
        for name in 0...100 { files.store(try partial(1), for: CacheKey("\(name)")) }
        #expect((0...100).count { files.take(CacheKey("\($0)")) != nil } == 100)
    }

    @Test func areGivenAwayOnce() throws {
        let files = PartialFiles(byteLimit: 1000)
        files.store(try partial(1), for: CacheKey("a"))
        let taken = files.take(CacheKey("a"))
        #expect(taken != nil && files.take(CacheKey("a")) == nil)
        files.giveBack(taken, CacheKey("a"))
        #expect(files.take(CacheKey("a")) != nil)
    }
}

/// A truth that a test changes while others read it.
final class Flag: Sendable {
    private let value = Lock(false)

    var isSet: Bool {
        get { value.withLock { $0 } }
        set { value.withLock { $0 = newValue } }
    }
}
