import BowerbirdCore
import BowerbirdTestSupport
import FoundationEssentials
import Testing

@testable import BowerbirdLoading

extension ImageSequence.Step {
    var summary: String {
        switch self {
        case .progress(let index, let progress): "\(index): \(progress.received) of \(progress.total ?? -1)"
        case .loaded(let index, _): "\(index) loaded"
        case .failed(let index, let error): "\(index) failed: \(error)"
        }
    }

    var isEnd: Bool { if case .progress = self { false } else { true } }
}

extension ImageSequence {
    /// The ends, in order, as text.
    func ends() async -> [String] {
        var ends: [String] = []
        for await step in self where step.isEnd { ends.append(step.summary) }
        return ends
    }
}

@Suite(.timeLimit(.minutes(5)))
struct `Pictures one after the other` {
    private let fixture = PipelineFixture()
    private let gate = Gate()
    private var loader: ImageSequenceLoader { ImageSequenceLoader(pipeline: fixture.pipeline) }

    @Test func areNeverTwoTransfersAtOnce() async throws {
        let running = Record<Int>()
        let requests = try (0..<20).map { index in
            try fixture.request(
                index, [.call { running.note(1) }, .chunk(SolidImage.file()), .call { running.note(-1) }])
        }
        #expect(await loader.images(for: requests).ends() == (0..<20).map { "\($0) loaded" })
        #expect(running.all == Array([[Int]](repeating: [1, -1], count: 20).joined()))
        #expect(fixture.asked == Array(0..<20))
    }

    @Test(arguments: [
        (0, [0, 1, 2]), (1, [1, 2]), (2, [2]), (3, []), (.max, []), (-1, [0, 1, 2]), (.min, [0, 1, 2]),
    ])
    func beginWhereTheyAreToldTo(start: Int, expected: [Int]) async throws {
        let images = loader.images(for: try fixture.requests(3), startingAt: start)
        #expect(await images.ends() == expected.map { "\($0) loaded" })
        #expect(fixture.asked == expected)
    }

    @Test func areNoneOfAnEmptyList() async throws {
        #expect(await loader.images(for: []).ends() == [])
        #expect(try await loader.collect([]).isEmpty)
    }

    @Test func goOnBehindAFailureAndTellIt() async throws {
        var requests = try fixture.requests(3)
        requests[1] = try fixture.request(1, [.failure(.connectionLost("cut"))])
        let expected = ["0 loaded", "1 failed: http://host.test/1: the connection broke: cut", "2 loaded"]
        #expect(await loader.images(for: requests).ends() == expected)
    }

    @Test func areShownAsTheyCome() async throws {
        let requests = [try fixture.request(0, [.chunk(SolidImage.file())]), try fixture.request(1, [.gate(gate)])]
        var steps = loader.images(for: requests).makeAsyncIterator()
        while let step = await steps.next(), !step.isEnd {}
        #expect(fixture.images.all.count == 1)
        #expect(fixture.asked == [0])
        gate.open()
        while await steps.next() != nil {}
        #expect(await steps.next() == nil)
        #expect(fixture.asked == [0, 1])
    }

    @Test func tellHowMuchOfTheCurrentOneHasCome() async throws {
        let file = SolidImage.file(byteCount: 200)
        let request = try fixture.request(0, [.chunk(Array(file[..<120])), .gate(gate), .chunk(Array(file[120...]))])
        var steps: [String] = []
        for await step in loader.images(for: [request]) {
            steps.append(step.summary)
            gate.open()
        }
        #expect(steps == ["0: 120 of 200", "0: 200 of 200", "0 loaded"] || steps == ["0: 120 of 200", "0 loaded"])
    }

    @Test(arguments: [nil, Int.min, -1, 0, 1])
    func neverTellProgressThatIsNoNumber(claim: Int?) async throws {
        let fixture = PipelineFixture { $0.loader = ClaimingLoader(claim: claim) }
        let request = ImageRequest(try ImageSource(PipelineFixture.address))
        var count = 0
        for await step in ImageSequenceLoader(pipeline: fixture.pipeline).images(for: [request]) {
            guard case .progress(_, let progress) = step, let fraction = progress.fraction else { continue }
            #expect((0...1).contains(fraction))
            count += 1
        }
        #expect(claim.map { $0 > 0 } == true || count == 0)
    }

    @Test func collectedAreASuccessWhereOneHasCome() async throws {
        var requests = try fixture.requests(4)
        for index in [0, 2] { requests[index] = try fixture.request(index, [.failure(.status(500))]) }
        requests[3] = try fixture.request(3, [.chunk(SolidImage.file(width: 9))])
        let responses = try await loader.collect(requests)
        #expect(responses.map(\.image.size.width) == [4, 9])
    }

