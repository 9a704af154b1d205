import Bowerbird
import BowerbirdCore
import BowerbirdTestSupport
import FoundationEssentials
import Testing

@testable import BowerbirdLoading

/// The document on the parts of an image loading library and the way of one request: rows S0. Rows that other suites
/// prove are named in the documentation.
@Suite(.timeLimit(.minutes(5)))
struct `The document on the architecture` {
    @Test("S0-01: loader, cache and decoder work each by itself, and a pipeline without caches")
    func partsWorkEachByItself() async throws {
        let loader = ScriptedLoader([PipelineFixture.address: [.chunk(SolidImage.file())]])
        let url = try #require(URL(string: PipelineFixture.address))
        let file = try await loader.data(for: DataRequest(url: url)).data
        var codecs = CodecSet()
        codecs.add(SolidDecoder())
        let image = try file.withBytes { bytes throws(DecodingError) in try codecs.decode(bytes) }
        let cache = MemoryCache()
        cache.store(CachedImage(image), for: CacheKey("picture"))
        #expect(cache.image(for: CacheKey("picture"))?.image.size == image.size)
        let pipeline = ImagePipeline(.init(loader: loader, codecs: codecs))
        for _ in 0..<2 { #expect(try await pipeline.response(for: ImageRequest(url: url)).origin == .network) }
    }

    @Test("S0-12: a failure is never tried again by itself; the option only lets it be asked for again")
    func ignoringTheListIsNoRetry() async throws {
        let fixture = PipelineFixture()
        var request = ImageRequest(try ImageSource("http://host.test/missing"))
        request.options.ignoresFailureList = true
        for count in 1...3 {
            await #expect(throws: ImageError.self) { try await fixture.pipeline.image(for: request) }
            #expect(fixture.loader.requests.count == count)
        }
    }

    @Test("S0-13: what failed is not asked for again, and a success ends that")
    func failuresAreRemembered() async throws {
        let fixture = PipelineFixture()
        var request = ImageRequest(try ImageSource(PipelineFixture.address))
        let error = ImageError.loading(.status(404), address: PipelineFixture.address)
        await #expect(throws: error) { try await fixture.pipeline.image(for: request) }
        await #expect(throws: ImageError.failedBefore(error)) { try await fixture.pipeline.image(for: request) }
        #expect(fixture.loader.requests.count == 1)
        _ = try fixture.request(.chunk(SolidImage.file()))
        request.options.ignoresFailureList = true
        _ = try await fixture.pipeline.image(for: request)
        request.options.ignoresFailureList = nil
        request.options.cachePolicy = .reload
        #expect(try await fixture.pipeline.response(for: request).origin == .network)
    }

    @Test("S0-14: a source that failed in several ways of asking is listed once")
    func failuresAreASet() async throws {
        let fixture = PipelineFixture()
        for index in 0..<5 {
            var request = ImageRequest(try ImageSource(PipelineFixture.address))
            request.processors = [RecordingProcessor("\(index)")]
            await #expect(throws: ImageError.self) { try await fixture.pipeline.image(for: request) }
        }
        #expect(fixture.pipeline.failures.count == 1)
        #expect(fixture.loader.requests.count == 1)
    }

    @Test("S0-15: everything is in reach of the pipeline: no part need be touched")
    func thePipelineIsTheFrontDoor() async throws {
        let fixture = PipelineFixture()
        let pipeline = fixture.pipeline
        let request = try fixture.request(.chunk(SolidImage.file()))
        let file = try await pipeline.data(for: request).data
        #expect(await pipeline.locations(of: request) == [.disk])
        let image = try await pipeline.image(for: request)
        #expect(pipeline.cachedImage(for: request) != nil)
        await pipeline.remove(for: request)
        await pipeline.store(file, for: request)
        try await pipeline.store(image, for: request, in: .memory)
        #expect(await pipeline.locations(of: request) == [.memory, .disk])
        await pipeline.removeAll()
        #expect(await pipeline.locations(of: request) == [])
    }

    @Test("S0-16: leaving while the disk is asked leaves the rest too: nothing is loaded")
    func leavingWhileTheDiskIsAsked() async throws {
        let gate = Gate()
        let fixture = PipelineFixture { $0.dataCache = SlowDataCache(gate: gate) }
        let task = fixture.pipeline.task(for: try fixture.request(.chunk(SolidImage.file())))
        await gate.waitForArrivals()
        task.cancel()
        await #expect(throws: ImageError.cancelled) { try await task.response }
        gate.open()
        await fixture.pipeline.waitUntilIdle()
        #expect(fixture.loader.requests.isEmpty)
    }

    @Test("S0-20: the options of a request reach the loader, one by one")
    func optionsReachTheLoader() async throws {
        let fixture = PipelineFixture()
        var request = try fixture.request(.chunk(SolidImage.file()))
        request.options.cachePolicy = .networkOnly
        let changes: [(inout ImageRequest) -> Void] = [
            { _ in }, { $0.options.allowsInvalidCertificate = true }, { $0.options.usesCookies = true },
            { $0.options.maximumByteCount = 1000 }, { $0.headers["X-Field"] = "value" },
        ]
        for change in changes {
            var changed = request
            change(&changed)
            _ = try await fixture.pipeline.image(for: changed)
        }
        let sent = fixture.loader.requests
        #expect(sent.map(\.allowsInvalidCertificate) == [false, true, false, false, false])
        #expect(sent.map(\.usesCookies) == [false, false, true, false, false])
        #expect(sent.map(\.maximumByteCount) == [512 << 20, 512 << 20, 512 << 20, 1000, 512 << 20])
        #expect(sent.map { $0.headers["X-Field"] } == [nil, nil, nil, nil, "value"])
    }

    @Test("S0-22: caches, then failures, then the network; what is transformed is kept before the answer")
    func theWayOfARequest() async throws {
        let order = Record<String>()
        let fixture = PipelineFixture { [order] in
            $0.imageCache = NotingImageCache { order.note("\($0)") }
            $0.observers = [StageNotes { order.note($0) }]
        }
        let request = try fixture.request(.chunk(SolidImage.file()), processors: [RecordingProcessor("edit")])
        _ = try await fixture.pipeline.image(for: request)
        let expected = ["look", "disk", "transfer", "decode", "process", "store", "answer"]
        #expect(order.all.filter { $0 != "look" } == Array(expected.dropFirst()))
        #expect(order.all.first == "look")
    }

    @Test("S0-23: six transfers at once, 15 seconds to connect, and no picture without pixels")
    func theDefaultsOfTransfers() async throws {
        let configuration = ImagePipeline.Configuration.standard(dataCache: nil)
        #expect(configuration.maximumTransferCount == 6)
        #expect(HTTPLoader.Configuration().connectTimeout == .seconds(15))
        let fixture = PipelineFixture()
        let request = try fixture.request(.chunk(SolidImage.file(width: 0, height: 0)))
        await #expect(throws: ImageError.decoding(.corrupt("its size is 0 × 0"), address: PipelineFixture.address)) {
            try await fixture.pipeline.image(for: request)
        }
    }

