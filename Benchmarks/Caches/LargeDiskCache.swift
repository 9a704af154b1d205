import Bowerbird
import BowerbirdTestSupport

/// How long a cache with very many entries takes to its first hit, and what a hit costs in it.
func openingFigures() async throws -> [Figure] {
    var figures: [Figure] = []
    var hits: [Int: Double] = [:]
    for (count, limit) in [(1000, 1.0), (100_000, 1.0), (1_000_000, 2.0)] {
        let folder = try TemporaryDirectory()
        try fillDiskCache(folder.path, count: count)
        var openings = Samples()
        var reads = Samples()
        let before = ProcessStatus.kilobytes("VmRSS")
        var growth = 0
        for run in 0..<Comparison.pairCount {
            let cache = DiskCache(
                DiskCache.Configuration(folder: folder.path, limits: DiskCache.Limits(byteCount: .max)))
            try await openings.add(.wall) { try hit(cache, run * 7919 % count) }
            try await reads.add(.processor) {
                for step in 0..<2000 { try hit(cache, (step * 7919 + run * 31) % count) }
            }
            growth = max(growth, ProcessStatus.kilobytes("VmRSS") - before)
        }
        hits[count] = reads.spread.minimum
        var opening = Figure("opening to the first hit, \(count) entries", openings, .milliseconds)
        opening.limit = .atMost(limit)
        figures += [
            opening, Figure("hit, \(count) entries", reads.divided(by: 2000), .microseconds),
            Figure(
                name: "growth, \(count) entries", value: Double(growth) * 1024 / 1e6, unit: .megabytes,
                limit: .atMost(20)),
        ]
    }
    let ratio = (hits[1_000_000] ?? 0) / (hits[1000] ?? 1)
    return figures
        + [Figure(name: "hit with 1,000,000 : with 1,000", value: ratio, unit: .ratio, limit: .atMost(1.5))]
}

private func hit(_ cache: DiskCache, _ number: Int) throws {
    guard cache.synchronous.entry(for: largeKey(number)) != nil else { throw CannotMeasure("an entry is not there") }
}

private func largeKey(_ number: Int) -> CacheKey {
    CacheKey("https://example.org/pictures/large/" + String(repeating: "0", count: 7 - "\(number)".count) + "\(number)")
}

/// Through the cache: its own writing is quick enough for a million of 16 bytes.
private func fillDiskCache(_ folder: String, count: Int) throws {
    guard let data = EncodedImage([UInt8](repeating: 1, count: 16)) else { throw CannotMeasure("there is no memory") }
    let cache = DiskCache(DiskCache.Configuration(folder: folder, limits: DiskCache.Limits(byteCount: .max)))
    for number in 0..<count {
        let key = largeKey(number)
        cache.synchronous.store(CacheEntry(data: data, url: key.text), for: key)
        if number % 20_000 == 0 { cache.synchronous.flush() }
    }
    cache.synchronous.flush()
}