    @Test func collectedAreAFailureWhereNoneHas() async throws {
        let requests = try (0..<2).map { try fixture.request($0, [.failure(.connectionLost("\($0)"))]) }
        let errors = (0..<2).map { index in
            ImageError.loading(.connectionLost("\(index)"), address: PipelineFixture.address(index))
        }
        await #expect(throws: ImageError.allFailed(errors)) { try await loader.collect(requests) }
    }

    @Test func collectedByATaskThatIsCancelledAreCancelled() async throws {
        let requests = try fixture.requests(2, behind: gate)
        let collecting = Task { try await loader.collect(requests) }
        await gate.waitForArrivals()
        collecting.cancel()
        await #expect(throws: ImageError.cancelled) { try await collecting.value }
        gate.open()
        await fixture.pipeline.waitUntilIdle()
        #expect(fixture.asked == [0])
    }

    @Test func thatHaveNotChangedAreNoFailures() async throws {
        fixture.loader.setAnswer(for: PipelineFixture.address) { request in
            if request.headers["If-None-Match"] == "\"1\"" { return .init(status: 304) }
            return .init(headers: ["etag": "\"1\""], [.chunk(SolidImage.file())])
        }
        var request = ImageRequest(try ImageSource(PipelineFixture.address))
        request.options.cachePolicy = .refreshCached
        for _ in 0..<2 { #expect(try await loader.collect([request]).count == 1) }
        #expect(fixture.loader.requests.count == 2)
    }

    @Test func areKeptNowhereWithoutCaches() async throws {
        var requests = try fixture.requests(2)
        for index in requests.indices { requests[index].options.cachePolicy = .networkOnly }
        #expect(try await loader.collect(requests).count == 2)
        #expect(fixture.images.all.isEmpty)
        #expect(fixture.data.all.isEmpty)
    }
}

/// Says any length.
private struct ClaimingLoader: DataLoader {
    let claim: Int?

    func response(for request: DataRequest) async throws(LoadingError) -> DataResponse {
        let rest = Lock([SolidImage.file()][...])
        let stream = DataStream { () async throws(LoadingError) in rest.withLock { $0.popFirst() } }
        return DataResponse(head: ResponseHead(url: request.url, expectedByteCount: claim), body: .stream(stream))
    }
}

@Suite(.timeLimit(.minutes(5)))
struct `Leaving pictures that come one after the other` {
    private let fixture = PipelineFixture()
    private let gate = Gate()

    private func images(_ onLeave: ImageSequenceLoader.OnLeave) throws -> ImageSequence {
        let file = SolidImage.file(byteCount: 200)
        let requests = try (0..<3).map { index in
            try fixture.request(index, [.chunk(Array(file[..<100])), .gate(gate), .chunk(Array(file[100...]))])
        }
        return ImageSequenceLoader(pipeline: fixture.pipeline, onLeave: onLeave).images(for: requests)
    }

    private func expectTheEnd(_ onLeave: ImageSequenceLoader.OnLeave) async {
        if onLeave == .finishCurrent { gate.open() }
        await fixture.pipeline.waitUntilIdle()
        #expect(fixture.asked == [0])
        #expect(fixture.images.all.count == (onLeave == .finishCurrent ? 1 : 0))
        #expect(fixture.data.all.count == (onLeave == .finishCurrent ? 1 : 0))
        #expect(fixture.loader.cancelledCount == (onLeave == .finishCurrent ? 0 : 1))
    }

    @Test(arguments: [ImageSequenceLoader.OnLeave.finishCurrent, .cancelCurrent])
    func byACancelledTaskBeginsNoOther(onLeave: ImageSequenceLoader.OnLeave) async throws {
        let images = try images(onLeave)
        let listening = Task { await images.ends() }
        await gate.waitForArrivals()
        listening.cancel()
        #expect(await listening.value == [])
        await expectTheEnd(onLeave)
    }

    @Test(arguments: [ImageSequenceLoader.OnLeave.finishCurrent, .cancelCurrent])
    func byLettingGoOfTheIteratorBeginsNoOther(onLeave: ImageSequenceLoader.OnLeave) async throws {
        for await step in try images(onLeave) {
            #expect(!step.isEnd)
            await gate.waitForArrivals()
            break
        }
        await expectTheEnd(onLeave)
    }

    @Test func beforeTheBeginningBeginsNothing() async throws {
        let images = try images(.finishCurrent)
        let start = Gate()
        let listening = Task {
            await start.pass(ignoresCancellation: true)
            return await images.ends()
        }
        listening.cancel()
        start.open()
        #expect(await listening.value == [])
        #expect(fixture.asked == [])
    }
}
