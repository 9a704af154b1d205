import BowerbirdCore
import BowerbirdTestSupport
import FoundationEssentials
import Testing

@testable import BowerbirdLoading

/// Random stories of a whole pipeline: asking, joining, leaving, asking again, failing and ending in any order, on real
/// threads. The argument of a test that fails is the seed of its story.
@Suite(.timeLimit(.minutes(2)))
struct `Whatever is done to a pipeline` {
    @Test(arguments: UInt64(0)..<500)
    func everyTaskEndsOnceWithItsOwnPictureAndNothingIsLeft(seed: UInt64) async throws {
        var random = SeededRandom(seed: seed)
        let story = try Story(random: &random)
        for _ in 0..<25 { try await story.goOn(&random) }
        await story.end()
        #expect(story.faults == [], "seed \(seed)")
    }

    @Test func threeHundredPipelinesThatAreDroppedInMidFlightLeaveNothing() async throws {
        let gate = Gate()
        let loaders = try (0..<300).map { index in try Self.startAndDrop(gate, leaves: index.isMultiple(of: 2)) }
        await gate.waitForArrivals(150)
        gate.open()
        for (pipeline, loader) in loaders {
            #expect(await eventually { pipeline.value == nil && loader.runningCount == 0 })
        }
    }

    /// A pipeline that loads, and that nobody holds.
    private static func startAndDrop(_ gate: Gate, leaves: Bool) throws -> (WeakPipeline, ScriptedLoader) {
        let fixture = PipelineFixture()
        let request = try fixture.request(.gate(gate), .chunk(SolidImage.file()))
        let task = fixture.pipeline.task(for: request)
        if leaves { task.cancel() }
        return (WeakPipeline(value: fixture.pipeline), fixture.loader)
    }

    private struct WeakPipeline {
        weak var value: ImagePipeline?
    }
}

private final class Story {
    private let fixture: PipelineFixture
    private var gates: [Gate] = []
    private var tasks: [(task: ImageTask, color: Color, listener: Task<[ImageEvent], Never>)] = []
    private var cancelled: Set<ObjectIdentifier> = []
    private var waiters: [(waiter: Task<DecodedImage, any Error>, color: Color, isCancelled: Bool)] = []
    private(set) var faults: [String] = []

    private static let colors = [
        Color(red: 1, green: 2, blue: 3), Color(red: 4, green: 5, blue: 6), Color(red: 7, green: 8, blue: 9),
    ]

    init(random: inout SeededRandom) throws {
        let limits = (Int.random(in: 1...3, using: &random), Int.random(in: 1...2, using: &random))
        fixture = PipelineFixture {
            $0.maximumTransferCount = limits.0
            $0.maximumDecodeCount = limits.1
        }
        for index in Self.colors.indices { setScript(index, &random) }
    }

    func goOn(_ random: inout SeededRandom) async throws {
        let index = Int.random(in: 0..<Self.colors.count, using: &random)
        switch Int.random(in: 0..<12, using: &random) {
        case 0, 1, 2: ask(try request(index, &random), Self.colors[index])
        case 3: wait(for: try request(index, &random), Self.colors[index])
        case 4, 5: tasks.indices.randomElement(using: &random).map { cancel($0) }
        case 6: waiters.indices.randomElement(using: &random).map { cancelWaiter($0) }
        case 7, 8: gates.randomElement(using: &random)?.open()
        case 9: setScript(index, &random)
        case 10: fixture.images.removeAll()
        default: await fixture.data.removeAll()
        }
        for _ in 0..<Int.random(in: 0..<4, using: &random) { await Task.yield() }
    }

