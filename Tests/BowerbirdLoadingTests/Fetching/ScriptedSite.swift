import BowerbirdCore
import BowerbirdLoading
import BowerbirdTestSupport
import FoundationEssentials

/// A scripted server with one picture that may change, a pipeline that asks for it, and the clock of both.
final class ScriptedSite: Sendable {
    /// What the server has, and how it is.
    struct Picture: Sendable {
        var color = Color.black
        var eTag: String? = "\"1\""
        var headers: [String: String] = [:]
        var failure: LoadingError?
        var status = 200
    }

    let fixture: PipelineFixture
    let clock: ManualClock
    private let server: Server

    private final class Server: Sendable {
        let picture: Lock<Picture>

        init(_ picture: Picture) { self.picture = Lock(picture) }
    }

    init(
        _ picture: Picture = Picture(), address: String = PipelineFixture.address,
        configure: (inout ImagePipeline.Configuration) -> Void = { _ in }
    ) {
        let (server, clock) = (Server(picture), ManualClock())
        fixture = PipelineFixture {
            $0.clock = clock
            $0.now = { clock.date }
            configure(&$0)
        }
        (self.server, self.clock) = (server, clock)
        fixture.loader.setAnswer(for: address) { request in Self.answer(server.picture.withLock { $0 }, request) }
    }

    /// As a server that knows its versions does it.
    private static func answer(_ picture: Picture, _ request: DataRequest) -> ScriptedLoader.Answer {
        if let failure = picture.failure { return .init([.failure(failure)]) }
        guard picture.status == 200 else { return .init(status: picture.status) }
        var headers = picture.headers
        headers["etag"] = picture.eTag
        if picture.eTag != nil, request.headers["If-None-Match"] == picture.eTag {
            return .init(status: 304, headers: headers)
        }
        return .init(headers: headers, [.chunk(SolidImage.file(picture.color))])
    }

    func change(_ body: (inout Picture) -> Void) { server.picture.withLock { body(&$0) } }

    var pipeline: ImagePipeline { fixture.pipeline }
    /// What the server was asked.
    var requests: [DataRequest] { fixture.loader.requests }
    /// The `If-None-Match` of each; empty for a plain one.
    var conditions: [String] { requests.map { $0.headers["If-None-Match"] ?? "" } }

    func request(
        _ freshness: FreshnessPolicy? = nil, _ cachePolicy: CachePolicy? = nil,
        processors: [any ImageProcessor] = [], headers: [String: String] = [:]
    ) throws -> ImageRequest {
        var request = ImageRequest(
            try ImageSource(PipelineFixture.address), processors: processors, headers: headers)
        request.options.freshness = freshness
        request.options.cachePolicy = cachePolicy
        return request
    }

    func load(_ request: ImageRequest) async throws -> ImageResponse { try await pipeline.response(for: request) }

    /// From the disk, as after a start of the program.
    func loadWithoutMemory(_ request: ImageRequest) async throws -> ImageResponse {
        fixture.images.removeAll()
        return try await load(request)
    }
}

extension ImageResponse {
    /// Of the first pixel: 0 for a black picture, 255 for a white one.
    var brightness: UInt8? { image.brightness }
}

extension DecodedImage {
    var brightness: UInt8? { bitmap.withRow(0) { $0.byte(at: 0) } }
}

extension [ImageEvent] {
    var cached: [DecodedImage] { compactMap { if case .cached(let image) = $0 { image } else { nil } } }
    var progress: [TransferProgress] { compactMap { if case .progress(let progress) = $0 { progress } else { nil } } }
    var outcome: Result<ImageResponse, ImageError>? {
        if case .finished(let outcome)? = last { outcome } else { nil }
    }
}

extension ImageError {
    /// For the fixture's own address.
    static func loading(_ error: LoadingError) -> ImageError { .loading(error, address: PipelineFixture.address) }
}
