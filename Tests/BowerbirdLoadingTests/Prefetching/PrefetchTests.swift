import BowerbirdCore
import BowerbirdTestSupport
import FoundationEssentials
import Testing

@testable import BowerbirdLoading

@Suite(.timeLimit(.minutes(5)))
struct `A prefetch` {
    private let fixture = PipelineFixture()
    private let gate = Gate()

    private func progress(completed: Int = 0, skipped: Int = 0, failed: Int = 0, of total: Int) -> Prefetch.Progress {
        var progress = Prefetch.Progress(total: total)
        (progress.completed, progress.skipped, progress.failed) = (completed, skipped, failed)
        return progress
    }

    @Test func isCancelledByItsOwnHandleAndNoOther() async throws {
        let prefetcher = ImagePrefetcher(pipeline: fixture.pipeline)
        let requests = try fixture.requests(2, behind: gate)
        let (first, second) = (prefetcher.prefetch([requests[0]]), prefetcher.prefetch([requests[1]]))
        await gate.waitForArrivals(2)
        first.cancel()
        #expect(await first.result == nil)
        gate.open()
        #expect(await second.result == progress(completed: 1, of: 1))
        await fixture.pipeline.waitUntilIdle()
        #expect(fixture.loader.cancelledCount == 1)
    }

    @Test func sharesItsTransferWithAnotherThatWantsTheSame() async throws {
        let prefetcher = ImagePrefetcher(pipeline: fixture.pipeline)
        let requests = try fixture.requests(1, behind: gate)
        let (first, second) = (prefetcher.prefetch(requests), prefetcher.prefetch(requests))
        await gate.waitForArrivals()
        #expect(await eventually { prefetcher.slots.runningCount == 2 })
        gate.open()
        for result in [await first.result, await second.result] {
            #expect(result.map { $0.completed + $0.skipped } == 1)
        }
        #expect(fixture.loader.requests.count == 1)
    }

    @Test func thatIsCancelledLeavesTheTransferToWhoeverElseWantsIt() async throws {
        let requests = try fixture.requests(1, behind: gate)
        let prefetch = ImagePrefetcher(pipeline: fixture.pipeline).prefetch(requests)
        await gate.waitForArrivals()
        let view = fixture.pipeline.task(for: requests[0])
        prefetch.cancel()
        #expect(await prefetch.result == nil)
        gate.open()
        _ = try await view.response
        #expect(fixture.loader.requests.count == 1)
        #expect(fixture.loader.cancelledCount == 0)
    }

    @Test func tellsWhatCameWhatWasThereAndWhatFailed() async throws {
        let requests = try fixture.requests(2) + [ImageRequest(try ImageSource("http://host.test/missing"))]
        _ = try await fixture.pipeline.image(for: requests[0])
        let prefetch = ImagePrefetcher(pipeline: fixture.pipeline).prefetch(requests)
        let expected = progress(completed: 1, skipped: 1, failed: 1, of: 3)
        #expect(await prefetch.result == expected)
        #expect(prefetch.progress == expected)
        #expect(prefetch.progress.fraction == 1)
        #expect(await prefetch.result == expected)
    }

    @Test func tellsEachStepOrTheNewest() async throws {
        let requests = try fixture.requests(20, behind: gate)
        let prefetch = ImagePrefetcher(pipeline: fixture.pipeline).prefetch(requests)
        await gate.waitForArrivals(3)
        var steps: [Prefetch.Progress] = []
        gate.open()
        #expect(await prefetch.wait { steps.append($0) } == progress(completed: 20, of: 20))
        #expect(zip(steps, steps.dropFirst()).allSatisfy { $0.finished < $1.finished })
        #expect(steps.allSatisfy { $0.total == 20 && (0...1).contains($0.fraction) })
    }

    @Test func withNothingToDoIsOverAtOnce() async {
        let prefetch = ImagePrefetcher(pipeline: fixture.pipeline).prefetch([])
        #expect(prefetch.progress.fraction == 1)
        #expect(await prefetch.result == progress(of: 0))
    }

