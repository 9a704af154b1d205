import Bowerbird
import BowerbirdTestSupport
import Testing

@Suite(.timeLimit(.minutes(5)))
struct `A chain of processors in a request` {
    private let fixture = PipelineFixture()
    private let first = RecordingProcessor("first")
    private let second = RecordingProcessor("second")
    private let third = RecordingProcessor("third")

    private func load(_ processors: [any ImageProcessor]) async throws {
        _ = try await fixture.pipeline.image(
            for: try fixture.request(.chunk(SolidImage.file()), processors: processors))
    }

    @Test func isThePictureOfItsProcessors() async throws {
        try await load([Chain([first, second])])
        try await load([first, second])
        #expect(first.pictures.count == 1)
        #expect(fixture.decoder.decodeCount == 1)
    }

    @Test func withoutProcessorsIsThePlainPicture() async throws {
        try await load([Chain([])])
        try await load([])
        #expect(fixture.decoder.decodeCount == 1)
    }

    @Test func sharesWhatItBeginsWithWithAnother() async throws {
        let (gate, file) = (Gate(), SolidImage.file())
        let request = try fixture.request(
            .chunk(Array(file[..<4])), .gate(gate), .chunk(Array(file[4...])), processors: [Chain([first, second])])
        var other = request
        other.processors = [Chain([first, third])]
        let tasks = [request, other].map { fixture.pipeline.task(for: $0) }
        // Whoever hears of progress has joined the work.
        for task in tasks {
            for await event in task.events { if case .progress = event { break } }
        }
        gate.open()
        for task in tasks { _ = try await task.response }
        #expect(first.pictures == [false])
        #expect(second.pictures == [false])
        #expect(third.pictures == [false])
        #expect(fixture.decoder.decodeCount == 1)
    }
}
