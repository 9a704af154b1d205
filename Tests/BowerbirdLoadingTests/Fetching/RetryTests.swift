import BowerbirdCore
import BowerbirdTestSupport
import FoundationEssentials
import Testing

@testable import BowerbirdLoading

@Suite(.timeLimit(.minutes(5)))
struct `Trying a transfer again` {
    private static let address = PipelineFixture.address

    /// A site that fails so, until it is changed, and a request that tries three times with waits of up to a second.
    private func failing(
        _ error: LoadingError, configure: (inout ImagePipeline.Configuration) -> Void = { _ in }
    ) -> ScriptedSite {
        var picture = ScriptedSite.Picture()
        if case .status(let status) = error { picture.status = status } else { picture.failure = error }
        return ScriptedSite(picture) {
            $0.options.retry = .backoff(maximumAttempts: 3, base: .seconds(1), budget: .seconds(100))
            configure(&$0)
        }
    }

    @Test func isNotDoneUnlessSomebodyWantsIt() async throws {
        let server = try LocalServer.start()
        server.script("/busy", .busy(retryAfter: "0"))
        server.script("/cut", .cut(SolidImage.file(), after: 20))
        let fixture = PipelineFixture { $0.loader = HTTPLoader() }
        for target in ["/busy", "/cut"] {
            await #expect(throws: ImageError.self) {
                try await fixture.pipeline.image(for: ImageRequest(url: server.url(target)))
            }
            #expect(server.requests(for: target).count == 1)
        }
        server.stop()
    }

    @Test func waitsByTheClockAndSucceedsInTheEnd() async throws {
        let site = failing(.connectionLost(""))
        let task = site.pipeline.task(for: try site.request())
        for attempt in 1...2 {
            await site.clock.waitForSleepers()
            #expect(site.requests.count == attempt)
            if attempt == 2 { site.change { $0.failure = nil } }
            site.clock.advance(by: .seconds(2))
        }
        #expect(try await task.response.origin == .network)
        #expect(site.requests.count == 3)
    }

    @Test func endsAfterAsManyAttemptsAsWereAllowedWithTheLastError() async throws {
        let site = failing(.status(503))
        let task = site.pipeline.task(for: try site.request())
        for _ in 1...2 {
            await site.clock.waitForSleepers()
            site.clock.advance(by: .seconds(2))
        }
        await #expect(throws: ImageError.loading(.status(503))) { try await task.response }
        #expect(site.requests.count == 3 && site.clock.sleeperCount == 0)
    }

    @Test(arguments: [LoadingError.status(404), .status(501), .insecure(""), .tooManyRedirects])
    func isNotDoneForWhatDoesNotPass(_ error: LoadingError) async throws {
        let site = failing(error)
        await #expect(throws: ImageError.loading(error)) { try await site.load(try site.request()) }
        #expect(site.requests.count == 1)
    }

    @Test func doesNotComeBeforeTheServerWantsIt() async throws {
        let site = failing(.status(503))
        site.fixture.loader.setAnswer(for: Self.address) { _ in .init(status: 503, headers: ["retry-after": "40"]) }
        let task = site.pipeline.task(for: try site.request())
        await site.clock.waitForSleepers()
        site.clock.advance(by: .seconds(39))
        #expect(site.clock.sleeperCount == 1 && site.requests.count == 1)
        site.clock.advance(by: .seconds(1))
        await site.clock.waitForSleepers()
        #expect(site.requests.count == 2)
        site.clock.advance(by: .seconds(40))
        await #expect(throws: ImageError.loading(.status(503))) { try await task.response }
    }

    @Test func isNotDoneOnceTheBudgetIsSpent() async throws {
        let site = failing(.status(429))
        site.fixture.loader.setAnswer(for: Self.address) { _ in .init(status: 429, headers: ["retry-after": "60"]) }
        let task = site.pipeline.task(for: try site.request())
        await site.clock.waitForSleepers()
        site.clock.advance(by: .seconds(60))
        await #expect(throws: ImageError.loading(.status(429))) { try await task.response }
        #expect(site.requests.count == 2)
    }

    @Test func isLeftAtOnceByWhoCancelsDuringTheWait() async throws {
        let site = failing(.connectionLost(""))
        let task = site.pipeline.task(for: try site.request())
        await site.clock.waitForSleepers()
        task.cancel()
        await site.pipeline.waitUntilIdle()
        #expect(site.clock.sleeperCount == 0 && site.requests.count == 1)
        await #expect(throws: ImageError.cancelled) { try await task.response }
    }

    @Test func isNotDoneForACancelledTransfer() async throws {
        let site = failing(.connectionLost(""))
        let gate = Gate()
        let request = try site.fixture.request(.stubbornGate(gate), .failure(.connectionLost("")))
        let task = site.pipeline.task(for: request)
        await gate.waitForArrivals()
        task.cancel()
        gate.open()
        await site.pipeline.waitUntilIdle()
        #expect(site.requests.count == 1 && site.clock.sleeperCount == 0)
    }

    @Test func takesNoPlaceWhileItWaitsAndKeepsItsTurn() async throws {
        let site = failing(.connectionLost("")) { $0.maximumTransferCount = 1 }
        let loader = site.fixture.loader
        let retried = site.pipeline.task(for: try site.request())
        await site.clock.waitForSleepers()

        let gate = Gate()
        loader.setScript([.gate(gate), .chunk(SolidImage.file())], for: "http://host.test/second")
        loader.setScript([.chunk(SolidImage.file())], for: "http://host.test/third")
        let second = site.pipeline.task(for: ImageRequest(try ImageSource("http://host.test/second")))
        await gate.waitForArrivals()
        let third = site.pipeline.task(for: ImageRequest(try ImageSource("http://host.test/third")))
        #expect(await eventually { site.pipeline.transferSlots.waitingCount == 1 })

        site.change { $0.failure = nil }
        site.clock.advance(by: .seconds(2))
        #expect(await eventually { site.pipeline.transferSlots.waitingCount == 2 })
        gate.open()
        for task in [retried, second, third] { _ = try await task.response }
        #expect(
            site.requests.map(\.url.absoluteString) == [
                Self.address, "http://host.test/second", Self.address, "http://host.test/third",
            ])
    }

    @Test func isTheWishOfTheRequestBeforeThatOfThePipeline() async throws {
        let site = failing(.connectionLost(""))
        var request = try site.request()
        request.options.retry = .never
        await #expect(throws: ImageError.loading(.connectionLost(""))) { try await site.load(request) }
        #expect(site.requests.count == 1)
    }
}
