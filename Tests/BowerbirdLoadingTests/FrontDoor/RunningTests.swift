import Bowerbird
import BowerbirdCore
import BowerbirdTestSupport
import FoundationEssentials
import Testing

@testable import BowerbirdLoading

@Suite(.timeLimit(.minutes(5)))
struct `A pipeline that runs` {
    private let gate = Gate()

    @Test func saysHowMuchIsUnderWay() async throws {
        let fixture = PipelineFixture()
        let pipeline = fixture.pipeline
        #expect(!pipeline.isRunning)
        let requests = try fixture.requests(3, behind: gate)
        let tasks = [requests[0], requests[0], requests[1]].map { pipeline.task(for: $0) }
        #expect(pipeline.runningCount == 2)
        let bytes = Task { try await pipeline.data(for: requests[2]) }
        #expect(await eventually { pipeline.runningCount == 3 })
        #expect(pipeline.isRunning)
        gate.open()
        for task in tasks { _ = try await task.response }
        _ = try await bytes.value
        #expect(pipeline.runningCount == 0)
        await pipeline.waitUntilIdle()
        #expect(!pipeline.isRunning)
    }

    @Test func endsEveryTaskOnceWhenAllIsCancelled() async throws {
        let fixture = PipelineFixture { $0.maximumTransferCount = 2 }
        var requests = try fixture.requests(10, behind: gate)
        for index in 5..<10 { requests[index].processors = [RecordingProcessor("edit")] }
        let tasks = requests.map { fixture.pipeline.task(for: $0) }
        let listeners = tasks.map { task in Task { await task.events.collect() } }
        let bytes = Task { try await fixture.pipeline.data(for: requests[0]) }
        await gate.waitForArrivals(2)
        #expect(await eventually { fixture.pipeline.runningCount == 16 })
        fixture.pipeline.cancelAll()
        for task in tasks { await #expect(throws: ImageError.cancelled) { try await task.response } }
        for listener in listeners {
            let ends = await listener.value.filter { if case .finished = $0 { true } else { false } }
            #expect(ends.count == 1)
        }
        await #expect(throws: ImageError.cancelled) { try await bytes.value }
        await fixture.pipeline.waitUntilIdle()
        #expect(fixture.loader.requests.count == 2)
        #expect(fixture.loader.cancelledCount == 2)
        #expect(!fixture.pipeline.isRunning)
        #expect(fixture.pipeline.transferSlots.runningCount + fixture.pipeline.transferSlots.waitingCount == 0)
        #expect(fixture.images.all.isEmpty)
    }

    @Test func servesOnAfterAllWasCancelled() async throws {
        let fixture = PipelineFixture()
        let request = try fixture.requests(1, behind: gate)[0]
        let task = fixture.pipeline.task(for: request)
        await gate.waitForArrivals()
        fixture.pipeline.cancelAll()
        await #expect(throws: ImageError.cancelled) { try await task.response }
        gate.open()
        #expect(try await fixture.pipeline.response(for: request).origin == .network)
    }

    @Test func startsWaitingTransfersAtOnceWhenMoreMayRun() async throws {
        let fixture = PipelineFixture { $0.maximumTransferCount = 1 }
        let tasks = try fixture.requests(4, behind: gate).map { fixture.pipeline.task(for: $0) }
        await gate.waitForArrivals()
        #expect(await eventually { fixture.pipeline.transferSlots.waitingCount == 3 })
        fixture.pipeline.maximumTransferCount = 3
        await gate.waitForArrivals(3)
        #expect(fixture.pipeline.maximumTransferCount == 3)
        #expect(fixture.pipeline.transferSlots.waitingCount == 1)
        gate.open()
        for task in tasks { _ = try await task.response }
    }

    @Test func beginsNoTransferWhileItIsSuspended() async throws {
        let fixture = PipelineFixture()
        fixture.pipeline.isSuspended = true
        let task = fixture.pipeline.task(for: try fixture.requests(1)[0])
        #expect(await eventually { fixture.pipeline.transferSlots.waitingCount == 1 })
        #expect(fixture.loader.requests.isEmpty)
        #expect(fixture.pipeline.isSuspended)
        let data = try #require(EncodedImage(SolidImage.file()))
        #expect(try await fixture.pipeline.response(for: ImageRequest(.data(data, name: "mine"))).origin == .local)
        fixture.pipeline.isSuspended = false
        #expect(try await task.response.origin == .network)
    }

    @Test func ordersThoseWhoWaitAnewWhenTheirPriorityChanges() async throws {
        let fixture = PipelineFixture { $0.maximumTransferCount = 1 }
        let tasks = try fixture.requests(5, behind: gate).map { fixture.pipeline.task(for: $0) }
        await gate.waitForArrivals()
        #expect(await eventually { fixture.pipeline.transferSlots.waitingCount == 4 })
        let running = try #require(fixture.asked.first)
        let waiting = (0..<5).filter { $0 != running }
        tasks[waiting[3]].priority = .high
        tasks[waiting[0]].priority = .low
        #expect(tasks[waiting[3]].priority == .high)
        gate.open()
        for task in tasks { _ = try await task.response }
        #expect(fixture.asked == [running, waiting[3], waiting[1], waiting[2], waiting[0]])
    }

    @Test func givesEachTaskAHigherNumberAndItsRequestBack() throws {
        let fixture = PipelineFixture()
        var request = try fixture.request(.chunk(SolidImage.file()))
        request.userInfo["row"] = 7
        let tasks = (0..<3).map { _ in fixture.pipeline.task(for: request) }
        #expect(tasks[0].id < tasks[1].id && tasks[1].id < tasks[2].id)
        #expect(tasks[0].request.userInfo["row"] as? Int == 7)
        for task in tasks { task.cancel() }
    }

    @Test func sharesNothingWithAnother() async throws {
        let fixtures = [PipelineFixture(), PipelineFixture()]
        for fixture in fixtures {
            let request = try fixture.request(.chunk(SolidImage.file()))
            #expect(try await fixture.pipeline.response(for: request).origin == .network)
        }
        let request = try fixtures[0].request(.chunk(SolidImage.file()))
        await fixtures[0].pipeline.removeAll()
        #expect(try await fixtures[1].pipeline.response(for: request).origin == .memory)
        #expect(fixtures.map(\.loader.requests.count) == [1, 1])
    }

    /// The loader must not hold up what the pipeline lets through.
    @Test func withTheStandardPartsHasAsManyTransfersFromOneHostAsItMay() async throws {
        let server = try LocalServer.start()
        defer { server.stop() }
        var configuration = ImagePipeline.Configuration.standard(dataCache: nil)
        configuration.maximumTransferCount = 12
        let pipeline = ImagePipeline(configuration)
        let gates = (0..<12).map { _ in LocalServer.Gate() }
        for (index, gate) in gates.enumerated() {
            server.script("/\(index)", LocalServer.Answer([.gate(gate)] + LocalServer.Answer.ok([1]).steps))
        }
        let tasks = gates.indices.map { pipeline.task(for: ImageRequest(url: server.url("/\($0)"))) }
        for gate in gates { await gate.reached() }
        for gate in gates { gate.open() }
        for task in tasks { await #expect(throws: ImageError.self) { try await task.response } }
    }
}

@Suite(.timeLimit(.minutes(3)))
struct `Ten thousand requests` {
    private static let count = 10_000

    private func expectNothingIsLeft(_ fixture: PipelineFixture) async {
        await fixture.pipeline.waitUntilIdle()
        #expect(!fixture.pipeline.isRunning)
        #expect(fixture.loader.runningCount == 0)
        #expect(fixture.pipeline.transferSlots.runningCount + fixture.pipeline.transferSlots.waitingCount == 0)
        #expect(fixture.pipeline.decodeSlots.runningCount + fixture.pipeline.decodeSlots.waitingCount == 0)
    }

    @Test func areAllAnswered() async throws {
        let fixture = PipelineFixture()
        let tasks = try fixture.requests(Self.count).map { fixture.pipeline.task(for: $0) }
        var answered = 0
        for task in tasks where try await task.response.origin == .network { answered += 1 }
        #expect(answered == Self.count)
        #expect(Set(fixture.asked).count == Self.count)
        #expect(fixture.loader.requests.count == Self.count)
        await expectNothingIsLeft(fixture)
    }

    enum Cancelling: CaseIterable { case together, oneByOne }

    @Test(arguments: Cancelling.allCases)
    func areAllCancelled(_ way: Cancelling) async throws {
        let gate = Gate()
        let fixture = PipelineFixture()
        let tasks = try fixture.requests(Self.count, behind: gate).map { fixture.pipeline.task(for: $0) }
        await gate.waitForArrivals(6)
        switch way {
        case .together: fixture.pipeline.cancelAll()
        case .oneByOne: for task in tasks.reversed() { task.cancel() }
        }
        var cancelled = 0
        for task in tasks {
            if case .finished(.failure(.cancelled)) = task.status { cancelled += 1 }
        }
        #expect(cancelled == Self.count)
        // Of those that are cancelled together, none makes room for another.
        if way == .together { #expect(fixture.loader.requests.count == 6) }
        #expect(fixture.images.all.isEmpty)
        await expectNothingIsLeft(fixture)
    }
}

/// The only tests that touch it.
@Suite(.serialized)
struct `The shared pipeline` {
    @Test func isMadeOnce() async {
        let pipelines = await withTaskGroup(of: ImagePipeline.self) { group in
            for _ in 0..<50 { group.addTask { ImagePipeline.shared } }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(pipelines.allSatisfy { $0 === pipelines[0] })
    }

    @Test func mayBeOnesOwn() async throws {
        let before = ImagePipeline.shared
        defer { ImagePipeline.shared = before }
        let fixture = PipelineFixture()
        ImagePipeline.shared = fixture.pipeline
        #expect(ImagePipeline.shared === fixture.pipeline)
        let request = try fixture.request(.chunk(SolidImage.file()))
        #expect(try await ImagePipeline.shared.response(for: request).origin == .network)
        #expect(ImagePrefetcher(pipeline: .shared).pipeline === fixture.pipeline)
    }

    /// Its parts may end with it, and ask for the new one while they do.
    @Test func letsGoOfTheOneBeforeOutsideItsLock() {
        let before = ImagePipeline.shared
        defer { ImagePipeline.shared = before }
        let asked = Record<Bool>()
        ImagePipeline.shared = PipelineFixture { $0.loader = LastWordLoader { asked.note(true) } }.pipeline
        ImagePipeline.shared = before
        #expect(asked.all == [true])
    }
}

/// Asks for the shared pipeline when it ends.
private final class LastWordLoader: DataLoader {
    private let onEnd: @Sendable () -> Void

    init(onEnd: @escaping @Sendable () -> Void) { self.onEnd = onEnd }

    deinit {
        _ = ImagePipeline.shared
        onEnd()
    }

    func response(for request: DataRequest) async throws(LoadingError) -> DataResponse { throw .cancelled }
}
