import BowerbirdCore
import BowerbirdTestSupport
import Testing

@testable import BowerbirdLoading

@Suite(.timeLimit(.minutes(5)))
struct `The header of a picture` {
    private let fixture = PipelineFixture()
    private var pipeline: ImagePipeline { fixture.pipeline }
    private let file = SolidImage.file(width: 7, height: 5, byteCount: 5000)
    private let size = PixelSize(width: 7, height: 5)

    @Test func comesFromTheFirstBytesAndTheTransferEnds() async throws {
        let gate = Gate()
        let request = try fixture.request(.chunk(Array(file[..<100])), .gate(gate), .chunk(Array(file[100...])))
        #expect(try await pipeline.header(for: request).size == size)
        await pipeline.waitUntilIdle()
        #expect(fixture.loader.cancelledCount == 1)
        #expect(fixture.decoder.decodeCount == 0)
        #expect(fixture.data.keys.isEmpty)
        #expect(!pipeline.isRunning)
    }

    @Test func waitsForAsManyBytesAsItTakes() async throws {
        let request = try fixture.request(
            .chunk(Array(file[..<6])), .chunk(Array(file[6..<60])), .chunk(Array(file[60...])))
        #expect(try await pipeline.header(for: request).size == size)
    }

    @Test func leavesTheTransferToWhoeverWantsThePicture() async throws {
        let gate = Gate()
        let request = try fixture.request(.chunk(Array(file[..<100])), .gate(gate), .chunk(Array(file[100...])))
        let task = pipeline.task(for: request)
        await gate.waitForArrivals()
        #expect(try await pipeline.header(for: request).size == size)
        gate.open()
        #expect(try await task.response.image.size == size)
        #expect(fixture.loader.requests.count == 1)
        #expect(fixture.loader.cancelledCount == 0)
    }

    @Test func isReadFromTheCaches() async throws {
        let request = try fixture.request(.chunk(file))
        _ = try await pipeline.image(for: request)
        #expect(try await pipeline.header(for: request).size == size)
        fixture.images.removeAll()
        #expect(try await pipeline.header(for: request).size == size)
        #expect(fixture.loader.requests.count == 1)
        #expect(fixture.decoder.decodeCount == 1)
    }

    @Test func isThatOfTheAlternativeWhereTheSourceFails() async throws {
        var request = try fixture.request(.failure(.status(404)))
        fixture.loader.setScript([.chunk(file)], for: "http://host.test/other")
        request.alternatives = [try ImageSource("http://host.test/other")]
        #expect(try await pipeline.header(for: request).size == size)
    }

    @Test func isAnErrorWhereTheWholeFileDoesNotSayIt() async throws {
        let request = try fixture.request(
            .chunk(Array("this is no picture, but it is longer than sixty-four bytes are".utf8)))
        let error = await #expect(throws: ImageError.self) { try await pipeline.header(for: request) }
        #expect(error?.isFaultOfFile == true)
    }

    @Test func isNotWaitedForByATaskThatIsCancelled() async throws {
        let gate = Gate()
        let request = try fixture.request(.gate(gate), .chunk(file))
        let task = Task { try await pipeline.header(for: request) }
        await gate.waitForArrivals()
        task.cancel()
        await #expect(throws: ImageError.cancelled) { try await task.value }
        await pipeline.waitUntilIdle()
        #expect(fixture.loader.cancelledCount == 1)
    }
}