    /// Opens every gate, waits for everything, and looks at what has come.
    func end() async {
        for gate in gates { gate.open() }
        for entry in tasks { check(await entry.listener.value, of: entry.task, entry.color) }
        for entry in waiters { check(await entry.waiter.result, entry.color, wasCancelled: entry.isCancelled) }
        await fixture.pipeline.waitUntilIdle()
        if fixture.loader.runningCount != 0 { faults.append("\(fixture.loader.runningCount) answers are under way") }
        for queue in [fixture.pipeline.transferSlots, fixture.pipeline.decodeSlots] where queue.waitingCount > 0 {
            faults.append("\(queue.waitingCount) wait for ever")
        }
        for queue in [fixture.pipeline.transferSlots, fixture.pipeline.decodeSlots] where queue.runningCount > 0 {
            faults.append("\(queue.runningCount) places were not given back")
        }
    }

    private func setScript(_ index: Int, _ random: inout SeededRandom) {
        let file = SolidImage.file(Self.colors[index], byteCount: 200)
        let gate = Gate()
        gates.append(gate)
        let wait: ScriptedLoader.Step = Bool.random(using: &random) ? .gate(gate) : .stubbornGate(gate)
        let scripts: [[ScriptedLoader.Step]] = [
            [.chunk(file)], [wait, .chunk(file)], [.chunk(Array(file[..<90])), wait, .chunk(Array(file[90...]))],
            [wait, .failure(.status(500))], [.chunk(Array(file[..<90])), wait, .failure(.connectionLost("cut"))],
            [.chunk(Array(file[..<90])), .chunk(Array(file[90..<150])), .chunk(Array(file[150...]))],
            [wait, .chunk(Array("no picture at all".utf8))],
        ]
        fixture.loader.setScript(scripts.randomElement(using: &random) ?? [], for: "http://host.test/\(index)")
    }

    private func request(_ index: Int, _ random: inout SeededRandom) throws -> ImageRequest {
        var request = ImageRequest(try ImageSource("http://host.test/\(index)"))
        if Int.random(in: 0..<3, using: &random) == 0 { request.processors = [RecordingProcessor("edit")] }
        if Int.random(in: 0..<3, using: &random) == 0 { request.targetSize = PixelSize(width: 2, height: 2) }
        request.wantsPreviews = Bool.random(using: &random)
        return request
    }

    private func ask(_ request: ImageRequest, _ color: Color) {
        let task = fixture.pipeline.task(for: request)
        tasks.append((task, color, Task { await task.events.collect() }))
    }

    private func wait(for request: ImageRequest, _ color: Color) {
        let pipeline = fixture.pipeline
        waiters.append((Task { try await pipeline.image(for: request) }, color, false))
    }

    private func cancel(_ index: Int) {
        cancelled.insert(ObjectIdentifier(tasks[index].task))
        tasks[index].task.cancel()
    }

    private func cancelWaiter(_ index: Int) {
        waiters[index].isCancelled = true
        waiters[index].waiter.cancel()
    }

    private func check(_ events: [ImageEvent], of task: ImageTask, _ color: Color) {
        var received = 0
        var ends: [Result<ImageResponse, ImageError>] = []
        for event in events {
            if !ends.isEmpty { faults.append("news after the end") }
            switch event {
            case .progress(let progress):
                if progress.received < received { faults.append("progress went back to \(progress.received)") }
                received = progress.received
            case .preview(let image): check(image, color)
            case .finished(let outcome): ends.append(outcome)
            }
        }
        if ends.count != 1 { faults.append("\(ends.count) ends") }
        let wasCancelled = cancelled.contains(ObjectIdentifier(task))
        for end in ends { check(end.map(\.image).mapError { $0 }, color, wasCancelled: wasCancelled) }
    }

    private func check(_ result: Result<DecodedImage, some Error>, _ color: Color, wasCancelled: Bool) {
        switch result {
        case .success(let image):
            check(image, color)
            if image.isPreview { faults.append("a preview came as the final picture") }
        case .failure(let error):
            if error as? ImageError == .cancelled, !wasCancelled { faults.append("it was cancelled by nobody") }
        }
    }

    private func check(_ image: DecodedImage, _ color: Color) {
        let pixel = image.bitmap.withRow(0) { row in (0..<3).map { row.byte(at: $0) ?? 0 } }
        if pixel != [color.blue, color.green, color.red] { faults.append("\(pixel) is the picture of another") }
    }
}
