import BowerbirdCore
import BowerbirdTestSupport
import FoundationEssentials
import Testing

@testable import BowerbirdLoading

@Suite(.timeLimit(.minutes(5)))
struct `A prefetcher` {
    private let gate = Gate()

    @Test func worksOnThreeAtOnceUnlessMoreIsSaid() async throws {
        let fixture = PipelineFixture()
        let prefetcher = ImagePrefetcher(pipeline: fixture.pipeline)
        let prefetch = prefetcher.prefetch(try fixture.requests(10, behind: gate))
        await gate.waitForArrivals(3)
        #expect(await eventually { prefetcher.slots.waitingCount == 1 })
        #expect(prefetcher.slots.runningCount == 3)
        #expect(fixture.loader.requests.count == 3)
        gate.open()
        #expect(await prefetch.result?.completed == 10)
    }

    @Test func servesItsCallsInTheirOrder() async throws {
        let fixture = PipelineFixture()
        let prefetcher = ImagePrefetcher(pipeline: fixture.pipeline, maximumCount: 1)
        let requests = try fixture.requests(4, behind: gate)
        let first = prefetcher.prefetch(Array(requests[..<3]))
        await gate.waitForArrivals()
        let second = prefetcher.prefetch([requests[3]])
        #expect(await eventually { prefetcher.slots.waitingCount == 2 })
        gate.open()
        _ = await (first.result, second.result)
        #expect(fixture.asked == [0, 1, 2, 3])
    }

    @Test func beginsNothingWhileItIsPaused() async throws {
        let fixture = PipelineFixture()
        let prefetcher = ImagePrefetcher(pipeline: fixture.pipeline)
        prefetcher.isPaused = true
        let prefetch = prefetcher.prefetch(try fixture.requests(5))
        #expect(await eventually { prefetcher.slots.waitingCount == 1 })
        #expect(fixture.loader.requests.isEmpty)
        #expect(prefetcher.isPaused)
        prefetcher.isPaused = false
        #expect(await prefetch.result?.completed == 5)
    }

    @Test func isCancelledAsAWhole() async throws {
        let fixture = PipelineFixture()
        let prefetcher = ImagePrefetcher(pipeline: fixture.pipeline)
        let requests = try fixture.requests(20, behind: gate)
        let prefetches = [prefetcher.prefetch(requests), prefetcher.prefetch(requests.reversed())]
        await gate.waitForArrivals(3)
        prefetcher.cancelAll()
        for prefetch in prefetches { #expect(await prefetch.result == nil) }
        await fixture.pipeline.waitUntilIdle()
        #expect(prefetcher.slots.runningCount == 0)
        #expect(prefetcher.slots.waitingCount == 0)
        #expect(fixture.pipeline.transferSlots.runningCount == 0)
        #expect(fixture.loader.runningCount == 0)
    }

    @Test func thatIsLetGoOfFinishesWhatItHasBegun() async throws {
        let fixture = PipelineFixture()
        let prefetch = ImagePrefetcher(pipeline: fixture.pipeline).prefetch(try fixture.requests(5, behind: gate))
        await gate.waitForArrivals(3)
        gate.open()
        #expect(await prefetch.result?.completed == 5)
    }

    @Test func thatIsLetGoOfWhilePausedCancelsWhatNobodyCouldLetGoOn() async throws {
        let fixture = PipelineFixture()
        var prefetcher: ImagePrefetcher? = ImagePrefetcher(pipeline: fixture.pipeline)
        prefetcher?.isPaused = true
        let prefetch = try #require(prefetcher?.prefetch(try fixture.requests(5)))
        prefetcher = nil
        #expect(await prefetch.result == nil)
        #expect(fixture.loader.requests.isEmpty)
    }
}

@Suite(.timeLimit(.minutes(5)))
struct `Prefetching to the disk` {
    private let fixture = PipelineFixture()

    private func prefetch(_ requests: [ImageRequest]) async -> Prefetch.Progress? {
        await ImagePrefetcher(pipeline: fixture.pipeline, destination: .disk).prefetch(requests).result
    }

    @Test func decodesNothingAndLeavesMemoryAlone() async throws {
        let requests = try fixture.requests(2)
        #expect(await prefetch(requests)?.completed == 2)
        #expect(fixture.decoder.decodeCount == 0)
        #expect(fixture.images.all.isEmpty)
        #expect(fixture.images.lookupCount == 0)
        #expect(await prefetch(requests)?.skipped == 2)
        #expect(try await fixture.pipeline.response(for: requests[0]).origin == .disk)
    }

    @Test func bringsTheOriginalWhereOnlyTheFinishedPictureIsKept() async throws {
        var requests = try fixture.requests(1)
        requests[0].targetSize = PixelSize(width: 2, height: 2)
        requests[0].options.diskContent = .processed(SolidImage.format)
        #expect(await prefetch(requests)?.completed == 1)
        #expect(try await fixture.pipeline.response(for: requests[0]).origin == .disk)
        #expect(fixture.loader.requests.count == 1)
    }

