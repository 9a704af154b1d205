import BowerbirdCore
import BowerbirdTestSupport
import Foundation
import Testing

@testable import BowerbirdLoading

@Suite("A disk cache and a plain model of it")
struct DiskCacheModelTests {
    @Test func agreeAfterEachOfManyRandomSteps() throws {
        let folder = try TemporaryDirectory()
        var story = try Story(folder: folder.path, seed: 20_480)
        for step in 0..<100_000 {
            let name = story.step(step)
            try #require(story.isSound, "step \(step), \(name), after \(story.warnings)")
        }
        let agreesInFull = story.agreesInFull()
        #expect(agreesInFull)
    }
}

/// The cache, the model, and the dice. A limit of 40 bytes sends some bodies to files.
private struct Story {
    private let folder: String
    private var test: CacheUnderTest
    private var cache: DiskCache { test.cache }
    private var model: [CacheKey: Kept] = [:]
    private var random: SeededRandom
    private(set) var isSound = true
    private let keys: [CacheKey]
    private let bodies: [EncodedImage]

    private struct Kept {
        var data: EncodedImage
        var freshness: Freshness
    }

    init(folder: String, seed: UInt64) throws {
        self.folder = folder
        random = SeededRandom(seed: seed)
        let sources = ["", "a'b", "東方不败", "nul\u{0}", "\"", "https://example.org/a?b=c"]
        keys = (0..<60).map { index in
            let source = sources[index % 6]
            return index < 6 ? CacheKey(source) : CacheKey("\(source) \(index)", source: source)
        }
        bodies = try (0..<80).map { try #require(EncodedImage([UInt8](repeating: UInt8($0), count: $0 + 1))) }
        test = Self.open(folder)
    }

    var warnings: [DiskCacheWarning.Reason] { test.warnings.reasons }

    /// Waits for as long as it takes: what is not kept because somebody else has the database is another matter.
    private static func open(_ folder: String) -> CacheUnderTest {
        CacheUnderTest(folder) { settings in
            settings.inlineByteLimit = 40
            settings.identityAge = .milliseconds(100)
            settings.busyTimeout = .seconds(60)
        }
    }

    /// Returns what was done.
    mutating func step(_ number: Int) -> String {
        let key = keys.randomElement(using: &random) ?? keys[0]
        let time = Date(timeIntervalSince1970: Double(number))
        switch Int.random(in: 0..<10_000, using: &random) {
        case ..<7000: return look(at: key)
        case ..<8000: return ask(for: key)
        case ..<9500: return store(under: key, at: time)
        case ..<9700: return remove(key)
        case ..<9750: return remove(source: key.source)
        case ..<9900: return renew(key, at: time)
        case ..<9985: return flush()
        case ..<9995: return reopen()
        default: return removeAll()
        }
    }

    private mutating func look(at key: CacheKey) -> String {
        let found = cache.synchronous.entry(for: key)
        let kept = model[key]
        isSound =
            found?.freshness == kept?.freshness
            && found.map { entry in
                kept.map { entry.data.hasEqualBytes(to: $0.data) } ?? false
            } ?? (kept == nil)
        return "entry(for: \(key))"
    }

    private mutating func ask(for key: CacheKey) -> String {
        isSound = cache.synchronous.contains(key) == (model[key] != nil)
        return "contains(\(key))"
    }

    private mutating func store(under key: CacheKey, at time: Date) -> String {
        let data = bodies.randomElement(using: &random) ?? bodies[0]
        let freshness = Freshness(status: 200, headers: ["etag": "\(data.count)"], receivedAt: time)
        cache.synchronous.store(CacheEntry(data: data, url: key.text, freshness: freshness), for: key)
        model[key] = Kept(data: data, freshness: freshness)
        return "store(\(data.count) bytes, for: \(key))"
    }

    private mutating func renew(_ key: CacheKey, at time: Date) -> String {
        let tag = model[key]?.freshness.headers["etag"] ?? "none"
        // Every other time the facts are those of other bytes.
        let isOurs = Bool.random(using: &random)
        let freshness = Freshness(status: 200, headers: ["etag": isOurs ? tag : "other"], receivedAt: time)
        cache.synchronous.renew(freshness, for: key)
        if isOurs { model[key]?.freshness = freshness }
        return "renew(for: \(key))"
    }

    private mutating func remove(_ key: CacheKey) -> String {
        cache.synchronous.remove(for: key)
        model[key] = nil
        return "remove(for: \(key))"
    }

    private mutating func remove(source: String) -> String {
        cache.synchronous.remove(source: source)
        model = model.filter { $0.key.source != source }
        return "remove(source: \(source))"
    }

    private mutating func removeAll() -> String {
        cache.synchronous.removeAll()
        model = [:]
        return "removeAll()"
    }

    private mutating func flush() -> String {
        cache.synchronous.flush()
        isSound =
            cache.synchronous.count == model.count
            && cache.synchronous.totalByteCount == model.values.reduce(0) { $0 + $1.data.count }
        return "flush()"
    }

    private mutating func reopen() -> String {
        cache.synchronous.flush()
        test = Self.open(folder)
        return "a new cache on the folder"
    }

    /// Every key, and every file.
    mutating func agreesInFull() -> Bool {
        for key in keys where isSound { _ = look(at: key) }
        guard isSound else { return false }
        _ = flush()
        return isSound && CacheUnderTest(folder).files.count == model.values.count { $0.data.count > 40 }
    }
}
