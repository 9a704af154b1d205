public import BowerbirdCore

/// Loads, decodes, edits and caches pictures: the front door.
///
///     let image = try await pipeline.image(for: ImageRequest(url: url))
///
/// Equal requests that overlap are one transfer and one decoding, and all get the same bitmap. Any thread may use it;
/// nothing here blocks. Its work stops when the last asker leaves. Pipelines are independent of each other: each has
/// its own caches, order and limits, but for those of its parts that you give to several.
public final class ImagePipeline: Sendable {
    /// As it was given: a pipeline does not change, but for its limits.
    public let configuration: Configuration
    /// What failed a short time ago and is not asked for again; see `Configuration.failurePolicy`.
    public let failures: FailureList
    let pictures: SharedWork<CacheKey, ImageUpdate, ProducedImage>
    let originals: SharedWork<CacheKey, OriginalUpdate, Original>
    let transfers: SharedWork<CacheKey, ArrivedBytes, Transferred>
    let transferSlots: WorkQueue
    let decodeSlots: WorkQueue
    let readSlots: WorkQueue
    let pendingStores: PendingStores
    let partials: PartialFiles
    let credentials: Credentials
    /// Of those who were spoken of as unencrypted.
    let plainHosts = Lock<Set<String>>([])
    /// Calls of `data(for:progress:)` that have not ended.
    let fileCount = Lock(0)

    /// Starts nothing: threads and files come with the first request.
    public convenience init(_ configuration: Configuration) { self.init(configuration, executor: nil) }

    /// With an executor, everything of the pipeline's own runs on it.
    package init(_ configuration: Configuration, executor: (any TaskExecutor)?) {
        self.configuration = configuration
        failures = FailureList(policy: configuration.failurePolicy)
        let loading = WorkExecutor.loading()
        pictures = SharedWork(executor: executor ?? WorkExecutor.decoding(with: loading))
        originals = SharedWork(executor: executor ?? loading)
        transfers = SharedWork(executor: executor ?? loading)
        transferSlots = WorkQueue(limit: configuration.maximumTransferCount)
        decodeSlots = WorkQueue(limit: configuration.maximumDecodeCount)
        readSlots = WorkQueue(limit: configuration.maximumDiskReadCount)
        pendingStores = PendingStores(executor: executor ?? WorkExecutor.storing())
        partials = PartialFiles(byteLimit: configuration.partialFileByteLimit)
        credentials = Credentials(configuration.credentialProvider, executor: executor ?? loading)
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
    /// picture in the image cache, or a request that can only fail, ends the task at once.
    public func task(for request: ImageRequest) -> ImageTask { task(for: request, in: .ordinary) }

    /// The picture, where the image cache has it. Never waits, so that a view can show it in the frame that asks.
    public func cachedImage(for request: ImageRequest) -> DecodedImage? {
        remembered(RememberedRequest(request, configuration.options))?.image
    }

    func task(for request: ImageRequest, in lane: WorkPriority.Lane) -> ImageTask {
        let accepted = AcceptedRequest(request, configuration.options, lane, transferSlots.takeTicket())
        let task = ImageTask(request, id: accepted.ticket, accepted.priority, hooks(of: accepted))
        tell(.asked(task.id, address: request.source.address))
        begin(accepted, task)
        return task
    }

    /// A picture that was made as the beginning of an edit is remembered for those who asked for itself.
    private func hooks(of request: AcceptedRequest) -> ImageTask.Hooks {
        var hooks = ImageTask.Hooks { [weak self] produced in
            if !produced.isRemembered { self?.remember(produced, for: request) }
        }
        guard isObserved else { return hooks }
        hooks.onEnd = { [weak self] outcome in
            self?.tell(.answered(request.ticket, address: request.request.source.address, outcome))
        }
        return hooks
    }

    private func begin(_ request: AcceptedRequest, _ task: ImageTask) {
        if let refusal = refusal(of: request) { return task.finish(.failure(refusal)) }
        if request.policy.network != .always, let known = lookedUp(request) { return task.finish(.success(known)) }
        let membership = pictures.join(request.workKey, task, priority: request.priority) { job in
            await ImageError.catching { () async throws(ImageError) in try await self.produceFirst(of: request, job) }
        }
        task.attach(membership)
    }

    private func lookedUp(_ request: AcceptedRequest) -> ProducedImage? {
        let known = remembered(request)
        if request.policy.memory.reads {
            tell(.memoryLookup(isHit: known != nil, address: request.request.source.address))
        }
        return known
    }
}