    @Test func skipsWhatIsOnThisMachine() async throws {
        let data = try #require(EncodedImage(SolidImage.file()))
        #expect(await prefetch([ImageRequest(.data(data, name: "mine"))])?.skipped == 1)
        #expect(fixture.data.all.isEmpty)
    }

    @Test func remembersWhatIsNoPicture() async throws {
        let request = try fixture.request(.chunk(Array("<!DOCTYPE html>".utf8)))
        #expect(await prefetch([request])?.failed == 1)
        #expect(await prefetch([request])?.failed == 1)
        #expect(fixture.loader.requests.count == 1)
        #expect(fixture.data.all.isEmpty)
    }
}

@Suite(.timeLimit(.minutes(5)))
struct `Prefetching to memory` {
    @Test func bringsTheFinishedPicture() async throws {
        let fixture = PipelineFixture()
        let request = try fixture.request(.chunk(SolidImage.file()), processors: [RecordingProcessor("edit")])
        #expect(await ImagePrefetcher(pipeline: fixture.pipeline).prefetch([request]).result?.completed == 1)
        #expect(try await fixture.pipeline.response(for: request).origin == .memory)
        #expect(fixture.data.all.count == 1)
    }

    /// The edited picture is made of one in memory, and yet it was not there.
    @Test func countsAnEditOfWhatIsInMemoryAsCompleted() async throws {
        let fixture = PipelineFixture()
        let plain = try fixture.request(.chunk(SolidImage.file()))
        _ = try await fixture.pipeline.image(for: plain)
        var edited = plain
        edited.processors = [RecordingProcessor("edit")]
        #expect(await ImagePrefetcher(pipeline: fixture.pipeline).prefetch([edited]).result?.completed == 1)
    }
}

@Suite(.timeLimit(.minutes(5)))
struct `Prefetch work` {
    private let fixture = PipelineFixture { $0.maximumTransferCount = 1 }
    private let gate = Gate()

    private func waiting(become count: Int) async -> Bool {
        await eventually { fixture.pipeline.transferSlots.waitingCount == count }
    }

    @Test func letsAnOrdinaryRequestGoFirstThoughAskedLater() async throws {
        let requests = try fixture.requests(3, behind: gate)
        let prefetch = ImagePrefetcher(pipeline: fixture.pipeline).prefetch(Array(requests[..<2]))
        await gate.waitForArrivals()
        #expect(await waiting(become: 1))
        let ordinary = fixture.pipeline.task(for: requests[2])
        #expect(await waiting(become: 2))
        let begun = try #require(fixture.asked.first)
        gate.open()
        _ = try await ordinary.response
        #expect(await prefetch.result?.completed == 2)
        #expect(fixture.asked == [begun, 2, 1 - begun])
    }

    @Test func letsEvenTheLeastUrgentOrdinaryRequestGoFirst() async throws {
        var requests = try fixture.requests(3, behind: gate)
        let running = fixture.pipeline.task(for: requests[0])
        await gate.waitForArrivals()
        requests[1].options.priority = .veryHigh
        requests[2].options.priority = .veryLow
        let prefetch = ImagePrefetcher(pipeline: fixture.pipeline).prefetch([requests[1]])
        #expect(await waiting(become: 1))
        let ordinary = fixture.pipeline.task(for: requests[2])
        #expect(await waiting(become: 2))
        gate.open()
        _ = try await (running.response, ordinary.response)
        #expect(await prefetch.result?.completed == 1)
        #expect(fixture.asked == [0, 2, 1])
    }

    @Test func isJoinedByAViewAndGoesToTheEndOfTheOrdinaryLine() async throws {
        let requests = try fixture.requests(4, behind: gate)
        let running = fixture.pipeline.task(for: requests[0])
        await gate.waitForArrivals()
        let prefetch = ImagePrefetcher(pipeline: fixture.pipeline).prefetch(Array(requests[1...2]))
        #expect(await waiting(become: 2))
        let earlier = fixture.pipeline.task(for: requests[3])
        #expect(await waiting(become: 3))
        let view = fixture.pipeline.task(for: requests[2])
        gate.open()
        for task in [running, earlier, view] { _ = try await task.response }
        #expect(await prefetch.result?.completed == 2)
        #expect(fixture.asked == [0, 3, 2, 1])
    }

    @Test func toTheDiskIsJoinedByAView() async throws {
        let request = try fixture.requests(1, behind: gate)[0]
        let prefetch = ImagePrefetcher(pipeline: fixture.pipeline, destination: .disk).prefetch([request])
        await gate.waitForArrivals()
        let view = fixture.pipeline.task(for: request)
        #expect(await eventually { fixture.pipeline.pictures.runningCount == 1 })
        gate.open()
        _ = try await view.response
        #expect(await prefetch.result?.completed == 1)
        #expect(fixture.loader.requests.count == 1)
    }
}
