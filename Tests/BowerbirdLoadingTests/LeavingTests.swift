import BowerbirdCore
import BowerbirdLoading
import BowerbirdTestSupport
import Dispatch
import FoundationEssentials
import Testing

@Suite(.timeLimit(.minutes(5)))
struct `Leaving a request` {
    @Test func theLastAskerToLeaveStopsTheTransfer() async throws {
        let fixture = PipelineFixture()
        let gate = Gate()
        let request = try fixture.request(.gate(gate), .chunk(SolidImage.file()))
        let tasks = (0..<3).map { _ in fixture.pipeline.task(for: request) }
        await gate.waitForArrivals()
        for task in tasks { task.cancel() }
        for task in tasks { await #expect(throws: ImageError.cancelled) { try await task.response } }
        await fixture.pipeline.waitUntilIdle()
        #expect(fixture.loader.cancelledCount == 1)
        #expect(fixture.loader.runningCount == 0)
    }

    @Test func oneOfSeveralLeavesTheOthersAlone() async throws {
        let fixture = PipelineFixture()
        let gate = Gate()
        let request = try fixture.request(.gate(gate), .chunk(SolidImage.file()))
        let leaver = fixture.pipeline.task(for: request)
        let stayer = fixture.pipeline.task(for: request)
        await gate.waitForArrivals()
        leaver.cancel()
        await #expect(throws: ImageError.cancelled) { try await leaver.response }
        gate.open()
        _ = try await stayer.response
        #expect(fixture.loader.requests.count == 1)
        #expect(fixture.loader.cancelledCount == 0)
    }

    @Test func askingAgainAtOnceGetsAFreshJobAndNeverTheDyingOnesAnswer() async throws {
        let fixture = PipelineFixture()
        let (dying, fresh) = (Gate(), Gate())
        let request = try fixture.request(.stubbornGate(dying), .chunk(SolidImage.file(.black)))
        let first = fixture.pipeline.task(for: request)
        await dying.waitForArrivals()
        first.cancel()
        let second = fixture.pipeline.task(for: try fixture.request(.gate(fresh), .chunk(SolidImage.file(.white))))
        await fresh.waitForArrivals()
        dying.open()
        await #expect(throws: ImageError.cancelled) { try await first.response }
        fresh.open()
        let image = try await second.response.image
        #expect(image.bitmap.withRow(0) { $0.byte(at: 0) } == 255)
        #expect(fixture.loader.requests.count == 2)
    }

    @Test func theAwaitingTaskMayBeCancelledInstead() async throws {
        let fixture = PipelineFixture()
        let gate = Gate()
        let request = try fixture.request(.gate(gate), .chunk(SolidImage.file()))
        let waiting = Task { try await fixture.pipeline.image(for: request) }
        await gate.waitForArrivals()
        waiting.cancel()
        await #expect(throws: ImageError.cancelled) { try await waiting.value }
        await fixture.pipeline.waitUntilIdle()
        #expect(fixture.loader.runningCount == 0)
    }

    @Test func aTaskThatIsCancelledTwiceEndsOnce() async throws {
        let fixture = PipelineFixture()
        let gate = Gate()
        let task = fixture.pipeline.task(for: try fixture.request(.gate(gate), .chunk(SolidImage.file())))
        let events = task.events
        await gate.waitForArrivals()
        task.cancel()
        task.cancel()
        let ends = await events.collect().filter { if case .finished = $0 { true } else { false } }
        #expect(ends.count == 1)
        await fixture.pipeline.waitUntilIdle()
    }

    @Test func aTransferThatWaitsForItsTurnIsNeverBegunWhenEverybodyLeaves() async throws {
        let fixture = PipelineFixture { $0.maximumTransferCount = 1 }
        let gate = Gate()
        fixture.loader.setScript([.gate(gate), .chunk(SolidImage.file())], for: "http://host.test/1")
        fixture.loader.setScript([.chunk(SolidImage.file())], for: "http://host.test/2")
        let running = fixture.pipeline.task(for: ImageRequest(try ImageSource("http://host.test/1")))
        await gate.waitForArrivals()
        let waiting = fixture.pipeline.task(for: ImageRequest(try ImageSource("http://host.test/2")))
        waiting.cancel()
        gate.open()
        _ = try await running.response
        await fixture.pipeline.waitUntilIdle()
        #expect(fixture.loader.requests.map(\.url.absoluteString) == ["http://host.test/1"])
    }

    /// It may end whenever it likes: nothing of it is seen by whoever has asked since.
    @Test(arguments: 0..<200)
    func askingAgainNeverJoinsTheTransferThatIsLeft(_: Int) async throws {
        let fixture = PipelineFixture()
        let dying = Gate()
        let request = try fixture.request(.stubbornGate(dying), .chunk(SolidImage.file(.black)))
        let first = fixture.pipeline.task(for: request)
        await dying.waitForArrivals()
        _ = try fixture.request(.chunk(SolidImage.file(.white)))
        first.cancel()
        let second = fixture.pipeline.task(for: request)
        dying.open()
        let image = try await second.response.image
        #expect(image.bitmap.withRow(0) { $0.byte(at: 0) } == 255)
        await fixture.pipeline.waitUntilIdle()
    }

    /// The job that is left may be in the middle of a preview, deaf to everything.
    @Test func aTransferIsLeftInTheCallThatCancels() async throws {
        let editing = DispatchSemaphore(value: 0)
        let isEditing = Lock(false)
        let slow = RecordingProcessor {
            isEditing.withLock { $0 = true }
            editing.wait()
        }
        let fixture = PipelineFixture()
        let (dying, black) = (Gate(), SolidImage.file(.black, byteCount: 200))
        let request = try fixture.request(
            .chunk(Array(black[..<100])), .stubbornGate(dying), .chunk(Array(black[100...])), processors: [slow])
        let first = fixture.pipeline.task(for: request)
        #expect(await eventually { isEditing.withLock { $0 } })
        first.cancel()
        let plain = try fixture.request(.chunk(SolidImage.file(.white)))
        let second = fixture.pipeline.task(for: plain)
        #expect(await eventually { fixture.loader.requests.count == 2 })
        dying.open()
        editing.signal()
        #expect(try await second.response.image.bitmap.withRow(0) { $0.byte(at: 0) } == 255)
        await fixture.pipeline.waitUntilIdle()
    }

    @Test func whatComesLateIsNotKept() async throws {
        let fixture = PipelineFixture()
        let dying = Gate()
        let request = try fixture.request(.stubbornGate(dying), .chunk(SolidImage.file(.black)))
        let first = fixture.pipeline.task(for: request)
        await dying.waitForArrivals()
        first.cancel()
        _ = try await fixture.pipeline.image(for: try fixture.request(.chunk(SolidImage.file(.white))))
        dying.open()
        await fixture.pipeline.waitUntilIdle()
        fixture.images.removeAll()
        let third = try await fixture.pipeline.response(for: request)
        #expect(third.origin == .disk)
        #expect(third.image.bitmap.withRow(0) { $0.byte(at: 0) } == 255)
    }
}
