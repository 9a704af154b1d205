import BowerbirdCore

// One transfer among all processes that share a data cache.

extension ImagePipeline {
    /// The right to load the file, where the data cache is shared with others, and the file as one of them has loaded it
    /// since this one looked. Without either, it is loaded.
    func claim(
        _ request: AcceptedRequest, _ priority: PriorityRelay, insteadOf damaged: EncodedImage?
    ) async -> (claim: CacheClaim?, entry: CacheEntry?) {
        guard request.policy.disk.reads, request.policy.disk.writes, request.keepsOriginal,
            let cache = configuration.dataCache as? any SharedDataCache,
            let claim = await cache.claim(request.diskKey)
        else { return (nil, nil) }
        return (claim, await entryOfOthers(cache, request, priority, insteadOf: damaged))
    }

    private func entryOfOthers(
        _ cache: any SharedDataCache, _ request: AcceptedRequest, _ priority: PriorityRelay,
        insteadOf damaged: EncodedImage?
    ) async -> CacheEntry? {
        guard await cache.contains(request.diskKey), let entry = await read(request.diskKey, request, priority),
            case .use(let entry) = decision(on: entry, request)
        else { return nil }
        return damaged.map { entry.data.hasEqualBytes(to: $0) } == true ? nil : entry
    }
}
