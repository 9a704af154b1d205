import Bowerbird
import FoundationEssentials
import Glibc

// A disk cache by the addresses that people type.

extension DiskCache {
    /// As they typed it, and as the pipeline writes it.
    private static func sources(_ address: String) -> [String] {
        guard case .url(let url) = try? ImageSource(address), url.absoluteString != address else { return [address] }
        return [address, url.absoluteString]
    }

    /// The original where it is kept, else what was used last of all that was made of it.
    func entry(ofAddress address: String) async -> CacheEntry? {
        for source in Self.sources(address) {
            if let entry = await entry(for: CacheKey(source)) { return entry }
        }
        for source in Self.sources(address) {
            for file in await list(Query(source: source), limit: 1) {
                if let entry = await entry(for: file.key) { return entry }
            }
        }
        return nil
    }

    /// The file of the address with all that was made of it, pinned or not. Returns how many went.
    func remove(address: String) async -> Int {
        await clearing { cache in
            for source in Self.sources(address) {
                await cache.remove(source: source)
                await cache.remove(for: CacheKey(source))
            }
        }
    }

    /// By how many entries it is smaller afterwards.
    func clearing(_ body: (DiskCache) async -> Void) async -> Int {
        await flush()
        let before = await count
        await body(self)
        await flush()
        return max(0, before - (await count))
    }
}

func isFolder(_ path: String) -> Bool {
    var facts = stat()
    return unsafe stat(path, &facts) == 0 && facts.st_mode & S_IFMT == S_IFDIR
}
