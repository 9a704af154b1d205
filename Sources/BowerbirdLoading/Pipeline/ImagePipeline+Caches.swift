public import BowerbirdCore
import FoundationEssentials

// The caches, through the front door: no application needs to know their keys.

extension ImagePipeline {
    /// Where pictures are kept.
    public struct CacheLocations: OptionSet, Hashable, Sendable {
        public let rawValue: Int
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// The finished picture, in the image cache.
        public static let memory = CacheLocations(rawValue: 1)
        /// The original bytes, or the finished picture where the request keeps that (`DiskContent`), in the data cache.
        public static let disk = CacheLocations(rawValue: 2)
    }

    /// Where the picture is kept now, whatever the request's policy says. Bytes on the disk are not looked at.
    public func locations(of request: ImageRequest) async -> CacheLocations {
        let request = AcceptedRequest(request, configuration.options)
        var locations: CacheLocations = []
        if configuration.imageCache?.image(for: request.imageKey) != nil { locations.insert(.memory) }
        if await isOnDisk(request) { locations.insert(.disk) }
        return locations
    }

    private func isOnDisk(_ request: AcceptedRequest) async -> Bool {
        guard request.isRemote, let cache = configuration.dataCache else { return false }
        if let key = request.resultKey, pendingStores.picture(for: key) != nil { return true }
        for key in [request.diskKey, request.resultKey].compactMap(\.self) where await cache.contains(key) {
            return true
        }
        return false
    }

    /// The key of the finished picture in the image cache.
    public func imageCacheKey(for request: ImageRequest) -> CacheKey {
        RememberedRequest(request, configuration.options).imageKey
    }

    /// The key of the original bytes in the data cache.
    public func dataCacheKey(for request: ImageRequest) -> CacheKey {
        AcceptedRequest(request, configuration.options).diskKey
    }

    /// Forgets everything of the request's source: the original, and all sizes and edits, in memory and on the disk; and
    /// that it failed, where it did. What is being loaded at the moment is kept when it has come.
    public func remove(for request: ImageRequest) async {
        let request = AcceptedRequest(request, configuration.options)
        await forgetOnDisk(request)
        forget(request)
    }

    /// Together with what is still on its way there.
    func forgetOnDisk(_ request: AcceptedRequest) async {
        await pendingStores.drop(source: request.source)
        await configuration.dataCache?.remove(source: request.source)
    }

    /// Empties both caches, the list of failures, and what is kept of transfers that were cut. What is being loaded at
    /// the moment is kept when it has come.
    public func removeAll() async {
        await pendingStores.drop()
        await configuration.dataCache?.removeAll()
        configuration.imageCache?.removeAll()
        failures.removeAll()
        partials.removeAll()
    }

    func forget(_ request: AcceptedRequest) {
        configuration.imageCache?.remove(source: request.source)
        failures.remove(source: request.source)
        _ = partials.take(request.partialKey)
    }
}

// What a prefetcher need not bring.
extension ImagePipeline {
    /// Whether memory alone would answer the request.
    func isAnsweredByMemory(_ request: ImageRequest) -> Bool {
        let request = RememberedRequest(request, configuration.options)
        return request.options.cachePolicy.network != .always && remembered(request) != nil
    }

    /// Whether the data cache alone would give the request its original bytes, of which no clock says that they are old.
    func isAnsweredByDisk(_ request: ImageRequest) async -> Bool {
        let request = AcceptedRequest(request, configuration.options)
        guard request.isRemote, request.policy.disk.reads, request.policy.network != .always,
            request.options.freshness == .keep
        else { return false }
        return await configuration.dataCache?.contains(request.diskKey) == true
    }
}
