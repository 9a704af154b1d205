import BowerbirdCore
import BowerbirdTestSupport
import Foundation
import Synchronization
import Testing

@testable import BowerbirdLoading

extension TemporaryDirectory {
    /// Writes a text file, and makes the folders above it.
    func write(_ text: String, to name: String) throws {
        let folder = url(of: name).deletingLastPathComponent()
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        _ = try write([UInt8](text.utf8), to: name)
    }
}

/// The warnings that a cache gave.
final class WarningRecorder: Sendable {
    private let recorded = Lock<[DiskCacheWarning]>([])
    var reasons: [DiskCacheWarning.Reason] { recorded.withLock { $0.map(\.reason) } }
    var details: [String] { recorded.withLock { $0.map(\.detail) } }
    func record(_ warning: DiskCacheWarning) { recorded.withLock { $0.append(warning) } }
}

/// A disk cache in a folder, with the files behind it in reach.
struct CacheUnderTest {
    let folder: String
    let cache: DiskCache
    let warnings = WarningRecorder()

    init(
        _ folder: String, maximumByteCount: Int? = nil, _ adjust: (inout DiskCacheSettings) -> Void = { _ in }
    ) {
        self.folder = folder
        var settings = DiskCacheSettings(limits: DiskCache.Limits(byteCount: maximumByteCount))
        // No test wants to wait until it is time to look.
        settings.identityAge = .zero
        adjust(&settings)
        cache = DiskCache(folder: folder, settings: settings, onWarning: warnings.record)
    }

    init(_ folder: String, _ limits: DiskCache.Limits, _ adjust: (inout DiskCacheSettings) -> Void = { _ in }) {
        self.init(folder) { settings in
            settings.limits.value = limits
            adjust(&settings)
        }
    }

    /// Stores bytes that follow from the key, and waits until they are written.
    func store(_ key: String, count: Int) async throws {
        await cache.store(try cacheEntry(key, count: count), for: CacheKey(key))
        await cache.flush()
    }

    /// Whether the entry is found; one that is found must be whole.
    func holds(_ key: String, count: Int) async -> Bool {
        guard let entry = await cache.entry(for: CacheKey(key)) else { return false }
        #expect(Array(entry.data) == content(of: key, count: count), "the entry \(key) is not what was stored")
        return true
    }

    func database() throws -> Database {
        try Database(path: try #require(place).database, access: .readWrite, busyTimeout: .seconds(5))
    }

    /// The paths of the files with larger bodies.
    var files: [String] {
        guard let bodies = place?.bodies else { return [] }
        return FileNames.inFolder(bodies).flatMap { fan in
            FileNames.inFolder("\(bodies)/\(fan)").map { "\(bodies)/\(fan)/\($0)" }
        }.sorted()
    }

    /// The present store.
    var place: StoreFolder? { CacheFolder(path: folder).currentStore }

    /// Makes a store whose database is `content`.
    func begin(with content: String) throws {
        let place = try CacheFolder(path: folder).beginStore(busyTimeout: .seconds(5))
        try Data(content.utf8).write(to: URL(fileURLWithPath: place.database))
    }
}

func cacheEntry(_ key: String, count: Int) throws -> CacheEntry {
    CacheEntry(data: try #require(EncodedImage(content(of: key, count: count))), url: "http://example.org/\(key)")
}

/// Bytes that no other key has.
func content(of key: String, count: Int) -> [UInt8] {
    var state = key.utf8.reduce(UInt64(count) &+ 1) { $0 &* 31 &+ UInt64($1) }
    // Eight at a time: tests make megabytes of this.
    var words = [UInt64](repeating: 0, count: count / 8 + 1)
    for index in words.indices {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        words[index] = state ^ state >> 29
    }
    return words.withUnsafeBytes { Array($0.prefix(count)) }
}

extension Array<UInt8> {
    init(_ image: EncodedImage) { self = image.withUnsafeBytes { Array($0) } }
}

/// What a store has on the disk: its files beside the rows that name them.
struct StoreContent {
    /// Files that no row names.
    private(set) var orphans: [String] = []
    /// Rows whose file is not there.
    private(set) var rowsWithoutFile: [String] = []

    init(of place: StoreFolder) {
        let bodies = BodyFiles(folder: place.bodies)
        var named: Set<String> = []
        try? Database(path: place.database, access: .readOnly, busyTimeout: .seconds(5))
            .prepare("SELECT digest, file FROM entries WHERE file IS NOT NULL").run { row in
                named.insert(
                    bodies.path(of: BodyName(digest: row.bytes(0) ?? [], generation: row.integer(1) ?? 0)))
            }
        let files = FileNames.inFolder(place.bodies).flatMap { fan in
            FileNames.inFolder("\(place.bodies)/\(fan)").map { "\(place.bodies)/\(fan)/\($0)" }
        }
        orphans = files.filter { !named.contains($0) }
        rowsWithoutFile = named.filter { !files.contains($0) }
    }
}
