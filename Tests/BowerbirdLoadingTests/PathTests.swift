import BowerbirdCore
import BowerbirdLoading
import BowerbirdTestSupport
import FoundationEssentials
import Glibc
import Testing

/// Which thread each stage was seen on.
private final class ThreadLog: Sendable {
    private let threads = Lock<[String: pthread_t]>([:])

    func note(_ stage: String) { threads.withLock { $0[stage] = pthread_self() } }
    subscript(stage: String) -> pthread_t? { threads.withLock { $0[stage] } }
}

@Suite(.timeLimit(.minutes(5)))
struct `The path of a request` {
    @Test func aSecondRequestComesFromMemory() async throws {
        let fixture = PipelineFixture()
        let request = try fixture.request(.chunk(SolidImage.file()))
        let first = try await fixture.pipeline.response(for: request)
        let second = try await fixture.pipeline.response(for: request)
        #expect(first.origin == .network)
        #expect(first.byteCount == 64)
        #expect(second.origin == .memory)
        #expect(second.image.bitmap.isIdentical(to: first.image.bitmap))
        #expect(fixture.pipeline.cachedImage(for: request) != nil)
    }

    @Test func withoutMemoryItComesFromDisk() async throws {
        let fixture = PipelineFixture()
        let request = try fixture.request(.chunk(SolidImage.file()))
        _ = try await fixture.pipeline.response(for: request)
        fixture.images.removeAll()
        #expect(try await fixture.pipeline.response(for: request).origin == .disk)
        #expect(fixture.loader.requests.count == 1)
    }

    @Test(arguments: [true, false])
    func anEditedPictureAndThePlainOneAreOneTransfer(editedFirst: Bool) async throws {
        let fixture = PipelineFixture()
        let plain = try fixture.request(.chunk(SolidImage.file()))
        var edited = plain
        edited.processors = [RecordingProcessor("edit")]
        let order = editedFirst ? [edited, plain] : [plain, edited]
        for request in order { _ = try await fixture.pipeline.response(for: request) }
        #expect(fixture.loader.requests.count == 1)
        #expect(fixture.pipeline.cachedImage(for: edited) != nil)
        #expect(fixture.data.all.map(\.data.count) == [64])
    }

    @Test func nothingOfItRunsOnTheMainThread() async throws {
        let threads = ThreadLog()
        let note: @Sendable (String) -> Void = { stage in threads.note(stage) }
        let fixture = PipelineFixture(onDecode: { note("decoding") })
        let processor = RecordingProcessor(onProcess: { note("processing") })
        let request = try fixture.request(
            .call { note("loading") }, .chunk(SolidImage.file()), processors: [processor])
        try await Task { @MainActor in
            note("asking")
            _ = try await fixture.pipeline.image(for: request)
        }.value
        let asking = try #require(threads["asking"])
        for stage in ["loading", "decoding", "processing"] {
            #expect(try #require(threads[stage]) != asking, "\(stage) ran on the thread that asked")
        }
    }

    @Test func aPageInsteadOfAPictureSaysSoAndIsNotKept() async throws {
        let fixture = PipelineFixture()
        let request = try fixture.request(.chunk(Array("<!DOCTYPE html><title>Not found</title>".utf8)))
        let expected = ImageError.decoding(
            .unsupportedFormat(nil, beginning: "<!DOCTYPE html><title>No"), address: PipelineFixture.address)
        await #expect(throws: expected) { try await fixture.pipeline.image(for: request) }
        await #expect(throws: ImageError.failedBefore(expected)) { try await fixture.pipeline.data(for: request) }
        fixture.pipeline.failures.removeAll()
        await #expect(throws: expected) { try await fixture.pipeline.data(for: request) }
        #expect(fixture.data.all.isEmpty)
    }

    @Test func anEmptyBodySaysSo() async throws {
        let fixture = PipelineFixture()
        let request = try fixture.request()
        let expected = ImageError.decoding(.empty, address: PipelineFixture.address)
        await #expect(throws: expected) { try await fixture.pipeline.image(for: request) }
    }

    @Test func aKeptFileThatCannotBeDecodedIsForgottenAndFetchedAnewAtOnce() async throws {
        let fixture = PipelineFixture()
        let request = try fixture.request(.chunk(SolidImage.file()))
        let damaged = try #require(EncodedImage(SolidImage.file().prefix(5)))
        await fixture.pipeline.store(damaged, for: request)
        #expect(try await fixture.pipeline.response(for: request).origin == .network)
        #expect(fixture.loader.requests.count == 1)
        #expect(fixture.data.all.map(\.data.count) == [64])
    }

    @Test func aKeptFileThatPassesALimitOfTheRequestStaysForOthers() async throws {
        let fixture = PipelineFixture()
        var request = try fixture.request(.chunk(SolidImage.file(width: 5, height: 5)))
        request.options.limits = DecodingLimits(maximumPixelCount: 20)
        await #expect(throws: ImageError.self) { try await fixture.pipeline.image(for: request) }
        request.options.limits = nil
        #expect(try await fixture.pipeline.response(for: request).origin == .disk)
    }

    @Test func bytesOfTheUsersOwnNeverEnterTheDataCache() async throws {
        let fixture = PipelineFixture()
        let data = try #require(EncodedImage(SolidImage.file()))
        let response = try await fixture.pipeline.response(for: ImageRequest(.data(data, name: "mine")))
        #expect(response.origin == .local)
        #expect(fixture.data.all.isEmpty)
    }

    @Test func theAnswerHasTheSizeThatWasAskedFor() async throws {
        let fixture = PipelineFixture()
        var request = try fixture.request(.chunk(SolidImage.file(width: 40, height: 20)))
        request.targetSize = PixelSize(width: 10, height: 10)
        let image = try await fixture.pipeline.image(for: request)
        #expect(image.size == PixelSize(width: 10, height: 5))
        #expect(image.header.size == PixelSize(width: 40, height: 20))
        request.targetSize = nil
        #expect(fixture.pipeline.cachedImage(for: request) == nil)
    }

    @Test func noMoreTransfersRunAtOnceThanAllowedAndTheOthersFollowInOrder() async throws {
        let fixture = PipelineFixture { $0.maximumTransferCount = 2 }
        let gate = Gate()
        let addresses = (1...5).map { "http://host.test/\($0)" }
        for address in addresses { fixture.loader.setScript([.gate(gate), .chunk(SolidImage.file())], for: address) }
        var tasks: [ImageTask] = []
        for (index, address) in addresses.enumerated() {
            tasks.append(fixture.pipeline.task(for: ImageRequest(try ImageSource(address))))
            if index < 2 { await gate.waitForArrivals(index + 1) }
        }
        #expect(gate.arrivals == 2)
        gate.open()
        for task in tasks { _ = try await task.response }
        #expect(Set(fixture.loader.requests.prefix(2).map(\.url.absoluteString)) == Set(addresses.prefix(2)))
        #expect(fixture.loader.requests.count == 5)
    }
}
