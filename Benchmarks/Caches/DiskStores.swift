import Bowerbird

/// What the disk cache and the designs of others have to do in the measurements. Entries are numbered.
protocol MeasuredDiskStore {
    func write(_ numbers: Range<Int>) throws
    /// The number of bytes of the entry, which are read into memory; nil for a miss.
    func read(_ number: Int) throws -> Int?
    func remove(_ numbers: Range<Int>) throws
    func trimHalf() async throws
}

/// The entries of one measurement, their names made beforehand.
final class DiskEntries: Sendable {
    let data: EncodedImage
    let count: Int
    /// 80 characters, as the addresses of pictures have.
    let keys: [CacheKey]
    /// As long as SHA-1 in hexadecimal; one that was computed would take longer.
    let names: [String]

    init(count: Int, byteCount: Int) throws {
        guard let data = EncodedImage((0..<byteCount).map { UInt8(truncatingIfNeeded: $0 &* 31) }) else {
            throw CannotMeasure("there is no memory")
        }
        self.data = data
        self.count = count
        // As many again for the misses.
        let numbers = (0..<2 * count).map { "\($0)" }
        keys = numbers.map { number in
            CacheKey("https://example.org/" + String(repeating: "p", count: 60 - number.count) + number)
        }
        names = numbers.map { number in String(repeating: "a", count: 40 - number.count) + number }
    }

    var byteCount: Int { data.count }
    var numbers: Range<Int> { 0..<count }
    /// An order in which neighbours are far apart.
    func shuffled(_ step: Int) -> Int { step * 7919 % count }
}

/// Ours. Writing and removing end when all is down.
struct OwnDiskStore: MeasuredDiskStore {
    let cache: DiskCache
    let entries: DiskEntries

    init(_ folder: String, _ entries: DiskEntries, _ durability: DiskCache.Durability = .process) {
        self.entries = entries
        let limits = DiskCache.Limits(byteCount: 1 << 30)
        cache = DiskCache(DiskCache.Configuration(folder: folder, limits: limits, durability: durability))
    }

    func write(_ numbers: Range<Int>) {
        for number in numbers {
            let key = entries.keys[number]
            cache.synchronous.store(CacheEntry(data: entries.data, url: key.text), for: key)
        }
        cache.synchronous.flush()
    }

    func read(_ number: Int) -> Int? { cache.synchronous.entry(for: entries.keys[number])?.data.count }

    func remove(_ numbers: Range<Int>) {
        for number in numbers { cache.synchronous.remove(for: entries.keys[number]) }
        cache.synchronous.flush()
    }

    func trimHalf() async {
        await cache.trim(toCount: entries.count / 2)
        cache.synchronous.flush()
    }
}
