import BowerbirdCore
import BowerbirdTestSupport
import FoundationEssentials

@testable import BowerbirdLoading

/// A random story of a whole pipeline: asking, joining, leaving, asking again, changing priorities, failing and ending
/// in any order. On real threads, or with an executor on one thread in an order that its seed decides.
final class PipelineStory {
    private let fixture: PipelineFixture
    private let executor: SeededExecutor?
    private var gates: [Gate] = []
    private var tasks: [(task: ImageTask, color: Color, listener: Task<[ImageEvent], Never>)] = []
    private var cancelled: Set<ObjectIdentifier> = []
    private var waiters: [(waiter: Task<DecodedImage, any Error>, color: Color, isCancelled: Bool)] = []
    private let ends = EndCount()
    private(set) var faults: [String] = []

    private static let colors = [
        Color(red: 1, green: 2, blue: 3), Color(red: 4, green: 5, blue: 6), Color(red: 7, green: 8, blue: 9),
    ]

    init(random: inout SeededRandom, executor: SeededExecutor? = nil) throws {
        self.executor = executor
        let limits = (Int.random(in: 1...3, using: &random), Int.random(in: 1...2, using: &random))
        fixture = PipelineFixture(executor: executor) {
            $0.maximumTransferCount = limits.0
            $0.maximumDecodeCount = limits.1
            $0.maximumDiskReadCount = limits.1
            $0.codecs.add(SolidEncoder())
            $0.memoryBudget = MemoryBudget(byteLimit: 60)
            $0.failurePolicy = .off
        }
        for index in Self.colors.indices { setScript(index, &random) }
    }

    func goOn(_ random: inout SeededRandom) async throws {
        let index = Int.random(in: 0..<Self.colors.count, using: &random)
        switch Int.random(in: 0..<18, using: &random) {
        case 0, 1, 2: ask(try request(index, &random), Self.colors[index], &random)
        case 3: wait(for: try request(index, &random), Self.colors[index])
        case 4, 5: tasks.indices.randomElement(using: &random).map { cancel($0) }
        case 6: waiters.indices.randomElement(using: &random).map { cancelWaiter($0) }
        case 7, 8: gates.randomElement(using: &random)?.open()
        case 9: setScript(index, &random)
        case 10: fixture.images.removeAll()
        case 11: await fixture.data.removeAll()
        case 12: fixture.pipeline.maximumTransferCount = Int.random(in: 1...4, using: &random)
        case 13: await fixture.pipeline.remove(for: try request(index, &random))
        case 14, 15: await damageAnEntry(&random)
        default: tasks.randomElement(using: &random)?.task.priority = Self.priority(&random)
        }
        for _ in 0..<Int.random(in: 0..<4, using: &random) { await step() }
    }

    private func damageAnEntry(_ random: inout SeededRandom) async {
        let keys = fixture.data.keys.sorted { $0.text < $1.text }
        guard let key = keys.randomElement(using: &random), var entry = await fixture.data.entry(for: key),
            let damage = EncodedImage(Array("SOLID".utf8))
        else { return }
        entry.data = damage
        await fixture.data.store(entry, for: key)
    }

    private func step() async {
        if let executor { executor.runOne() } else { await Task.yield() }
    }

    /// Opens every gate, waits for everything, and looks at what has come.
    func end() async {
        for gate in gates { gate.open() }
        if let executor { runToTheEnd(executor) }
        for entry in tasks { check(await entry.listener.value, of: entry.task, entry.color) }
        for entry in waiters { check(await entry.waiter.result, entry.color, wasCancelled: entry.isCancelled) }
        await fixture.pipeline.waitUntilIdle()
        if fixture.loader.runningCount != 0 { faults.append("\(fixture.loader.runningCount) answers are under way") }
        if fixture.pipeline.pendingStores.count > 0 { faults.append("pictures are still to be stored") }
        let pipeline = fixture.pipeline
        for queue in [pipeline.transferSlots, pipeline.decodeSlots, pipeline.readSlots] {
            if queue.waitingCount > 0 { faults.append("\(queue.waitingCount) wait for ever") }
            if queue.runningCount > 0 { faults.append("\(queue.runningCount) places were not given back") }
        }
        let bytes = fixture.pipeline.configuration.memoryBudget.bytesInFlight
        if bytes != 0 { faults.append("\(bytes) bytes of pixels were not given back") }
    }

