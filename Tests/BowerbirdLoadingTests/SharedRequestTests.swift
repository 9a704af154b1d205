import BowerbirdCore
import BowerbirdLoading
import BowerbirdTestSupport
import Testing

@Suite(.timeLimit(.minutes(5)))
struct `Equal requests that overlap` {
    @Test func areOneTransferAndOneDecodingAndShareOneBitmap() async throws {
        let fixture = PipelineFixture()
        let gate = Gate()
        let request = try fixture.request(.gate(gate), .chunk(SolidImage.file()))
        let tasks = (0..<100).map { _ in fixture.pipeline.task(for: request) }
        await gate.waitForArrivals()
        gate.open()
        var bitmaps: [Bitmap] = []
        for task in tasks { bitmaps.append(try await task.response.image.bitmap) }
        #expect(fixture.loader.requests.count == 1)
        #expect(fixture.decoder.decodeCount == 1)
        #expect(bitmaps.allSatisfy { $0.isIdentical(to: bitmaps[0]) })
    }

    @Test func withDifferentEditsShareTheTransferAndTheDecoding() async throws {
        let fixture = PipelineFixture()
        let gate = Gate()
        let plain = try fixture.request(.gate(gate), .chunk(SolidImage.file()))
        var edited = plain
        edited.processors = [RecordingProcessor("edit")]
        let tasks = [fixture.pipeline.task(for: plain), fixture.pipeline.task(for: edited)]
        await gate.waitForArrivals()
        gate.open()
        for task in tasks { _ = try await task.response }
        #expect(fixture.loader.requests.count == 1)
        #expect(fixture.decoder.decodeCount == 1)
    }

    @Test func withOtherCredentialsAreNotJoined() async throws {
        let fixture = PipelineFixture()
        let gate = Gate()
        let mine = try fixture.request(.gate(gate), .chunk(SolidImage.file()))
        var yours = mine
        yours.headers = ["Authorization": "Bearer yours"]
        let tasks = [fixture.pipeline.task(for: mine), fixture.pipeline.task(for: yours)]
        await gate.waitForArrivals(2)
        gate.open()
        for task in tasks { _ = try await task.response }
        #expect(fixture.loader.requests.map { $0.headers["Authorization"] ?? "" }.sorted() == ["", "Bearer yours"])
    }

    @Test func aLateJoinerSeesTheNewestProgressAtOnce() async throws {
        let fixture = PipelineFixture()
        let gate = Gate()
        let file = SolidImage.file(byteCount: 200)
        let request = try fixture.request(.chunk(Array(file[..<120])), .gate(gate), .chunk(Array(file[120...])))
        let first = fixture.pipeline.task(for: request)
        await gate.waitForArrivals()
        for await event in first.events { if case .preview = event { break } }
        var joiner = fixture.pipeline.task(for: request).events.makeAsyncIterator()
        guard case .progress(let progress)? = await joiner.next() else {
            Issue.record("the joiner should have heard of the progress first")
            return
        }
        #expect(progress == TransferProgress(received: 120, total: 200))
        gate.open()
        _ = try await first.response
    }
}
