import BowerbirdCore
import BowerbirdTestSupport
import Foundation
import Testing

@testable import BowerbirdLoading

@Suite
struct `A disk cache whose database is damaged` {
    enum Damage: CaseIterable {
        case randomPages, cutInHalf, empty, garbage, gone
    }

    @Test(arguments: Damage.allCases)
    func isPutTogetherAgainFromItsFiles(damage: Damage) async throws {
        let folder = try TemporaryDirectory()
        let old = CacheUnderTest(folder.path)
        for index in 0..<150 { try await old.stage("\(index)", count: 70_000 + index) }
        for index in 0..<100 { try await old.stage("small \(index)", count: 3000) }
        await old.cache.flush()
        try old.database().execute("PRAGMA wal_checkpoint(TRUNCATE)")
        try await old.damage(damage)

        let test = CacheUnderTest(folder.path)
        try await test.store("new", count: 100)
        await test.cache.settle()
        if damage == .randomPages { await test.readAll() }
        for index in 0..<150 { #expect(await test.holds("\(index)", count: 70_000 + index)) }
        #expect(await test.holds("new", count: 100))
        #expect(test.warnings.reasons == (damage == .gone ? [] : [.corrupt]))
        #expect(try StoreContent(of: #require(test.place)).orphans == [])
        #expect(!FileNames.inFolder(folder.path).contains { $0.hasPrefix(CacheFolder.damagedPrefix) })
        let next = CacheUnderTest(folder.path)
        for index in 0..<150 { #expect(await next.holds("\(index)", count: 70_000 + index)) }
        #expect(next.warnings.reasons == [])
    }

    @Test func hasEveryFactAgain() async throws {
        let folder = try TemporaryDirectory()
        let old = CacheUnderTest(folder.path)
        var stored = try cacheEntry("picture", count: 100_000)
        stored.mediaType = "image/png"
        stored.storedAt = Date(timeIntervalSince1970: 1_700_000_000.25)
        stored.freshness = Freshness(
            status: 203, headers: ["etag": "\"1\"", "vary": "Accept", "cache-control": "max-age=5"],
            requestHeaders: ["Accept": "x"], receivedAt: Date(timeIntervalSince1970: 1_800_000_000.5))
        stored.expiry = .sinceStored(.seconds(1_000_000_000))
        stored.userInfo = [0, 1, 255]
        await old.cache.store(stored, for: CacheKey("picture", source: "source"))
        await old.cache.flush()
        try await old.damage(.garbage)

        let test = CacheUnderTest(folder.path)
        _ = await test.cache.contains(CacheKey("picture"))
        await test.cache.settle()
        let found = try #require(await test.cache.entry(for: CacheKey("picture")))
        #expect(found.data.hasEqualBytes(to: stored.data))
        #expect(found.url == stored.url)
        #expect(found.mediaType == stored.mediaType)
        #expect(found.storedAt == stored.storedAt)
        #expect(found.freshness == stored.freshness)
        #expect(found.expiry == stored.expiry)
        #expect(found.userInfo == stored.userInfo)
        await test.cache.remove(source: "source")
        #expect(await test.cache.count == 0)
    }

    @Test func neverGivesBackWhatWasStoredOrRemovedSince() async throws {
        let folder = try TemporaryDirectory()
        let old = CacheUnderTest(folder.path)
        for key in ["small again", "large again", "removed", "kept"] { try await old.store(key, count: 80_000) }
        try await old.damage(.garbage)
        let test = CacheUnderTest(folder.path)
        try await test.stage("small again", count: 10)
        try await test.stage("large again", count: 90_000)
        await test.cache.flush()
        await test.cache.remove(for: CacheKey("removed"))
        await test.cache.settle()
        #expect(await test.holds("small again", count: 10))
        #expect(await test.holds("large again", count: 90_000))
        #expect(await test.holds("removed", count: 80_000) == false)
        #expect(await test.holds("kept", count: 80_000))
        #expect(test.files.count == 2)
    }

    @Test func isEmptyAfterItIsCleared() async throws {
        let folder = try TemporaryDirectory()
        let old = CacheUnderTest(folder.path)
        try await old.store("picture", count: 80_000)
        try await old.damage(.garbage)
        let test = CacheUnderTest(folder.path)
        await test.cache.removeAll()
        #expect(await test.cache.contains(CacheKey("picture")) == false)
        await test.cache.settle()
        #expect(await test.cache.count == 0)
        #expect(test.files.isEmpty)
    }

    @Test func takesTheNewestOfTwoGenerations() async throws {
        let folder = try TemporaryDirectory()
        let old = CacheUnderTest(folder.path)
        var copies: [(String, Data)] = []
        for count in [80_000, 90_000, 85_000] {
            try await old.store("picture", count: count)
            let file = try #require(old.files.first)
            copies.append((file, try Data(contentsOf: URL(fileURLWithPath: file))))
        }
        for (path, data) in copies { try data.write(to: URL(fileURLWithPath: path)) }
        #expect(old.files.count == 3)
        try await old.damage(.garbage)
        let test = CacheUnderTest(folder.path)
        _ = await test.cache.contains(CacheKey("picture"))
        await test.cache.settle()
        #expect(await test.holds("picture", count: 85_000))
        #expect(test.files.count == 1)
    }

    @Test func isNotMadeAnewOverAndOverWithinAPauseAndTriedAgainAfterIt() async throws {
        let folder = try TemporaryDirectory()
        let clock = ManualClock()
        let test = CacheUnderTest(folder.path) { $0.uptime = { clock.now.offset } }
        try await test.store("first", count: 10)
        try await test.damage(.garbage)
        #expect(await test.cache.contains(CacheKey("first")) == false)
        try await test.store("second", count: 10)
        #expect(await test.cache.count == 1)
        try await test.damage(.garbage)
        #expect(await test.cache.contains(CacheKey("second")) == false)
        try await test.store("third", count: 10)
        #expect(await test.cache.count == 0)
        clock.advance(by: .seconds(1))
        try await test.store("fourth", count: 10)
        #expect(await test.holds("fourth", count: 10))
        #expect(test.warnings.reasons == [.corrupt, .corrupt])
    }
}

@Suite
struct `The facts behind a body` {
    private var facts: EntryFacts {
        EntryFacts(
            key: "key 🐦\u{0}", source: "", url: "http://example.org", mediaType: nil, storedAt: .min, writtenAt: 7,
            expiry: .never, tags: ["a", ""], userInfo: [], freshness: nil, length: 3, checksum: -1)
    }

    @Test func comeBackAsTheyWere() throws {
        let found = try #require(try Self.facts(in: [1, 2, 3] + BodyTrailer.bytes(of: facts)))
        #expect(found.key == facts.key)
        #expect(found.source == "")
        #expect(found.mediaType == nil)
        #expect(found.storedAt == .min)
        #expect(found.expiry == .never)
        #expect(found.tags == ["a", ""])
        #expect(found.userInfo == [])
        #expect(found.checksum == -1)
    }

    @Test func areRefusedWhereverAByteIsFlippedOrTheFileIsCut() throws {
        let bytes = [1, 2, 3] + BodyTrailer.bytes(of: facts)
        for index in 3..<bytes.count {
            var damaged = bytes
            damaged[index] ^= 0x80
            #expect(try Self.facts(in: damaged) == nil, "byte \(index)")
        }
        for count in 0..<bytes.count { #expect(try Self.facts(in: Array(bytes[..<count])) == nil) }
        #expect(try Self.facts(in: [0] + bytes) == nil)
    }

    /// The checksum stops none of these: the reader of the facts has to.
    @Test func mayBeAnythingWithoutHarm() {
        var generator = SystemRandomNumberGenerator()
        var writer = FactsWriter()
        writer.write(facts)
        for _ in 0..<5000 {
            var bytes = writer.bytes
            for _ in 0..<Int.random(in: 1...4) { bytes[.random(in: 0..<bytes.count)] = generator.next() }
            var reader = FactsReader(Array(bytes.prefix(.random(in: 0...bytes.count))))
            _ = reader.facts(length: 3, checksum: 0)
        }
    }

    private static func facts(in bytes: [UInt8]) throws -> EntryFacts? {
        let folder = try TemporaryDirectory()
        return BodyFiles.facts(ofFile: try folder.write(bytes, to: "file").path)
    }
}

extension CacheUnderTest {
    fileprivate func stage(_ key: String, count: Int) async throws {
        await cache.store(try cacheEntry(key, count: count), for: CacheKey(key))
    }

    /// Damage on a page is found when something there is read.
    fileprivate func readAll() async {
        for index in 0..<150 { _ = await cache.contains(CacheKey("\(index)")) }
        for index in 0..<100 { _ = await cache.entry(for: CacheKey("small \(index)")) }
        await cache.settle()
    }

    /// The database as it is found at the next start, or by a process that has it open.
    fileprivate func damage(_ damage: `A disk cache whose database is damaged`.Damage) async throws {
        let path = try #require(place).database
        for suffix in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + suffix) }
        let file = URL(fileURLWithPath: path)
        var data = try Data(contentsOf: file)
        switch damage {
        case .randomPages:
            for page in 1..<data.count / 4096 where page % 2 == 1 {
                data.replaceSubrange(page * 4096..<(page + 1) * 4096, with: Data(repeating: 0xA5, count: 4096))
            }
        case .cutInHalf: data.removeLast(data.count / 2)
        case .empty: data = Data()
        case .garbage: data = Data(repeating: 0xA5, count: 100_000)
        case .gone: return try FileManager.default.removeItem(at: file)
        }
        try data.write(to: file)
    }
}
