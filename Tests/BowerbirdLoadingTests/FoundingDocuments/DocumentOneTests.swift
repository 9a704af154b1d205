import Bowerbird
import BowerbirdCore
import BowerbirdTestSupport
import FoundationEssentials
import Testing

@testable import BowerbirdLoading

/// The document on loading, caching, editing and order: rows S1. Rows that other suites prove are named in the
/// documentation.
@Suite(.timeLimit(.minutes(5)))
struct `The document on the design` {
    private let fixture = PipelineFixture()

    @Test("S1-01: one component downloads, caches, decodes, edits and encodes")
    func fiveDuties() async throws {
        let loader = ScriptedLoader()
        var configuration = ImagePipeline.Configuration.standard(dataCache: DictionaryDataCache())
        configuration.loader = loader
        let pipeline = ImagePipeline(configuration)
        guard var pixels = PixelBuffer(size: PixelSize(width: 20, height: 20), isOpaque: true) else { return }
        for row in 0..<20 {
            pixels.withRow(row) { bytes in
                for offset in 0..<80 { bytes.storeBytes(of: 255, toByteOffset: offset, as: UInt8.self) }
            }
        }
        let file = try configuration.codecs.encode(pixels.freeze(), as: .png)
        loader.setScript([.chunk(Array(file))], for: PipelineFixture.address)
        let request = ImageRequest(
            try ImageSource(PipelineFixture.address), processors: [RoundCorners(radius: 5)],
            targetSize: PixelSize(width: 10, height: 10))
        let image = try await pipeline.image(for: request)
        #expect(image.size == PixelSize(width: 10, height: 10))
        #expect(image.bitmap.withRow(0) { $0.byte(at: 3) } != 255)
        #expect(await pipeline.locations(of: request) == [.memory, .disk])
        #expect(try configuration.codecs.encode(image.bitmap, as: .jpeg).format == .jpeg)
    }

    @Test("S1-02: memory has the edited picture, the disk the original bytes")
    func memoryHasTheEditAndTheDiskTheFile() async throws {
        let edit = Brighter()
        let request = try fixture.request(.chunk(SolidImage.file(.black, byteCount: 99)), processors: [edit])
        _ = try await fixture.pipeline.image(for: request)
        #expect(fixture.images.all.map { $0.bitmap.withRow(0) { $0.byte(at: 0) } } == [1])
        #expect(fixture.data.all.map { Array($0.data) } == [SolidImage.file(.black, byteCount: 99)])
    }

    @Test("S1-03: after the edited picture the plain one needs no second transfer")
    func thePlainPictureAfterTheEdited() async throws {
        let edited = try fixture.request(.chunk(SolidImage.file(.black)), processors: [Brighter()])
        _ = try await fixture.pipeline.image(for: edited)
        var plain = edited
        plain.processors = []
        let response = try await fixture.pipeline.response(for: plain)
        #expect(response.origin == .disk)
        #expect(response.image.bitmap.withRow(0) { $0.byte(at: 0) } == 0)
        #expect(fixture.loader.requests.count == 1)
    }

    @Test("S1-04: nobody keeps two keys: the same request finds the edit, and its edits make the key")
    func oneRequestIsOneKey() async throws {
        let edited = try fixture.request(.chunk(SolidImage.file(.black)), processors: [Brighter()])
        _ = try await fixture.pipeline.image(for: edited)
        var same = ImageRequest(try ImageSource(PipelineFixture.address))
        #expect(fixture.pipeline.cachedImage(for: same) == nil)
        same.processors = [Brighter()]
        #expect(fixture.pipeline.cachedImage(for: same) != nil)
    }

    @Test("S1-05: what an edit draws is decoded once, and the picture before it is not kept")
    func nothingIsDecodedTwice() async throws {
        let request = try fixture.request(.chunk(SolidImage.file()), processors: [Brighter(), RecordingProcessor("b")])
        _ = try await fixture.pipeline.image(for: request)
        #expect(fixture.decoder.decodeCount == 1)
        #expect(fixture.images.all.count == 1)
    }

