import Bowerbird
import BowerbirdTestSupport

extension Topic {
    /// One operation of the disk cache, keys made beforehand.
    static let caches = Topic("Caches") {
        try await diskFigures(byteCount: 8_000, count: 2000)
            + diskFigures(byteCount: 200_000, count: 400)
    }
}

private let diskRuns = 5

/// Writing ends when everything is down; reading is done by a cache that has nothing in memory.
private func diskFigures(byteCount: Int, count: Int) async throws -> [Figure] {
    let keys = (0..<count).map { CacheKey("https://example.org/pictures/\($0).jpg") }
    guard let data = EncodedImage((0..<byteCount).map { UInt8(truncatingIfNeeded: $0 &* 31) }) else {
        throw CannotMeasure("there is no memory")
    }
    var writes = Samples()
    var reads = Samples()
    for _ in 0..<diskRuns {
        let folder = try TemporaryDirectory()
        let writer = DiskCache(folder: folder.path, maximumByteCount: 1 << 30)
        await writes.add(.wall) {
            for key in keys { await writer.store(CacheEntry(data: data, url: key.text), for: key) }
            await writer.flush()
        }
        let reader = DiskCache(folder: folder.path, maximumByteCount: 1 << 30)
        try await reads.add(.wall) {
            for key in keys where await reader.entry(for: key)?.data.count != byteCount {
                throw CannotMeasure("\(key) is not in the disk cache")
            }
        }
    }
    return [("write", writes), ("get", reads)].map { name, samples in
        Figure("disk, \(count) × \(byteCount / 1000) KB, \(name)", samples.divided(by: count), .microseconds)
    }
}
