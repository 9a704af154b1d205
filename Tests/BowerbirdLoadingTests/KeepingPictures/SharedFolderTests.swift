import BowerbirdCore
import BowerbirdTestSupport
import Testing

@testable import BowerbirdLoading

/// Two pipelines, each with a cache of its own on one folder: as two processes are.
@Suite(.timeLimit(.minutes(5)))
struct `Pipelines that share a folder` {
    private let folder: TemporaryDirectory
    private let first, second: PipelineFixture

    init() throws {
        let folder = try TemporaryDirectory()
        self.folder = folder
        first = PipelineFixture { $0.dataCache = DiskCache(folder: folder.path) }
        second = PipelineFixture { $0.dataCache = DiskCache(folder: folder.path) }
    }

    @Test func loadAPictureOnce() async throws {
        let gate = Gate()
        let request = try first.request(.gate(gate), .chunk(SolidImage.file()))
        let loading = first.pipeline.task(for: request)
        await gate.waitForArrivals()
        let waiting = second.pipeline.task(for: request)
        gate.open()
        #expect(try await loading.response.origin == .network)
        #expect(try await waiting.response.origin == .disk)
        #expect(second.loader.requests.isEmpty)
    }

    @Test func loadItWhereTheOtherFailed() async throws {
        let gate = Gate()
        let request = try first.request(.gate(gate), .failure(.status(404)))
        _ = try second.request(.chunk(SolidImage.file()))
        let failing = first.pipeline.task(for: request)
        await gate.waitForArrivals()
        let waiting = second.pipeline.task(for: request)
        gate.open()
        await #expect(throws: ImageError.self) { try await failing.response }
        #expect(try await waiting.response.origin == .network)
    }

    @Test func doNotWaitForEachOtherWhereNothingIsKept() async throws {
        let gate = Gate()
        var request = try first.request(.gate(gate), .chunk(SolidImage.file()))
        _ = try second.request(.chunk(SolidImage.file()))
        let loading = first.pipeline.task(for: request)
        await gate.waitForArrivals()
        request.options.cachePolicy = .networkOnly
        #expect(try await second.pipeline.response(for: request).origin == .network)
        gate.open()
        _ = try await loading.response
    }
}