    @Test("S1-06: the limits of decoding are those of the request")
    func limitsByRequest() async throws {
        var request = try fixture.request(.chunk(SolidImage.file(width: 10, height: 10)))
        request.options.limits = DecodingLimits(maximumPixelCount: 99)
        let error = ImageError.decoding(
            .tooLarge(PixelSize(width: 10, height: 10), maximumPixelCount: 99), address: PipelineFixture.address)
        await #expect(throws: error) { try await fixture.pipeline.image(for: request) }
        request.options.limits = DecodingLimits(maximumPixelCount: 100)
        _ = try await fixture.pipeline.image(for: request)
    }

    @Test("S1-10: any image cache and any data cache will do, or none")
    func cachesMayBeOnesOwnOrNone() async throws {
        for hasCaches in [true, false] {
            let fixture = PipelineFixture {
                if !hasCaches { ($0.imageCache, $0.dataCache) = (nil, nil) }
            }
            let request = try fixture.request(.chunk(SolidImage.file()))
            for _ in 0..<2 { _ = try await fixture.pipeline.image(for: request) }
            #expect(fixture.loader.requests.count == (hasCaches ? 1 : 2))
        }
    }

    @Test("S1-13: what comes from the disk is bytes, and the pipeline decodes them")
    func theDiskGivesBytes() async throws {
        let request = try fixture.request(.chunk(SolidImage.file()))
        _ = try await fixture.pipeline.image(for: request)
        fixture.images.removeAll()
        _ = try await fixture.pipeline.image(for: request)
        #expect(fixture.decoder.decodeCount == 2)
        #expect(fixture.loader.requests.count == 1)
    }

    @Test("S1-15: each asker has news and an end of its own, over one transfer")
    func askersAreManyAndTheTransferOne() async throws {
        let gate = Gate()
        let file = SolidImage.file(byteCount: 200)
        let request = try fixture.request(.chunk(Array(file[..<100])), .gate(gate), .chunk(Array(file[100...])))
        let tasks = (0..<3).map { _ in fixture.pipeline.task(for: request) }
        let listeners = tasks.map { task in Task { await task.events.collect() } }
        await gate.waitForArrivals()
        tasks[0].cancel()
        gate.open()
        for (index, listener) in listeners.enumerated() {
            guard case .finished(let outcome)? = await listener.value.last else { Issue.record("no end"); return }
            #expect(((try? outcome.get()) == nil) == (index == 0))
        }
        #expect(fixture.loader.requests.count == 1)
    }

    @Test("S1-16, S1-20: ordinary requests first, in the order of asking, then those ahead of need in theirs")
    func ordinaryBeforePrefetchedAndFirstInFirstOut() async throws {
        let fixture = PipelineFixture { $0.maximumTransferCount = 1 }
        let gate = Gate()
        let requests = try fixture.requests(6, behind: gate)
        let running = fixture.pipeline.task(for: requests[0])
        await gate.waitForArrivals()
        let lanes: [WorkPriority.Lane] = [.prefetch, .ordinary, .prefetch, .ordinary, .ordinary]
        let tasks = zip(requests.dropFirst(), lanes).map { fixture.pipeline.task(for: $0, in: $1) }
        #expect(await eventually { fixture.pipeline.transferSlots.waitingCount == 5 })
        gate.open()
        for task in [running] + tasks { _ = try await task.response }
        #expect(fixture.asked == [0, 2, 4, 5, 1, 3])
    }

    @Test("S1-19: six transfers run and the seventh waits")
    func sixAtOnce() async throws {
        let gate = Gate()
        let tasks = try fixture.requests(9, behind: gate).map { fixture.pipeline.task(for: $0) }
        await gate.waitForArrivals(6)
        #expect(await eventually { fixture.pipeline.transferSlots.waitingCount == 3 })
        #expect(fixture.loader.requests.count == 6)
        gate.open()
        for task in tasks { _ = try await task.response }
    }
}

/// Adds one to every byte, so that an edit can be told from what it was made of.
private struct Brighter: ImageProcessor {
    let cacheKey = "brighter"

    func process(_ image: DecodedImage) throws(ProcessingError) -> DecodedImage {
        guard var pixels = PixelBuffer(copying: image.bitmap) else { return image }
        for row in 0..<pixels.size.height {
            let bytes = image.bitmap.withRow(row) { row in (0..<row.byteCount).map { row.byte(at: $0) ?? 0 } }
            pixels.withRow(row) { row in
                for (offset, byte) in bytes.enumerated() {
                    row.storeBytes(of: byte &+ 1, toByteOffset: offset, as: UInt8.self)
                }
            }
        }
        return image.with(pixels.freeze())
    }
}
