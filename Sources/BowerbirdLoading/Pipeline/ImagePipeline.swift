public import BowerbirdCore

/// Loads, decodes, edits and caches pictures: the front door.
///
///     let image = try await pipeline.image(for: ImageRequest(url: url))
///
/// Equal requests that overlap are one transfer and one decoding, and all get the same bitmap. Any thread may use it;
/// nothing here blocks. Its work stops when the last asker leaves.
public final class ImagePipeline: Sendable {
    let configuration: Configuration
    let images: SharedWork<CacheKey, ImageUpdate, ProducedImage>
    let originals: SharedWork<CacheKey, OriginalUpdate, Original>
    let transferSlots: WorkQueue
    let decodeSlots: WorkQueue

    /// Starts nothing: threads and files come with the first request.
    public init(_ configuration: Configuration) {
        self.configuration = configuration
        images = SharedWork(executor: DecodeExecutor())
        originals = SharedWork()
        transferSlots = WorkQueue(limit: configuration.maximumTransferCount)
        decodeSlots = WorkQueue(limit: configuration.maximumDecodeCount)
    }

    /// The picture. Throws `.cancelled` when the task is cancelled.
    public func image(for request: ImageRequest) async throws(ImageError) -> DecodedImage {
        try await response(for: request).image
    }

    /// The picture, where it came from and how long it took. Throws `.cancelled` when the task is cancelled.
    public func response(for request: ImageRequest) async throws(ImageError) -> ImageResponse {
        try await task(for: request).response
    }

    /// Starts loading, for progress, previews and the possibility to leave. The work has begun when this returns; a
    /// picture in the image cache ends the task at once.
    public func task(for request: ImageRequest) -> ImageTask {
        let task = ImageTask(request)
        let request = accept(request)
        if let image = configuration.imageCache?.image(for: request.imageKey) {
            task.end(with: .success(ProducedImage(image: image, origin: .memory)))
        } else {
            let membership = images.join(request.workKey, task, priority: WorkPriority()) { job in
                await ImageError.catching { () async throws(ImageError) in try await self.produce(request, job.report) }
            }
            task.attach(membership)
        }
        return task
    }

    /// The picture, where the image cache has it. Never waits, so that a view can show it in the frame that asks.
    public func cachedImage(for request: ImageRequest) -> DecodedImage? {
        configuration.imageCache?.image(for: accept(request).imageKey)
    }

    /// The original bytes, not decoded, from the data cache or by a transfer that other requests for them share. Bytes
    /// that are no picture throw `.decoding`. `progress` is called on no particular thread, in order, the newest wins.
    public func data(
        for request: ImageRequest, progress: (@Sendable (TransferProgress) -> Void)? = nil
    ) async throws(ImageError) -> DataResult {
        let original = try await original(for: accept(request)) { update in progress?(update.progress) }
        guard isPicture(original.data) else {
            throw ImageError(original.data.withBytes(DecodingError.unrecognized), request.source)
        }
        return DataResult(data: original.data, origin: original.origin)
    }

    private func accept(_ request: ImageRequest) -> AcceptedRequest {
        AcceptedRequest(request, transferSlots.takeTicket())
    }

    /// Waits until nothing runs, not even work that was abandoned: what a test wants to know at its end.
    package func waitUntilIdle() async {
        await images.waitUntilIdle()
        await originals.waitUntilIdle()
    }

    /// Whether the bytes begin like a picture of any known format, decodable here or not.
    func isPicture(_ data: EncodedImage) -> Bool {
        data.format != nil || configuration.codecs.decoder(for: data) != nil
    }

    /// The answer of `data(for:progress:)`.
    public struct DataResult: Sendable {
        /// The bytes of the file, whole.
        public var data: EncodedImage
        /// Where they were found.
        public var origin: ImageResponse.Origin
    }
}
