import BowerbirdCore
import FoundationEssentials

// What the caches are given, and what finished pictures they give back.

extension ImagePipeline {
    /// The finished picture in memory, where the request may have it.
    func remembered(_ request: RememberedRequest) -> ProducedImage? {
        guard request.options.freshness == .keep else { return remembered(AcceptedRequest(request, .ordinary, 0)) }
        return inMemory(request.imageKey, request.options).map(ProducedImage.init)
    }

    func remembered(_ request: AcceptedRequest) -> ProducedImage? {
        guard let cached = inMemory(request.imageKey, request.options),
            request.options.freshness == .keep
                || decision(on: cached.freshness, storedAt: cached.storedAt, request) == .use
        else { return nil }
        return ProducedImage(cached)
    }

    private func inMemory(_ key: CacheKey, _ options: SettledOptions) -> CachedImage? {
        options.cachePolicy.memory.reads ? configuration.imageCache?.image(for: key) : nil
    }

    /// What memory has of it, be it stale, where the server is to be asked in any case; else nil.
    func known(_ request: AcceptedRequest) -> ProducedImage? {
        guard request.policy.network == .always, let cached = inMemory(request.imageKey, request.options),
            mayBeShown(cached.freshness, request)
        else { return nil }
        return ProducedImage(cached)
    }

    /// The finished picture on the disk, decoded; nil where there is none that is good.
    func finishedOnDisk(_ request: AcceptedRequest, _ job: ImageJob) async -> ProducedImage? {
        guard let key = request.resultKey, request.policy.disk.reads, let cache = configuration.dataCache,
            let entry = await observed(.disk, request, { await cache.entry(for: key) }), isUsable(entry, request)
        else { return nil }
        tell(.diskLookup(byteCount: entry.data.count, address: request.request.source.address))
        let image = try? await computed(.decode, of: entry.data.count, request, job) {
            () throws(ImageError) -> DecodedImage in
            do throws(DecodingError) { return try decodeFinished(entry.data, request) } catch {
                throw ImageError(error, request.request.source)
            }
        }
        guard let image else { return nil }
        let finished = ProducedImage(image, of: Original(entry))
        remember(finished, for: request)
        return finished.remembered(request)
    }

    /// Where the server is not asked, or is asked anyway, it may be stale.
    private func isUsable(_ entry: CacheEntry, _ request: AcceptedRequest) -> Bool {
        guard request.policy.network == .whenMissing else { return mayBeShown(entry.freshness, request) }
        return decision(on: entry.freshness, storedAt: entry.storedAt, request) == .use
    }

    private func decodeFinished(
        _ data: EncodedImage, _ request: AcceptedRequest
    ) throws(DecodingError) -> DecodedImage {
        let options = DecodingOptions(limits: request.options.limits)
        let codecs = configuration.codecs
        let image = try data.withBytes { bytes throws(DecodingError) in try codecs.decode(bytes, options) }
        return image.withFrames(of: data, codecs, options)
    }

    /// Keeps a finished picture, in memory and, where the request says so, on the disk. What only an edit begins with is
    /// not kept.
    func keep(_ produced: ProducedImage, of request: AcceptedRequest, _ job: ImageJob) async -> ProducedImage {
        guard !request.isIntermediate else { return produced }
        remember(produced, for: request)
        await keepOnDisk(produced, of: request, job)
        return produced.remembered(request)
    }

    private func keepOnDisk(_ produced: ProducedImage, of request: AcceptedRequest, _ job: ImageJob) async {
        guard let key = request.resultKey, let format = request.options.diskContent.processedFormat,
            request.isRemote, request.policy.disk.writes, isStorable(produced.freshness, request),
            let cache = configuration.dataCache
        else { return }
        let image = produced.image
        let file = try? await computed(.encode, of: image.bitmap.byteCount, request, job) { () throws(ImageError) in
            try? written(image, as: format)
        }
        guard let file = file ?? nil else { return }
        let entry = CacheEntry(
            data: file, url: request.source, mediaType: format.mediaType,
            storedAt: produced.storedAt ?? configuration.now(), freshness: produced.freshness)
        await cache.store(entry, for: key)
    }

    /// An animation stays one: a format of stills does not keep it.
    private func written(_ image: DecodedImage, as format: ImageFormat) throws(EncodingError) -> EncodedImage {
        guard let frames = image.frames else { return try configuration.codecs.encode(image.bitmap, as: format) }
        return try configuration.codecs.encode(frames, as: format)
    }

    func remember(_ produced: ProducedImage, for request: AcceptedRequest) {
        guard request.policy.memory.writes else { return }
        let cached = CachedImage(produced.image, freshness: produced.freshness, storedAt: produced.storedAt)
        configuration.imageCache?.store(cached, for: request.imageKey)
    }

    /// Keeps the bytes of a file, in place of those that are there, and of all that was made of them. What begins like no
    /// picture is not kept, and replaces nothing: an error page would be shown as a damaged file for ever.
    func keep(
        _ data: EncodedImage, _ head: ResponseHead, _ freshness: Freshness, of request: AcceptedRequest,
        replacing old: CacheEntry?
    ) async {
        guard isWorthKeeping(data, request), head.status != 206 else { return }
        if isAnother(data, than: old, request) { await forgetOlder(request) }
        guard request.policy.disk.writes, request.keepsOriginal, let cache = configuration.dataCache else { return }
        guard isStorable(freshness, request) else { return await cache.remove(for: request.diskKey) }
        let entry = CacheEntry(
            data: data, url: head.url.absoluteString, mediaType: head["content-type"], storedAt: freshness.receivedAt,
            freshness: freshness)
        await cache.store(entry, for: request.diskKey)
    }

    /// Whether the bytes may be others than those of which the caches have pictures. Where the caches were passed over,
    /// nobody knows.
    private func isAnother(_ data: EncodedImage, than old: CacheEntry?, _ request: AcceptedRequest) -> Bool {
        if let old { return !data.hasEqualBytes(to: old.data) }
        return request.policy.network == .always || request.policy.disk == .writeOnly
            || request.policy.memory == .writeOnly
    }

    private func forgetOlder(_ request: AcceptedRequest) async {
        if request.policy.memory.writes { configuration.imageCache?.remove(source: request.source) }
        if request.policy.disk.writes { await configuration.dataCache?.remove(source: request.source) }
    }

    /// Whether the bytes begin like a picture. Of those that are still to be transformed, nobody knows.
    func isWorthKeeping(_ data: EncodedImage, _ request: AcceptedRequest) -> Bool {
        request.options.transform != nil || isPicture(data)
    }

    func unrecognized(_ data: EncodedImage, _ request: AcceptedRequest) -> ImageError {
        ImageError(data.withBytes(DecodingError.unrecognized), request.request.source)
    }

    private func isStorable(_ freshness: Freshness?, _ request: AcceptedRequest) -> Bool {
        request.options.freshness != .http || freshness?.isStorable ?? true
    }
}

extension ProducedImage {
    fileprivate init(_ cached: CachedImage) {
        self.init(
            image: cached.image, origin: .memory, freshness: cached.freshness, storedAt: cached.storedAt,
            isRemembered: true)
    }

    /// After it was remembered for this request, as far as that wants it.
    fileprivate func remembered(_ request: AcceptedRequest) -> ProducedImage {
        var copy = self
        copy.isRemembered = request.policy.memory.writes
        return copy
    }
}
