// The Swift of README.md, line for line, so that it compiles. `DocumentationTests` compares the two.

import Bowerbird
import BowerbirdGTK
import GTKBridge

private func loadAPicture() async throws {
    // A pipeline: every format of this build, HTTP, files and data URLs, a memory cache and a disk cache.
    var configuration = ImagePipeline.Configuration.standard()
    configuration.maximumTransferCount = 4
    let pipeline = ImagePipeline(configuration)  // `ImagePipeline.shared` where one with the defaults will do

    // A request: what is wanted, in which size, edited how. Addresses may be written as people write them.
    let request = ImageRequest(
        try ImageSource("https://example.org/photos/东方不败.jpg"),
        processors: [
            Tint(Color(red: 255, green: 140, blue: 26, alpha: 56)),
            RoundCorners(radius: 24, border: .init(width: 4, color: .white)),
        ],
        targetSize: PixelSize(width: 800, height: 600))

    // The picture, or one typed error that says which stage failed, and why.
    let image = try await pipeline.image(for: request)
    print(image.size, image.header.format)

    // Or everything that happens on the way; previews are edited like the final picture.
    for await event in pipeline.task(for: request).events {
        switch event {
        case .progress(let progress): print(progress.received, "bytes of", progress.total ?? 0)
        case .preview(let preview): print("a preview,", preview.size)
        case .cached(let image): print("from the caches, while the server is asked,", image.size)
        case .finished(.success(let response)): print("from", response.origin, "in", response.timings.total)
        case .finished(.failure(let error)): print(error)
        }
    }

    // How a picture is fetched and kept: for one request, or, in `configuration.options`, for all of a pipeline.
    var careful = request
    careful.options.cachePolicy = .refreshCached  // what is kept at once, then whether the server has a newer one
    careful.options.retry = .backoff()  // with jitter, `Retry-After` and a budget
    careful.options.keyRules = KeyRule.signedURLs  // signatures of S3, CloudFront and Google Cloud Storage do not count
    careful.alternatives = [try ImageSource("https://mirror.example/东方不败.jpg")]
    let response = try await pipeline.response(for: careful)
    print(response.origin, response.staleness?.description ?? "up to date")

    // Ahead of need, behind everything that somebody waits for; or strictly one after the other.
    ImagePrefetcher(pipeline: pipeline, destination: .disk).prefetch([request])
    for await case .loaded(let index, let response) in ImageSequenceLoader(pipeline: pipeline).images(for: [request]) {
        print(index, response.image.size)
    }
}

private func playAnAnimation(_ pipeline: ImagePipeline, _ request: ImageRequest) async throws {
    // A list can be laid out before its pictures are there: the first bytes of a file say how large each is.
    let header = try await pipeline.header(for: request)
    print(header.size, header.format, header.isAnimated)

    // An animation comes with its frames, which are decoded ahead of need, within a budget of memory, for all who look.
    let animation = try await pipeline.image(for: ImageRequest(try ImageSource("https://example.org/cat.gif")))
    if let frames = animation.frames {
        let viewer = FrameBuffer(frames, poster: animation.bitmap).join()
        var playback = AnimationPlayback(frames)
        playback.play()
        for event in playback.tick(by: .milliseconds(16), readiness: viewer.buffer.readiness) {
            if case .frame = event, let bitmap = viewer.frame(of: playback) { print(playback.frameIndex, bitmap.size) }
        }
    }
}

private func writeAnotherFormat(_ pipeline: ImagePipeline, _ request: ImageRequest) async throws {
    // Another format, in the colours of the file, with what it tells of the photograph, in no more than 200 kB.
    let file = try await pipeline.data(for: request).data
    let codecs = CodecSet.builtIn
    let picture = try file.withBytes { bytes throws(DecodingError) in
        try codecs.decode(bytes, DecodingOptions(color: .asStored))
    }
    var options = EncodingOptions(quality: 0.9)
    options.profile = picture.profile
    options.metadata = try file.withBytes { bytes throws(DecodingError) in try codecs.metadata(of: bytes) }
    let bounds = EncodingBounds(maximumSize: PixelSize(width: 1600, height: 1600), maximumByteCount: 200_000)
    let smaller = try codecs.encode(picture.bitmap, as: .avif, options, within: bounds)
    print(smaller.count, "bytes of", file.count)
}

@MainActor
private func showAPicture() throws {
    let application = try Application(id: "org.example.Viewer")
    try application.run { application in
        let view = ImageView()
        let source = try ImageSource("https://example.org/photos/large.jpg")
        view.setImage(for: ImageRequest(source), placeholder: .color(.black)) { outcome in
            if case .failure(let error) = outcome { print(error) }
        }
        let window = Window(title: "A picture", width: 800, height: 600)
        window.child = view
        window.onClosed { application.quit() }
        window.present()
    }
}
