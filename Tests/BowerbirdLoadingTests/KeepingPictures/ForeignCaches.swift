import BowerbirdCore
import BowerbirdLoading
import BowerbirdTestSupport

// Caches as somebody else may write them: no more than the protocols demand.

/// Keeps everything, and takes its time.
actor SlowFiles: DataCache {
    private var files: [CacheKey: CacheEntry] = [:]

    private func wait() async { for _ in 0..<20 { await Task.yield() } }

    func entry(for key: CacheKey) async -> CacheEntry? {
        await wait()
        return files[key]
    }

    func store(_ entry: CacheEntry, for key: CacheKey) async {
        await wait()
        files[key] = entry
    }

    func remove(for key: CacheKey) async {
        await wait()
        files[key] = nil
    }

    func remove(source: String) async {
        await wait()
        files = files.filter { $0.key.source != source }
    }

    func removeAll() async {
        await wait()
        files = [:]
    }
}

/// Keeps nothing.
struct ForgetfulFiles: DataCache {
    func entry(for key: CacheKey) async -> CacheEntry? { nil }
    func store(_ entry: CacheEntry, for key: CacheKey) async {}
    func remove(for key: CacheKey) async {}
    func remove(source: String) async {}
    func removeAll() async {}
}

/// Keeps nothing.
struct ForgetfulImages: ImageCache {
    func image(for key: CacheKey) -> CachedImage? { nil }
    func store(_ image: CachedImage, for key: CacheKey) {}
    func remove(for key: CacheKey) {}
    func remove(source: String) {}
    func removeAll() {}
}

/// Loses every other entry, as chance wants it: when it is stored, or later.
final class LossyFiles: DataCache {
    private let random: Lock<SeededRandom>
    private let files = DictionaryDataCache()

    init(seed: UInt64) { random = Lock(SeededRandom(seed: seed)) }

    private var loses: Bool { random.withLock { Bool.random(using: &$0) } }

    func entry(for key: CacheKey) async -> CacheEntry? {
        if loses { await files.remove(for: key) }
        return await files.entry(for: key)
    }

    func store(_ entry: CacheEntry, for key: CacheKey) async { if !loses { await files.store(entry, for: key) } }
    func remove(for key: CacheKey) async { await files.remove(for: key) }
    func remove(source: String) async { await files.remove(source: source) }
    func removeAll() async { await files.removeAll() }
}

/// Gives back whatever it was told to, until that is removed or replaced.
final class SpoiledFiles: DataCache {
    private let files = DictionaryDataCache()
    private let spoiled = Lock<[EncodedImage]>([])
    private let keepsDamage: Bool

    /// With `keepsDamage`, what it has cannot be removed.
    init(keepsDamage: Bool = false) { self.keepsDamage = keepsDamage }

    var all: [CacheEntry] { files.all }

    /// What the next lookups find in place of what is there, one after the other.
    func spoil(_ files: [EncodedImage]) { spoiled.withLock { $0 = files } }

    func entry(for key: CacheKey) async -> CacheEntry? {
        guard var entry = await files.entry(for: key) else { return nil }
        let damage = spoiled.withLock { spoiled in
            keepsDamage ? spoiled.first : spoiled.isEmpty ? nil : spoiled.removeFirst()
        }
        if let damage { entry.data = damage }
        return entry
    }

    func store(_ entry: CacheEntry, for key: CacheKey) async { await files.store(entry, for: key) }
    func remove(for key: CacheKey) async { if !keepsDamage { await files.remove(for: key) } }
    func remove(source: String) async { if !keepsDamage { await files.remove(source: source) } }
    func removeAll() async { if !keepsDamage { await files.removeAll() } }
}

/// Mixes up its entries: whoever asks is given any that is there.
final class MixedUpFiles: DataCache {
    private let files = DictionaryDataCache()

    func entry(for key: CacheKey) async -> CacheEntry? { files.all.min { $0.url < $1.url } }
    func store(_ entry: CacheEntry, for key: CacheKey) async { await files.store(entry, for: key) }
    func remove(for key: CacheKey) async { await files.remove(for: key) }
    func remove(source: String) async { await files.remove(source: source) }
    func removeAll() async { await files.removeAll() }
}

/// Lets nobody read, or nobody write, while its gates are shut, and remembers in which order it was asked.
final class GatedFiles: DataCache {
    let reading: Gate
    let writing: Gate
    let files = DictionaryDataCache()
    let asked = Record<CacheKey>()

    init(reading: Gate = Gate(isOpen: true), writing: Gate = Gate(isOpen: true)) {
        self.reading = reading
        self.writing = writing
    }

    func entry(for key: CacheKey) async -> CacheEntry? {
        asked.note(key)
        await reading.pass(ignoresCancellation: true)
        return await files.entry(for: key)
    }

    func store(_ entry: CacheEntry, for key: CacheKey) async {
        await writing.pass(ignoresCancellation: true)
        await files.store(entry, for: key)
    }

    func remove(for key: CacheKey) async { await files.remove(for: key) }
    func remove(source: String) async { await files.remove(source: source) }
    func removeAll() async { await files.removeAll() }
}
