import BowerbirdCore
import BowerbirdLoading
import BowerbirdTestSupport
import FoundationEssentials

/// A pipeline on scripted parts, with everything a test wants to look at.
struct PipelineFixture {
    let loader = ScriptedLoader()
    let decoder: SolidDecoder
    let images = DictionaryImageCache()
    let data = DictionaryDataCache()
    let pipeline: ImagePipeline

    /// With an executor, the whole pipeline runs on it.
    init(
        executor: SeededExecutor? = nil, configure: (inout ImagePipeline.Configuration) -> Void = { _ in },
        onDecode: @escaping @Sendable () -> Void = {}
    ) {
        decoder = SolidDecoder(onDecode: onDecode)
        var codecs = CodecSet()
        codecs.add(decoder)
        var configuration = ImagePipeline.Configuration(
            loader: loader, codecs: codecs, imageCache: images, dataCache: data)
        configuration.previewDelay = .zero
        configure(&configuration)
        pipeline = ImagePipeline(configuration, executor: executor)
    }

    static let address = "http://host.test/picture"

    /// A request for `address` whose file arrives in the given steps.
    func request(_ steps: ScriptedLoader.Step..., processors: [any ImageProcessor] = []) throws -> ImageRequest {
        loader.setScript(steps, for: Self.address)
        return ImageRequest(try ImageSource(Self.address), processors: processors)
    }
}

/// Keeps everything, in the simplest way.
final class DictionaryImageCache: ImageCache {
    private let images = Lock<[CacheKey: CachedImage]>([:])
    private let lookups = Lock(0)

    var all: [DecodedImage] { images.withLock { $0.values.map(\.image) } }
    /// How often it was asked for a picture.
    var lookupCount: Int { lookups.withLock { $0 } }
    func image(for key: CacheKey) -> CachedImage? {
        lookups.withLock { $0 += 1 }
        return images.withLock { $0[key] }
    }
    func store(_ image: CachedImage, for key: CacheKey) { images.withLock { $0[key] = image } }
    func remove(for key: CacheKey) { images.withLock { $0[key] = nil } }
    func remove(source: String) { images.withLock { $0 = $0.filter { $0.key.source != source } } }
    func removeAll() { images.withLock { $0 = [:] } }
}

/// Keeps everything, in the simplest way.
final class DictionaryDataCache: DataCache {
    private let entries = Lock<[CacheKey: CacheEntry]>([:])
    private let removals = Lock(0)

    var all: [CacheEntry] { entries.withLock { Array($0.values) } }
    var keys: [CacheKey] { entries.withLock { Array($0.keys) } }
    /// How often it was asked to forget an entry.
    var removalCount: Int { removals.withLock { $0 } }
    func entry(for key: CacheKey) async -> CacheEntry? { entries.withLock { $0[key] } }
    func store(_ entry: CacheEntry, for key: CacheKey) async { entries.withLock { $0[key] = entry } }
    func remove(for key: CacheKey) async {
        removals.withLock { $0 += 1 }
        entries.withLock { $0[key] = nil }
    }
    func remove(source: String) async { entries.withLock { $0 = $0.filter { $0.key.source != source } } }
    func removeAll() async { entries.withLock { $0 = [:] } }
}

/// Returns the picture as it is, under a name, and remembers what it was given.
final class RecordingProcessor: ImageProcessor {
    let cacheKey: String
    private let seen = Lock<[Bool]>([])
    private let onProcess: @Sendable () -> Void

    init(_ name: String = "recording", onProcess: @escaping @Sendable () -> Void = {}) {
        cacheKey = name
        self.onProcess = onProcess
    }

    /// For each picture, whether it was a preview.
    var pictures: [Bool] { seen.withLock { $0 } }

    func process(_ image: DecodedImage) throws(ProcessingError) -> DecodedImage {
        onProcess()
        seen.withLock { $0.append(image.isPreview) }
        return image
    }
}

extension ImageEvents {
    /// All events up to the end.
    func collect() async -> [ImageEvent] {
        var events: [ImageEvent] = []
        for await event in self { events.append(event) }
        return events
    }
}
