import Bowerbird

extension Topic {
    /// One operation of the memory cache, keys made beforehand.
    static let caches = Topic("Caches") {
        try await memoryFigures()
    }
}

private let memoryCount = 10_000
private let memoryRuns = 15

private func memoryFigures() async throws -> [Figure] {
    let image = try smallImage()
    let keys = (0..<memoryCount).map { CacheKey("https://example.org/pictures/\($0).jpg") }
    let others = (0..<memoryCount).map { CacheKey("https://example.org/others/\($0).jpg") }
    var stores = Samples()
    var hits = Samples()
    var misses = Samples()
    for _ in 0..<memoryRuns {
        let cache = MemoryCache()
        await stores.add(.processor) { for key in keys { cache.store(CachedImage(image), for: key) } }
        await hits.add(.processor) { for key in keys { precondition(cache.image(for: key) != nil) } }
        await misses.add(.processor) { for key in others { precondition(cache.image(for: key) == nil) } }
    }
    return [("store", stores), ("hit", hits), ("miss", misses)].map { name, samples in
        Figure("memory, \(memoryCount) entries, \(name)", samples.divided(by: memoryCount), .nanoseconds)
    }
}

private func smallImage() throws -> DecodedImage {
    let size = PixelSize(width: 1, height: 1)
    guard let buffer = PixelBuffer(size: size) else { throw CannotMeasure("there is no memory") }
    return DecodedImage(bitmap: buffer.freeze(), header: ImageHeader(format: .png, storedSize: size))
}
