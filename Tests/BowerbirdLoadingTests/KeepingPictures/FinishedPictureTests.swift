import BowerbirdCore
import BowerbirdTestSupport
import Dispatch
import Testing

@testable import BowerbirdLoading

/// Written down behind the answer; see `DiskContent`.
@Suite(.timeLimit(.minutes(5)))
struct `A finished picture for the disk` {
    private let files = GatedFiles(writing: Gate())
    private let fixture: PipelineFixture
    private var pipeline: ImagePipeline { fixture.pipeline }

    init() {
        let files = files
        fixture = PipelineFixture {
            $0.dataCache = files
            $0.codecs.add(SolidEncoder())
        }
    }

    /// One that keeps nothing else.
    private func request(_ color: Color = .black, edit name: String = "edit") throws -> ImageRequest {
        var request = try fixture.request(.chunk(SolidImage.file(color)), processors: [RecordingProcessor(name)])
        request.options.diskContent = .processed(SolidImage.format)
        return request
    }

    private func end() async {
        files.writing.open()
        await pipeline.waitUntilIdle()
    }

    @Test func doesNotHoldTheAnswerUpWhileItIsStored() async throws {
        #expect(try await pipeline.response(for: try request()).origin == .network)
        await files.writing.waitForArrivals()
        #expect(files.files.all.isEmpty)
        #expect(pipeline.isRunning)
        files.writing.open()
        await pipeline.waitForStores()
        #expect(files.files.all.count == 1)
        #expect(!pipeline.isRunning)
    }

    @Test func doesNotHoldTheAnswerUpWhileItIsEncoded() async throws {
        let encoder = HeldEncoder()
        let fixture = PipelineFixture { $0.codecs.add(encoder) }
        var request = try fixture.request(.chunk(SolidImage.file()), processors: [RecordingProcessor("edit")])
        request.options.diskContent = .both(SolidImage.format)
        _ = try await fixture.pipeline.image(for: request)
        #expect(fixture.data.all.count == 1)
        encoder.release()
        await fixture.pipeline.waitForStores()
        #expect(fixture.data.all.count == 2)
    }

    @Test func takesNoPlaceThatDecodingCouldHave() async throws {
        let encoder = HeldEncoder()
        let fixture = PipelineFixture {
            $0.codecs.add(encoder)
            $0.maximumDecodeCount = 1
        }
        var request = try fixture.request(.chunk(SolidImage.file()), processors: [RecordingProcessor("edit")])
        request.options.diskContent = .both(SolidImage.format)
        _ = try await fixture.pipeline.image(for: request)
        for request in try fixture.requests(3) { _ = try await fixture.pipeline.image(for: request) }
        #expect(fixture.pipeline.decodeSlots.runningCount == 0)
        #expect(fixture.pipeline.pendingStores.count == 1)
        encoder.release()
        await fixture.pipeline.waitUntilIdle()
    }

    @Test func isFoundWhileItIsStillToBeStored() async throws {
        let request = try request()
        let first = try await pipeline.image(for: request)
        fixture.images.removeAll()
        let second = try await pipeline.response(for: request)
        #expect(second.origin == .disk)
        #expect(second.image.bitmap.isIdentical(to: first.bitmap))
        #expect(await pipeline.locations(of: request) == [.memory, .disk])
        #expect(await pipeline.variants(of: request).disk.count == 1)
        #expect(fixture.loader.requests.count == 1)
        await end()
    }

    @Test(arguments: [0, 1, 2])
    func doesNotComeBackOnceItIsForgotten(way: Int) async throws {
        let request = try request()
        _ = try await pipeline.image(for: request)
        await files.writing.waitForArrivals()
        // A second one, which waits behind the first.
        _ = try await pipeline.image(for: try self.request(edit: "other"))
        let file = try #require(EncodedImage(SolidImage.file(.white)))
        let forgetting = Task { [pipeline] in
            switch way {
            case 0: await pipeline.remove(for: request)
            case 1: await pipeline.removeAll()
            default: await pipeline.store(file, for: request)
            }
        }
        #expect(await eventually { pipeline.pendingStores.count == 0 })
        await end()
        await forgetting.value
        #expect(files.files.all.map(\.url) == (way == 2 ? [PipelineFixture.address] : []))
        #expect(files.files.all.count == (way == 2 ? 1 : 0))
    }

    @Test func isReplacedByThatOfANewerFile() async throws {
        _ = try await pipeline.image(for: try request(.black))
        await files.writing.waitForArrivals()
        files.writing.open()
        var newer = try request(.white)
        newer.options.cachePolicy = .reload
        #expect(try await pipeline.image(for: newer).brightness == 255)
        await pipeline.waitForStores()
        #expect(files.files.all.count == 1)
        #expect(try await fixture.loaded(try request()).brightness == 255)
    }

    @Test func isNotWrittenOnceEverythingIsCancelled() async throws {
        _ = try await pipeline.image(for: try request())
        await files.writing.waitForArrivals()
        _ = try await pipeline.image(for: try request(edit: "other"))
        pipeline.cancelAll()
        #expect(pipeline.pendingStores.count == 0)
        await end()
        #expect(files.files.all.count == 1)
    }

    /// The file is never replaced by what was made of it, as YYWebImage does with a transform, and no small picture
    /// stands under the name of the large one.
    @Test func neverStandsInPlaceOfItsFile() async throws {
        files.writing.open()
        let plain = try fixture.request(.chunk(SolidImage.file(width: 9, height: 9)))
        var small = plain
        small.targetSize = PixelSize(width: 2, height: 2)
        small.options.diskContent = .both(SolidImage.format)
        var edited = plain
        edited.processors = [RecordingProcessor("edit")]
        edited.options.diskContent = .both(SolidImage.format)
        for request in [small, edited] { _ = try await pipeline.image(for: request) }
        await pipeline.waitForStores()
        #expect(Set(files.files.keys).count == 3)
        #expect(pipeline.cachedImage(for: plain) == nil)
        #expect(try await fixture.loaded(plain).size == PixelSize(width: 9, height: 9))
        #expect(try await fixture.loaded(small).size == PixelSize(width: 2, height: 2))
        #expect(Array(try await pipeline.data(for: plain).data) == SolidImage.file(width: 9, height: 9))
        #expect(fixture.loader.requests.count == 1)
    }

    @Test func goesToMemoryFromTheDiskUnderItsOwnKeyAndWhereThePolicyAllows() async throws {
        files.writing.open()
        var request = try request()
        _ = try await pipeline.image(for: request)
        await pipeline.waitForStores()
        fixture.images.removeAll()
        request.options.cachePolicy = CachePolicy(memory: .readOnly)
        #expect(try await pipeline.response(for: request).origin == .disk)
        #expect(fixture.images.all.isEmpty)
        request.options.cachePolicy = nil
        #expect(try await pipeline.response(for: request).origin == .disk)
        #expect(pipeline.cachedImage(for: request) != nil)
        #expect(fixture.images.all.count == 1)
    }
}

/// Encodes when it is let.
private final class HeldEncoder: ImageEncoder {
    let format = SolidImage.format
    private let held = DispatchSemaphore(value: 0)

    func release() { held.signal() }

    func encode(_ bitmap: Bitmap, _ options: EncodingOptions) throws(EncodingError) -> EncodedImage {
        held.wait()
        return try SolidEncoder().encode(bitmap, options)
    }
}

extension PipelineFixture {
    /// As after a start of the program.
    func loaded(_ request: ImageRequest) async throws -> DecodedImage {
        images.removeAll()
        return try await pipeline.image(for: request)
    }
}