    @Test func thatIsCancelledHasNoResultAndCountsNothingMore() async throws {
        let prefetcher = ImagePrefetcher(pipeline: fixture.pipeline, maximumCount: 1)
        let requests =
            [try fixture.request(0, [.chunk(SolidImage.file())])]
            + [try fixture.request(1, [.gate(gate)]), try fixture.request(2, [.gate(gate)])]
        let prefetch = prefetcher.prefetch(requests)
        await gate.waitForArrivals()
        prefetch.cancel()
        prefetch.cancel()
        #expect(await prefetch.result == nil)
        #expect(prefetch.progress == progress(completed: 1, of: 3))
        await fixture.pipeline.waitUntilIdle()
        #expect(fixture.asked == [0, 1])
        #expect(prefetcher.slots.runningCount == 0)
        #expect(fixture.loader.runningCount == 0)
    }

    @Test func goesOnWhenWhoeverWaitsForItIsCancelled() async throws {
        let prefetch = ImagePrefetcher(pipeline: fixture.pipeline).prefetch(try fixture.requests(1, behind: gate))
        await gate.waitForArrivals()
        let waiting = Task { await prefetch.result }
        waiting.cancel()
        #expect(await waiting.value == nil)
        gate.open()
        #expect(await prefetch.result == progress(completed: 1, of: 1))
    }

    @Test func countsAsFailedWhatThePipelineCancels() async throws {
        let prefetch = ImagePrefetcher(pipeline: fixture.pipeline).prefetch(try fixture.requests(1, behind: gate))
        await gate.waitForArrivals()
        fixture.pipeline.cancelAll()
        #expect(await prefetch.result == progress(failed: 1, of: 1))
        await fixture.pipeline.waitUntilIdle()
    }

    /// Unlike one that is cached first, it is not there as long as its server has not been asked.
    @Test(arguments: [ImagePrefetcher.Destination.memory, .disk])
    func ofWhatIsToBeRefreshedAsksTheServer(destination: ImagePrefetcher.Destination) async throws {
        var requests = try fixture.requests(1)
        _ = try await fixture.pipeline.image(for: requests[0])
        requests[0].options.cachePolicy = .refreshCached
        let prefetch = ImagePrefetcher(pipeline: fixture.pipeline, destination: destination).prefetch(requests)
        #expect(await prefetch.result == progress(completed: 1, of: 1))
        #expect(fixture.asked == [0, 0])
    }

    @Test(arguments: [ImagePrefetcher.Destination.memory, .disk])
    func takesAnAlternativeWhereTheSourceFails(destination: ImagePrefetcher.Destination) async throws {
        var request = ImageRequest(try ImageSource("http://host.test/missing"))
        request.alternatives = try fixture.requests(1).map(\.source)
        let prefetch = ImagePrefetcher(pipeline: fixture.pipeline, destination: destination).prefetch([request])
        #expect(await prefetch.result == progress(completed: 1, of: 1))
    }

    @Test func underRulesForSignaturesIsFoundByWhoeverHasAnotherSignature() async throws {
        let fixture = PipelineFixture { $0.options.keyRules = KeyRule.signedURLs }
        let address = "https://b.s3.amazonaws.com/a.jpg?X-Amz-Date=20260101T000000Z&X-Amz-Signature="
        fixture.loader.setScript([.chunk(SolidImage.file())], for: address + "aa")
        let mine = ImageRequest(try ImageSource(address + "aa"))
        let prefetch = ImagePrefetcher(pipeline: fixture.pipeline, destination: .disk).prefetch([mine])
        #expect(await prefetch.result == progress(completed: 1, of: 1))
        let yours = ImageRequest(try ImageSource(address + "bb"))
        #expect(try await fixture.pipeline.response(for: yours).origin == .disk)
        #expect(fixture.loader.requests.count == 1)
    }
}
