import BowerbirdCore
import FoundationEssentials

// What the caches are given, and what memory gives back.

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

    /// An image cache of somebody's own need not look at the age.
    func inMemory(_ key: CacheKey, _ options: SettledOptions) -> CachedImage? {
        guard options.cachePolicy.memory.reads, let cached = configuration.imageCache?.image(for: key) else {
            return nil
        }
        guard let expiry = cached.expiry else { return cached }
        return Optional(expiry).isOver(for: cached.storedAt, at: configuration.now()) ? nil : cached
    }

    /// What memory has of it, be it stale, where the server is to be asked in any case; else nil.
    func known(_ request: AcceptedRequest) -> ProducedImage? {
        guard request.policy.network == .always, let cached = inMemory(request.imageKey, request.options),
            mayBeShown(cached.freshness, request)
        else { return nil }
        return ProducedImage(cached)
    }

    /// Keeps a finished picture, in memory and, where the request says so, behind the answer on the disk. What only an
    /// edit begins with is not kept.
    func keep(_ produced: ProducedImage, of request: AcceptedRequest, _ job: ImageJob) async -> ProducedImage {
        guard !request.isIntermediate else { return produced }
        remember(produced, for: request)
        await keepOnDisk(produced, of: request, job.priority)
        return produced.remembered(request)
    }

    func remember(_ produced: ProducedImage, for request: AcceptedRequest) {
        guard request.policy.memory.writes else { return }
        let cached = CachedImage(
            produced.image, freshness: produced.freshness, storedAt: produced.storedAt,
            expiry: request.options.expiry ?? produced.expiry)
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
            freshness: freshness, expiry: request.options.expiry, tags: request.options.tags)
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
        await pendingStores.drop(source: request.source)
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

    func isStorable(_ freshness: Freshness?, _ request: AcceptedRequest) -> Bool {
        request.options.freshness != .http || freshness?.isStorable ?? true
    }
}

extension ProducedImage {
    fileprivate init(_ cached: CachedImage) {
        self.init(
            image: cached.image, origin: .memory, freshness: cached.freshness, storedAt: cached.storedAt,
            expiry: cached.expiry, isRemembered: true)
    }

    /// After it was remembered for this request, as far as that wants it.
    func remembered(_ request: AcceptedRequest) -> ProducedImage {
        var copy = self
        copy.isRemembered = request.policy.memory.writes
        return copy
    }
}
