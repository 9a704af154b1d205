import BowerbirdCore
import BowerbirdTestSupport
import FoundationEssentials
import Testing

@testable import BowerbirdLoading

@MainActor
@Suite(.timeLimit(.minutes(5)))
struct `Loading with callbacks` {
    private final class Calls {
        var progress: [Int] = []
        var outcomes: [Result<ImageResponse, ImageError>] = []

        func end() async -> Bool { await eventually { !outcomes.isEmpty } }
    }

    private let fixture = PipelineFixture()
    private let calls = Calls()
    private let gate = Gate()

    private func load(_ request: ImageRequest) -> ImageTask {
        fixture.pipeline.loadImage(
            with: request, progress: { [calls] in calls.progress.append($0.received) },
            completion: { [calls] in calls.outcomes.append($0) })
    }

    private var isCancelled: Bool {
        guard case .failure(.cancelled)? = calls.outcomes.first, calls.outcomes.count == 1 else { return false }
        return true
    }

    /// Lets everything run that is waiting for the main actor.
    private func settle() async {
        await fixture.pipeline.waitUntilIdle()
        for _ in 0..<50 { await Task.yield() }
    }

    @Test func tellsProgressAndEndsOnceWithThePicture() async throws {
        let file = SolidImage.file(byteCount: 200)
        let task = load(try fixture.request(.chunk(Array(file[..<100])), .gate(gate), .chunk(Array(file[100...]))))
        await gate.waitForArrivals()
        #expect(await eventually { calls.progress == [100] })
        gate.open()
        #expect(await calls.end())
        await settle()
        #expect(calls.outcomes.count == 1)
        #expect(try calls.outcomes[0].get().byteCount == 200)
        #expect(task.request.source.address == PipelineFixture.address)
    }

    @Test func callsNothingBeforeItReturnsThoughThePictureIsInMemory() async throws {
        let request = try fixture.request(.chunk(SolidImage.file()))
        _ = try await fixture.pipeline.image(for: request)
        _ = load(request)
        #expect(calls.outcomes.isEmpty)
        #expect(await calls.end())
        #expect(try calls.outcomes[0].get().origin == .memory)
    }

    @Test func endsWithWhatWentWrong() async throws {
        _ = load(ImageRequest(try ImageSource("http://host.test/missing")))
        #expect(await calls.end())
        let expected = ImageError.loading(.status(404), address: "http://host.test/missing")
        #expect(throws: expected) { try calls.outcomes[0].get() }
    }

    @Test func endsWithCancelledWhenItIs() async throws {
        let task = load(try fixture.request(.gate(gate), .chunk(SolidImage.file())))
        await gate.waitForArrivals()
        task.cancel()
        task.cancel()
        #expect(calls.outcomes.isEmpty)
        #expect(await calls.end())
        await settle()
        #expect(isCancelled)
    }

    /// Whoever has cancelled, as a cell does that shows another picture now, must not be given this one.
    @Test func endsWithCancelledThoughThePictureIsThere() async throws {
        let file = SolidImage.file(byteCount: 200)
        let request = try fixture.request(.chunk(Array(file[..<100])), .chunk(Array(file[100...])))
        _ = try await fixture.pipeline.image(for: request)
        let task = load(request)
        guard case .finished(.success) = task.status else { Issue.record("it was in memory"); return }
        task.cancel()
        #expect(await calls.end())
        await settle()
        #expect(isCancelled)
        #expect(calls.progress.isEmpty)
    }

    @Test func withoutAnAddressEndsSoon() async {
        let task = fixture.pipeline.loadImage(from: nil) { [calls] in calls.outcomes.append($0) }
        #expect(task == nil)
        #expect(calls.outcomes.isEmpty)
        #expect(await calls.end())
        #expect(throws: ImageError.invalidURL("")) { try calls.outcomes[0].get() }
        #expect(fixture.loader.requests.isEmpty)
    }

    @Test func takesAnAddress() async throws {
        _ = try fixture.request(.chunk(SolidImage.file()))
        let url = URL(string: PipelineFixture.address)
        let task = fixture.pipeline.loadImage(from: url) { [calls] in calls.outcomes.append($0) }
        #expect(task?.request.source.address == PipelineFixture.address)
        #expect(await calls.end())
        #expect(try calls.outcomes[0].get().origin == .network)
    }
}
