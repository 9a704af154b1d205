import Bowerbird
import FoundationEssentials

extension Topic {
    /// What the pipeline itself costs: a picture that memory has, and a small one through all of it.
    static let pipeline = Topic("Pipeline") {
        let loader = try InstantLoader()
        return try await [hit(loader)] + through(loader)
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
    return Figure("cachedImage(for:), hit", samples.divided(by: hitCount), .microseconds)
}

/// Pictures one after the other, through a pipeline without caches and by hand.
private func through(_ loader: InstantLoader) async throws -> [Figure] {
    let codecs = CodecSet.builtIn
    let pipeline = ImagePipeline(.init(loader: loader, codecs: codecs))
    let requests = try (0..<imageCount).map(loader.request)
    let comparison = try await Comparison.interleaved(.processor) {
        for request in requests { _ = try await pipeline.image(for: request) }
    } _: {
        for request in requests {
            guard case .url(let url) = request.source else { continue }
            let response = try await loader.response(for: DataRequest(url: url))
            guard case .complete(let file) = response.body else { continue }
            _ = try file.withBytes { try codecs.decode($0, DecodingOptions()) }
        }
    }
    let through = comparison.subject.divided(by: imageCount)
    let byHand = comparison.reference.divided(by: imageCount)
    let overhead = through.spread.median - byHand.spread.median
    return [
        Figure("a picture of 64 × 64 through the pipeline", through, .microseconds),
        Figure("the same by hand: loader, then decoder", byHand, .microseconds),
        Figure(name: "the pipeline's part of it, by the medians", value: overhead * 1e6, unit: .microseconds),
    ]
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
