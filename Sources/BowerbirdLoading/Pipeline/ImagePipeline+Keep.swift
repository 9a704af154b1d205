import BowerbirdCore
import FoundationEssentials

// What the caches are given, and what finished pictures they give back.

extension ImagePipeline {
    /// The finished picture in memory, where the request may have it.
    func remembered(_ request: RememberedRequest) -> ProducedImage? { remembered(request.imageKey, request.options) }

    func remembered(_ request: AcceptedRequest) -> ProducedImage? { remembered(request.imageKey, request.options) }

    private func remembered(_ key: CacheKey, _ options: SettledOptions) -> ProducedImage? {
        guard options.cachePolicy.memory.reads, let cached = configuration.imageCache?.image(for: key) else {
            return nil
        }
        if let staleAt = cached.staleAt, options.freshness == .http, staleAt <= configuration.now() { return nil }
        return ProducedImage(image: cached.image, origin: .memory, isRemembered: true)
    }

    /// The finished picture on the disk, decoded; nil where there is none that is good.
    func finishedOnDisk(_ request: AcceptedRequest, _ job: ImageJob) async -> ProducedImage? {
        guard let key = request.resultKey, request.policy.disk.reads, request.policy.network != .always,
            let cache = configuration.dataCache,
            let entry = await observed(.disk, request, { await cache.entry(for: key) })
        else { return nil }
        tell(.diskLookup(byteCount: entry.data.count, address: request.request.source.address))
        let image = try? await computed(.decode, of: entry.data.count, request, job) {
            () throws(ImageError) -> DecodedImage in
            do throws(DecodingError) { return try decodeFinished(entry.data, request) } catch {
                throw ImageError(error, request.request.source)
            }
        }
        guard let image else { return nil }
        var finished = ProducedImage(image: image, origin: .disk, byteCount: entry.data.count)
        remember(finished, for: request)
        finished.isRemembered = true
        return finished
    }

    private func decodeFinished(
        _ data: EncodedImage, _ request: AcceptedRequest
    ) throws(DecodingError) -> DecodedImage {
        try data.withBytes { bytes throws(DecodingError) in
            try configuration.codecs.decode(bytes, DecodingOptions(limits: request.options.limits))
        }
    }

    /// Keeps a finished picture, in memory and, where the request says so, on the disk. What only an edit begins with is
    /// not kept.
    func keep(_ produced: ProducedImage, of request: AcceptedRequest, _ job: ImageJob) async -> ProducedImage {
        guard !request.isIntermediate else { return produced }
        remember(produced, for: request)
        await keepOnDisk(produced.image, of: request, job)
        var kept = produced
        kept.isRemembered = true
        return kept
    }

    private func keepOnDisk(_ image: DecodedImage, of request: AcceptedRequest, _ job: ImageJob) async {
        guard let key = request.resultKey, let format = request.options.diskContent.processedFormat,
            request.isRemote, request.policy.disk.writes, let cache = configuration.dataCache
        else { return }
        let file = try? await computed(.encode, of: image.bitmap.byteCount, request, job) { () throws(ImageError) in
            try? configuration.codecs.encode(image.bitmap, as: format)
        }
        guard let file = file ?? nil else { return }
        let entry = CacheEntry(data: file, url: request.source, mediaType: format.mediaType)
        await cache.store(entry, for: key)
    }

    func remember(_ produced: ProducedImage, for request: AcceptedRequest) {
        guard request.policy.memory.writes else { return }
        let cached = CachedImage(produced.image, staleAt: produced.staleAt)
        configuration.imageCache?.store(cached, for: request.imageKey)
    }

    /// Keeps the bytes of a file, or the news that those which are there are still right. What begins like no picture
    /// is not kept: an error page would be shown as a damaged file for ever.
    func keep(_ transferred: Transferred, of request: AcceptedRequest) async {
        guard request.policy.disk.writes, request.keepsOriginal, let cache = configuration.dataCache else { return }
        switch transferred {
        case .unchanged: break
        case .file(let data, let head, let freshness):
            guard isPicture(data), head.status != 206, isStorable(freshness, request) else { return }
            let entry = CacheEntry(
                data: data, url: head.url.absoluteString, mediaType: head["content-type"], freshness: freshness)
            await cache.store(entry, for: request.diskKey)
        }
    }

    private func isStorable(_ freshness: Freshness, _ request: AcceptedRequest) -> Bool {
        request.options.freshness != .http || freshness.isStorable
    }
}
