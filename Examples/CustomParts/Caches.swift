import Bowerbird
import Synchronization

/// Pictures in a dictionary that only grows.
final class Pictures: ImageCache {
    private let pictures = Mutex<[CacheKey: CachedImage]>([:])

    func image(for key: CacheKey) -> CachedImage? { pictures.withLock { $0[key] } }
    func store(_ image: CachedImage, for key: CacheKey) { pictures.withLock { $0[key] = image } }
    func remove(for key: CacheKey) { pictures.withLock { $0[key] = nil } }
    func remove(source: String) { pictures.withLock { $0 = $0.filter { $0.key.source != source } } }
    func removeAll() { pictures.withLock { $0 = [:] } }
}

/// Files in another one. Where a real one waits for something, an actor will do as well.
actor Files: DataCache {
    private var files: [CacheKey: CacheEntry] = [:]

    func entry(for key: CacheKey) -> CacheEntry? { files[key] }
    func store(_ entry: CacheEntry, for key: CacheKey) { files[key] = entry }
    func remove(for key: CacheKey) { files[key] = nil }
    func remove(source: String) { files = files.filter { $0.key.source != source } }
    func removeAll() { files = [:] }
}
