import BowerbirdCore
import BowerbirdTestSupport
import Testing

@testable import BowerbirdLoading

@Suite(.timeLimit(.minutes(5)))
struct `Previews` {
    @Test func passThroughTheProcessorsAndAreNeverStored() async throws {
        let fixture = PipelineFixture()
        let gate = Gate()
        let file = SolidImage.file(byteCount: 300)
        let processor = RecordingProcessor()
        let request = try fixture.request(
            .chunk(Array(file[..<100])), .gate(gate), .chunk(Array(file[100...])), processors: [processor])
        let task = fixture.pipeline.task(for: request)
        for await event in task.events {
            guard case .preview(let preview) = event else { continue }
            #expect(preview.isPreview)
            #expect(fixture.images.all.isEmpty)
            gate.open()
        }
        let response = try await task.response
        #expect(!response.image.isPreview)
        #expect(response.timings.firstPreview != nil)
        #expect(processor.pictures.last == false)
        #expect(processor.pictures.contains(true))
        #expect(fixture.images.all.map(\.isPreview) == [false])
    }

    @Test func theNewestOneWinsWhereTheReaderIsSlow() async throws {
        let fixture = PipelineFixture()
        let gate = Gate()
        let file = SolidImage.file(byteCount: 400)
        let request = try fixture.request(
            .chunk(Array(file[..<100])), .chunk(Array(file[100..<200])), .chunk(Array(file[200..<300])), .gate(gate),
            .chunk(Array(file[300...])))
        let task = fixture.pipeline.task(for: request)
        await gate.waitForArrivals()
        gate.open()
        _ = try await task.response
        let late = await task.events.collect()
        #expect(late.count <= 3)
    }

    @Test func areNotMadeForThoseWhoDoNotWantThem() async throws {
        let fixture = PipelineFixture()
        let gate = Gate(isOpen: true)
        let file = SolidImage.file(byteCount: 300)
        let processor = RecordingProcessor()
        var request = try fixture.request(
            .chunk(Array(file[..<100])), .gate(gate), .chunk(Array(file[100...])), processors: [processor])
        request.options.previews = .off
        let task = fixture.pipeline.task(for: request)
        #expect(try await task.response.timings.firstPreview == nil)
        #expect(processor.pictures == [false])
    }

    /// Final pictures go first.
    @Test func areLeftOutWhereAllPlacesForDecodingAreTaken() async throws {
        let fixture = PipelineFixture { $0.maximumDecodeCount = 1 }
        let slots = fixture.pipeline.decodeSlots
        let place = slots.takeTicket()
        #expect(slots.enterAtOnce(place))
        let gate = Gate()
        let file = SolidImage.file(byteCount: 200)
        let request = try fixture.request(.chunk(Array(file[..<100])), .gate(gate), .chunk(Array(file[100...])))
        let task = fixture.pipeline.task(for: request)
        for await event in task.events { if case .progress = event { break } }
        gate.open()
        #expect(await eventually { slots.waitingCount == 1 })
        slots.leave(place)
        #expect(try await task.response.timings.firstPreview == nil)
    }
}