    @Test("S0-24: an address that is none is an error and reaches no loader")
    func anAddressThatIsNone() async throws {
        let fixture = PipelineFixture()
        #expect(throws: ImageError.invalidURL("")) { try ImageSource("") }
        let url = try #require(URL(string: "http://"))
        await #expect(throws: ImageError.self) { try await fixture.pipeline.image(for: ImageRequest(url: url)) }
        await #expect(throws: ImageError.self) { try await fixture.pipeline.data(for: ImageRequest(url: url)) }
        #expect(fixture.loader.requests.isEmpty)
    }
}

/// Has nothing, and takes as long to say so as the test likes.
private struct SlowDataCache: DataCache {
    let gate: Gate

    func entry(for key: CacheKey) async -> CacheEntry? {
        await gate.pass(ignoresCancellation: true)
        return nil
    }

    func store(_ entry: CacheEntry, for key: CacheKey) async {}
    func remove(for key: CacheKey) async {}
    func remove(source: String) async {}
    func removeAll() async {}
}

/// Has nothing, and tells what it is asked.
private struct NotingImageCache: ImageCache {
    let note: @Sendable (String) -> Void

    func image(for key: CacheKey) -> CachedImage? {
        note("look")
        return nil
    }

    func store(_ image: CachedImage, for key: CacheKey) { note("store") }
    func remove(for key: CacheKey) {}
    func remove(source: String) {}
    func removeAll() {}
}

/// Tells which stages end.
private struct StageNotes: PipelineObserver {
    let note: @Sendable (String) -> Void

    func receive(_ event: PipelineEvent) {
        switch event {
        case .ended(let stage, _, _, _): note(stage.rawValue)
        case .answered: note("answer")
        default: break
        }
    }
}
