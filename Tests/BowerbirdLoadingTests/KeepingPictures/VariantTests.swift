import BowerbirdCore
import BowerbirdTestSupport
import Testing

@testable import BowerbirdLoading

@Suite(.timeLimit(.minutes(5)))
struct `The variants of one picture` {
    private let fixture: PipelineFixture
    private var pipeline: ImagePipeline { fixture.pipeline }

    init() {
        fixture = PipelineFixture {
            $0.imageCache = ListedImages()
            $0.dataCache = ListedFiles()
            $0.codecs.add(SolidEncoder())
        }
    }

    private func plain() throws -> ImageRequest { try fixture.request(.chunk(SolidImage.file(width: 80, height: 40))) }

    private func sized(_ side: Int, _ mode: ScaleMode = .fit) throws -> ImageRequest {
        var request = try plain()
        request.targetSize = PixelSize(width: side, height: side)
        request.scaleMode = mode
        return request
    }

    private func edited(_ request: ImageRequest) -> ImageRequest {
        var edited = request
        edited.processors = [RecordingProcessor("edit")]
        edited.options.diskContent = .both(SolidImage.format)
        return edited
    }

    private func load(_ requests: ImageRequest...) async throws {
        for request in requests { _ = try await pipeline.image(for: request) }
    }

    private func size(nearest request: ImageRequest) -> Int? { pipeline.cachedVariant(of: request)?.size.width }

    @Test func areListedAndForgottenTogether() async throws {
        var other = try plain()
        other.headers["Accept"] = "image/x-solid"
        let requests = [try plain(), try sized(10), try sized(20), edited(try sized(10)), edited(try plain()), other]
        for request in requests { _ = try await pipeline.image(for: request) }
        let unrelated = try fixture.request(1, [.chunk(SolidImage.file())])
        try await load(unrelated)
        await pipeline.waitForStores()
        let variants = await pipeline.variants(of: try sized(33))
        #expect(Set(variants.memory) == Set(requests.map(pipeline.imageCacheKey)))
        #expect(variants.memory.count == 6)
        // The file, the same for another header, and two finished pictures.
        #expect(Set(variants.disk).count == 4)
        #expect(Set(requests.map(pipeline.dataCacheKey)).isSubset(of: variants.disk))
        await pipeline.remove(for: edited(try sized(10)))
        let left = await pipeline.variants(of: try plain())
        #expect(left == ImagePipeline.CachedVariants(memory: [], disk: []))
        #expect(await pipeline.variants(of: unrelated).memory.count == 1)
    }

    @Test func haveTheNearestSizeThatIsLargeEnoughElseTheLargest() async throws {
        #expect(size(nearest: try sized(30)) == nil)
        try await load(try sized(10), try sized(20))
        #expect(size(nearest: try sized(30)) == 20)
        #expect(size(nearest: try sized(5)) == 10)
        #expect(size(nearest: try sized(20)) == 20)
        #expect(size(nearest: try plain()) == 20)
        try await load(try sized(40), try plain())
        #expect(size(nearest: try sized(30)) == 40)
        #expect(size(nearest: try sized(500)) == 80)
        #expect(size(nearest: try plain()) == 80)
    }

    @Test func haveASizeByTheModeOfTheRequest() async throws {
        try await load(try sized(20), try sized(20, .fill))
        #expect(size(nearest: try sized(20)) == 20)
        #expect(size(nearest: try sized(20, .fill)) == 40)
    }

    @Test func standInForAnEditedPictureButEditsDoNot() async throws {
        try await load(edited(try plain()))
        #expect(size(nearest: try plain()) == nil)
        #expect(size(nearest: edited(try plain())) == nil)
        try await load(try sized(10))
        #expect(size(nearest: edited(try plain())) == 10)
    }

    @Test func doNotStandInWhereTheyAreStretchedOrOfAnotherPageOrHeader() async throws {
        var page = try sized(10)
        page.page = 1
        var other = try sized(10)
        other.headers["Authorization"] = "somebody else"
        try await load(try sized(30, .exact), page, other)
        #expect(size(nearest: try sized(20)) == nil)
        #expect(size(nearest: try sized(20, .exact)) == 30)
        #expect(size(nearest: page) == 10)
    }

    @Test func areNotLookedForWhereMemoryIsNotRead() async throws {
        try await load(try sized(10))
        var request = try sized(20)
        request.options.cachePolicy = .reload
        #expect(size(nearest: request) == nil)
    }

    @Test func areNoneWhereACacheCannotListThem() async throws {
        let fixture = PipelineFixture()
        let request = try fixture.request(.chunk(SolidImage.file()))
        _ = try await fixture.pipeline.image(for: request)
        #expect(fixture.pipeline.cachedVariant(of: request) == nil)
        #expect(await fixture.pipeline.variants(of: request) == .init(memory: [], disk: []))
    }
}

/// Can tell what it has.
private final class ListedFiles: DataCache {
    private let files = DictionaryDataCache()

    func entry(for key: CacheKey) async -> CacheEntry? { await files.entry(for: key) }
    func store(_ entry: CacheEntry, for key: CacheKey) async { await files.store(entry, for: key) }
    func keys(ofSource source: String) async -> [CacheKey] { files.keys.filter { $0.source == source } }
    func remove(for key: CacheKey) async { await files.remove(for: key) }
    func remove(source: String) async { await files.remove(source: source) }
    func removeAll() async { await files.removeAll() }
}

/// Can tell what it has.
private final class ListedImages: ImageCache {
    private let images = Lock<[CacheKey: CachedImage]>([:])

    func image(for key: CacheKey) -> CachedImage? { images.withLock { $0[key] } }
    func keys(ofSource source: String) -> [CacheKey] { images.withLock { $0.keys.filter { $0.source == source } } }
    func store(_ image: CachedImage, for key: CacheKey) { images.withLock { $0[key] = image } }
    func remove(for key: CacheKey) { images.withLock { $0[key] = nil } }
    func remove(source: String) { images.withLock { $0 = $0.filter { $0.key.source != source } } }
    func removeAll() { images.withLock { $0 = [:] } }
}
