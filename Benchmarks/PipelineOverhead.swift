import Bowerbird
import BowerbirdTestSupport
import FoundationEssentials

extension Topic {
    /// What the pipeline itself costs: a picture that memory has, and a small one through all of it.
    static let pipeline = Topic("Pipeline") {
        let loader = try InstantLoader()
        return try await [hit(loader)] + through(loader) + queued(loader)
    }
}

private let hitCount = 10_000
private let imageCount = 500

/// A picture that is shown in the frame that asks.
private func hit(_ loader: InstantLoader) async throws -> Figure {
    let pipeline = ImagePipeline(.init(loader: loader, codecs: .builtIn, imageCache: MemoryCache()))
    let request = try loader.request(0)
    _ = try await pipeline.image(for: request)
    var samples = Samples()
    for _ in 0..<Comparison.pairCount {
        await samples.add(.processor) {
            for _ in 0..<hitCount { precondition(pipeline.cachedImage(for: request) != nil) }
        }
    }
    var figure = Figure("cachedImage(for:), hit", samples.divided(by: hitCount), .microseconds)
    figure.limit = .atMost(1)
    return figure
}

/// Pictures one after the other, through a pipeline with a memory cache and by hand: the time that all threads compute.
private func through(_ loader: InstantLoader) async throws -> [Figure] {
    let codecs = CodecSet.builtIn
    let (ours, byHands) = (MemoryCache(), MemoryCache())
    let pipeline = ImagePipeline(.init(loader: loader, codecs: codecs, imageCache: ours))
    let requests = try (0..<imageCount).map(loader.request)
    let comparison = try await Comparison.interleaved(.processor) {
        ours.removeAll()
        for request in requests { _ = try await pipeline.image(for: request) }
    } _: {
        byHands.removeAll()
        for request in requests { try await byHand(request, loader, codecs, byHands) }
    }
    let together = try await Comparison.interleaved(.processor) {
        ours.removeAll()
        for task in requests.map({ pipeline.task(for: $0) }) { _ = try await task.response }
    } _: {
        byHands.removeAll()
        for request in requests { try await byHand(request, loader, codecs, byHands) }
    }
    return figures(comparison, "one after the other") + figures(together, "all asked for at once", limit: .atMost(60))
}

private func figures(_ comparison: Comparison, _ way: String, limit: Figure.Limit? = nil) -> [Figure] {
    let through = comparison.subject.divided(by: imageCount)
    let byHand = comparison.reference.divided(by: imageCount)
    let overhead = through.spread.minimum - byHand.spread.minimum
    return [
        Figure("pictures of 64 × 64 through the pipeline, \(way)", through, .microseconds),
        Figure("the same by hand: loader, decoder, memory cache", byHand, .microseconds),
        Figure(
            name: "the pipeline's part of it, by the minima", value: overhead * 1e6, unit: .microseconds, limit: limit),
    ]
}

private func byHand(
    _ request: ImageRequest, _ loader: InstantLoader, _ codecs: CodecSet, _ cache: MemoryCache
) async throws {
    guard case .url(let url) = request.source else { return }
    let response = try await loader.response(for: DataRequest(url: url))
    guard case .complete(let file) = response.body else { return }
    let image = try file.withBytes { try codecs.decode($0, DecodingOptions()) }
    cache.store(CachedImage(image), for: CacheKey(url.absoluteString))
}

private let queuedCount = 10_000

/// As many requests, each for another address, of which six are begun and none is answered.
private func queued(_ loader: InstantLoader) async throws -> [Figure] {
    let requests = try (0..<queuedCount).map(loader.request)
    var samples = Samples()
    var megabytes: [Double] = []
    for _ in 0..<5 {
        let gate = Gate()
        let pipeline = ImagePipeline(.init(loader: HeldLoader(gate: gate, loader: loader), codecs: .builtIn))
        let before = ProcessStatus.kilobytes("VmRSS")
        var tasks: [ImageTask] = []
        await samples.add(.wall) { tasks = requests.map { pipeline.task(for: $0) } }
        await gate.waitForArrivals(6)
        // The others are on their way into the queue.
        try await Task.sleep(for: .seconds(1))
        megabytes.append(Double(ProcessStatus.kilobytes("VmRSS") - before) / 1024)
        pipeline.cancelAll()
        gate.open()
        for task in tasks { _ = try? await task.response }
    }
    return [
        Figure("\(queuedCount) requests, until all are asked for", samples, .milliseconds),
        Figure(
            name: "the same, memory while they wait", value: Spread(of: megabytes).maximum, unit: .megabytes,
            spread: Spread(of: megabytes)),
    ]
}

/// Answers when the gate is open.
private struct HeldLoader: DataLoader {
    let gate: Gate
    let loader: InstantLoader

    func response(for request: DataRequest) async throws(LoadingError) -> DataResponse {
        await gate.pass()
        guard !Task.isCancelled else { throw .cancelled }
        return try await loader.response(for: request)
    }
}

/// Has the file at once, whatever the address.
private struct InstantLoader: DataLoader {
    private let file: EncodedImage

    init() throws {
        guard let encoder = CodecSet.builtIn.encoder(for: .jpeg) else { throw CannotMeasure("this build has no JPEG") }
        guard let pixels = PixelBuffer(size: PixelSize(width: 64, height: 64), isOpaque: true) else {
            throw CannotMeasure("there is no memory")
        }
        file = try encoder.encode(pixels.freeze(), EncodingOptions())
    }

    func request(_ number: Int) throws -> ImageRequest {
        ImageRequest(try ImageSource("http://127.0.0.1/\(number).jpg"))
    }

    func response(for request: DataRequest) async throws(LoadingError) -> DataResponse {
        DataResponse(head: ResponseHead(url: request.url, expectedByteCount: file.count), body: .complete(file))
    }
}
