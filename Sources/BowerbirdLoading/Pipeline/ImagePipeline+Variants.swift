public import BowerbirdCore

// One picture is kept in several sizes and edits, and in answers to several headers.

extension ImagePipeline {
    /// The keys of everything that is kept of one source.
    public struct CachedVariants: Hashable, Sendable {
        /// Of the finished pictures in the image cache.
        public var memory: [CacheKey]
        /// Of the files in the data cache, originals and finished pictures, those included that are still to be written.
        public var disk: [CacheKey]
    }

    /// What is kept of the request's source: all sizes, edits and headers, in no order. `remove(for:)` forgets all of it.
    /// A cache that cannot list its keys has none here.
    public func variants(of request: ImageRequest) async -> CachedVariants {
        let source = RememberedRequest(request, configuration.options).source
        let pending = pendingStores.keys(ofSource: source)
        let stored = await configuration.dataCache?.keys(ofSource: source) ?? []
        return CachedVariants(
            memory: configuration.imageCache?.keys(ofSource: source) ?? [],
            disk: stored + pending.filter { !stored.contains($0) })
    }

    /// The same picture without edits in the size nearest to the wanted one, where the image cache has any: the smallest
    /// that is large enough, else the largest. A placeholder for a picture that is still to be made. Never waits.
    ///
    /// It looks at every size that is kept, so that each counts as used.
    public func cachedVariant(of request: ImageRequest) -> DecodedImage? {
        let known = RememberedRequest(request, configuration.options)
        let accepted = AcceptedRequest(known, .ordinary, 0)
        guard known.options.cachePolicy.memory.reads, let cache = configuration.imageCache else { return nil }
        let variant = PictureVariant(of: known)
        let images = cache.keys(ofSource: known.source).filter(variant.includes)
            .compactMap { inMemory($0, known.options) }.filter { mayBeShown($0.freshness, accepted) }.map(\.image)
        return variant.best(of: images)
    }
}

/// A picture in whichever size, as its keys in the image cache have it.
struct PictureVariant {
    private let request: ImageRequest
    /// What follows the size in each of its keys.
    private let rest: Substring

    init(of known: RememberedRequest) {
        request = known.request
        var plain = known.request
        plain.processors = []
        plain.targetSize = nil
        rest = RememberedRequest.imageKey(plain, known.source, known.options).text.dropFirst(2)
    }

    /// Whether `key` is that of the picture without edits. One that was stretched is another picture.
    func includes(_ key: CacheKey) -> Bool {
        let lines = key.text.split(separator: "\n", maxSplits: 2, omittingEmptySubsequences: false)
        guard lines.count == 3, lines[0].isEmpty, lines[2] == rest else { return false }
        return request.scaleMode == .exact || !lines[1].hasPrefix(ScaleMode.exact.rawValue)
    }

    /// A picture whose file is no longer known has the size of a smaller one in its header.
    func best(of images: [DecodedImage]) -> DecodedImage? {
        let fullSize = images.map(\.header.size).max { $0.pixelCount < $1.pixelCount }
        guard let fullSize else { return nil }
        let wanted = request.decodingOptions(DecodingLimits()).outputSize(of: fullSize)
        let sorted = images.sorted { $0.size.pixelCount < $1.size.pixelCount }
        return sorted.first { $0.size.width >= wanted.width && $0.size.height >= wanted.height } ?? sorted.last
    }
}
