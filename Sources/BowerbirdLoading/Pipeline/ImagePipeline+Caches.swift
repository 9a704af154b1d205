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
        /// The original bytes, in the data cache.
        public static let disk = CacheLocations(rawValue: 2)
    }

    /// Where the picture is kept now.
    public func locations(of request: ImageRequest) async -> CacheLocations {
        let request = AcceptedRequest(request, configuration.options)
        var locations: CacheLocations = []
        if configuration.imageCache?.image(for: request.imageKey) != nil { locations.insert(.memory) }
        if await configuration.dataCache?.contains(request.diskKey) == true { locations.insert(.disk) }
        return locations
    }

    /// The key of the finished picture in the image cache.
    public func imageCacheKey(for request: ImageRequest) -> CacheKey {
        AcceptedRequest(request, configuration.options).imageKey
    }

    /// The key of the original bytes in the data cache.
    public func dataCacheKey(for request: ImageRequest) -> CacheKey {
        AcceptedRequest(request, configuration.options).diskKey
    }

    /// Keeps a file as if it had been loaded for `request`: in the data cache, whatever the request's policy says. The
    /// pictures that were made of an older one are forgotten.
    public func store(_ data: EncodedImage, for request: ImageRequest) async {
        let request = AcceptedRequest(request, configuration.options)
        configuration.imageCache?.remove(source: request.source)
        let entry = CacheEntry(
            data: data, url: request.source, mediaType: data.format?.mediaType, storedAt: configuration.now())
        await configuration.dataCache?.store(entry, for: request.diskKey)
        failures.remove(source: request.source)
    }

    /// Keeps a picture as the finished one of `request` in memory. With a format, the picture is also written in it and
    /// kept as the file from which every other size and edit is made. Throws what the format's encoder throws.
    public func store(
        _ image: DecodedImage, for request: ImageRequest, as format: ImageFormat? = nil
    ) async throws(EncodingError) {
        if let format { await store(try configuration.codecs.encode(image.bitmap, as: format), for: request) }
        let key = AcceptedRequest(request, configuration.options).imageKey
        configuration.imageCache?.store(CachedImage(image), for: key)
    }

    /// Forgets everything of the request's source: the original, and all sizes and edits, in memory and on the disk; and
    /// that it failed, where it did.
    public func remove(for request: ImageRequest) async {
        let source = AcceptedRequest(request, configuration.options).source
        configuration.imageCache?.remove(source: source)
        failures.remove(source: source)
        await configuration.dataCache?.remove(source: source)
    }

    /// Empties both caches, the list of failures, and what is kept of transfers that were cut.
    public func removeAll() async {
        configuration.imageCache?.removeAll()
        failures.removeAll()
        partials.removeAll()
        await configuration.dataCache?.removeAll()
    }
}