    /// What has not ended when nothing can be done any more never will. It is cancelled, so that the test can go on.
    private func runToTheEnd(_ executor: SeededExecutor) {
        executor.runUntilIdle()
        let missing = tasks.count + waiters.count - ends.count
        guard missing > 0 else { return }
        faults.append("\(missing) never end")
        fixture.pipeline.cancelAll()
        executor.runUntilIdle()
        for entry in tasks { entry.listener.cancel() }
        for entry in waiters { entry.waiter.cancel() }
        executor.runUntilIdle()
    }

    /// What every listener has heard, as text: equal for equal runs.
    func record() async -> [String] {
        var lines: [String] = []
        for entry in tasks {
            lines += await entry.listener.value.map { "\(entry.task.id) \($0.summary)" }
        }
        return lines
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
        let script = scripts.randomElement(using: &random) ?? []
        let isTagged = Bool.random(using: &random)
        fixture.loader.setAnswer(for: Self.address(index)) { request in
            if isTagged, request.headers["If-None-Match"] == "\"\(index)\"" { return .init(status: 304) }
            return .init(headers: isTagged ? ["etag": "\"\(index)\"", "accept-ranges": "bytes"] : [:], script)
        }
    }

    private static func address(_ index: Int) -> String { "http://host.test/\(index)" }

    private func request(_ index: Int, _ random: inout SeededRandom) throws -> ImageRequest {
        var request = ImageRequest(try ImageSource(Self.address(index)))
        if Int.random(in: 0..<3, using: &random) == 0 { request.processors = [RecordingProcessor("edit")] }
        if Int.random(in: 0..<4, using: &random) == 0 { request.processors.append(RecordingProcessor("more")) }
        if Int.random(in: 0..<3, using: &random) == 0 { request.targetSize = PixelSize(width: 2, height: 2) }
        request.options.previews = Bool.random(using: &random) ? .whileLoading : .off
        let policies: [CachePolicy] = [.cacheFirst, .cacheFirst, .reload, .cacheOnly, .networkOnly, .refreshCached]
        request.options.cachePolicy = policies.randomElement(using: &random)
        let contents: [DiskContent] = [.original, .original, .processed(.automatic), .both(SolidImage.format)]
        request.options.diskContent = contents.randomElement(using: &random)
        request.options.freshness = [.keep, .http].randomElement(using: &random)
        request.options.priority = Self.priority(&random)
        return request
    }

    private static func priority(_ random: inout SeededRandom) -> RequestPriority {
        RequestPriority.allCases.randomElement(using: &random) ?? .normal
    }

    private func ask(_ request: ImageRequest, _ color: Color, _ random: inout SeededRandom) {
        let lane: WorkPriority.Lane = Int.random(in: 0..<4, using: &random) == 0 ? .prefetch : .ordinary
        let task = fixture.pipeline.task(for: request, in: lane)
        let listener = Task(executorPreference: executor) { [ends] in
            let events = await task.events.collect()
            ends.note()
            return events
        }
        tasks.append((task, color, listener))
    }

    private func wait(for request: ImageRequest, _ color: Color) {
        let pipeline = fixture.pipeline
        let waiter = Task(executorPreference: executor) { [ends] in
            defer { ends.note() }
            return try await pipeline.image(for: request)
        }
        waiters.append((waiter, color, false))
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
            case .preview(let image), .cached(let image): check(image, color)
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

private final class EndCount: Sendable {
    private let state = Lock(0)

    var count: Int { state.withLock { $0 } }
    func note() { state.withLock { $0 += 1 } }
}

extension ImageEvent {
    fileprivate var summary: String {
        switch self {
        case .progress(let progress): "progress \(progress.received)"
        case .preview: "preview"
        case .cached: "cached"
        case .finished(.success(let response)): "picture from \(response.origin)"
        case .finished(.failure(let error)): "\(error)"
        }
    }
}
