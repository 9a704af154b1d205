import BowerbirdCore
import BowerbirdTestSupport
import Testing

@testable import BowerbirdLoading

/// Every story of a task up to five events, told to its state as a value.
@Suite
struct `An image task` {
    private enum Event: CaseIterable {
        case listen, attach, progress, older, succeed, cancel
    }

    @Test func endsOnceTellsEverybodyAndGivesUpItsPlaceOnce() throws {
        let picture = try Self.picture()
        var stories: [[Event]] = [[]]
        for _ in 0..<5 { stories = stories.flatMap { story in Event.allCases.map { story + [$0] } } }
        for story in stories { #expect(Self.faults(of: story, picture) == [], "\(story)") }
    }

    @Test func whoAsksBetweenTheEndAndItsPublishingIsToldWithTheOthers() throws {
        var state = ImageTask.State(start: .now, priority: WorkPriority())
        let end = state.end(with: .failure(.cancelled), 1, at: .now)
        let known = state.subscribe(ImageTask.Listener()).outcome
        #expect(known == nil)
        let told = state.publish(try #require(end).outcome)
        #expect(told.count == 1)
        let later = state.subscribe(ImageTask.Listener()).outcome
        #expect(later != nil)
    }

    private static func picture() throws -> ProducedImage {
        let bitmap = try PixelBuffer.make(1, 1).freeze()
        let header = ImageHeader(format: SolidImage.format, storedSize: bitmap.size)
        return ProducedImage(image: DecodedImage(bitmap: bitmap, header: header), origin: .network)
    }

    private static func faults(of story: [Event], _ picture: ProducedImage) -> [String] {
        let now = ContinuousClock.now
        let places = Lock(0)
        var state = ImageTask.State(start: now, priority: WorkPriority())
        var (listenerCount, attachedCount, endCount) = (0, 0, 0)
        var told = 0
        var faults: [String] = []
        func end(_ result: Result<ProducedImage, ImageError>) {
            guard let ending = state.end(with: result, 1, at: now) else { return }
            endCount += 1
            told += state.publish(ending.outcome).count
            ending.membership?.leave()
        }
        for event in story {
            switch event {
            case .listen:
                listenerCount += 1
                if state.subscribe(ImageTask.Listener()).outcome != nil { told += 1 }
            case .attach where attachedCount == 0:
                attachedCount += 1
                let place = Membership { wish in if case .leave = wish { places.withLock { $0 += 1 } } }
                if !state.attach(place) { place.leave() }
            case .progress, .older:
                let update = ImageUpdate(progress: TransferProgress(received: 1, total: nil))
                let listeners =
                    event == .older ? state.receive(older: update, at: now) : state.receive(update, at: now)
                if endCount > 0, !listeners.isEmpty { faults.append("news after the end") }
            case .succeed: end(.success(picture))
            case .cancel: end(.failure(.cancelled))
            case .attach: continue
            }
        }
        let hasEnd = story.contains(.succeed) || story.contains(.cancel)
        if endCount != (hasEnd ? 1 : 0) { faults.append("\(endCount) ends") }
        if told != (hasEnd ? listenerCount : 0) { faults.append("\(told) of \(listenerCount) were told") }
        if places.withLock({ $0 }) != (hasEnd ? attachedCount : 0) { faults.append("its place was not given up once") }
        return faults
    }

    @Test(.timeLimit(.minutes(5)))
    func isHeardByAllWhoIterateItsEvents() async throws {
        let fixture = PipelineFixture()
        let gate = Gate()
        let task = fixture.pipeline.task(for: try fixture.request(.gate(gate), .chunk(SolidImage.file())))
        let events = task.events
        let listeners = (0..<5).map { _ in Task { await events.collect() } }
        await gate.waitForArrivals()
        gate.open()
        for listener in listeners {
            guard case .finished(.success)? = await listener.value.last else { Issue.record("it heard no end"); return }
        }
    }
}
