import Bowerbird
import BowerbirdTestSupport
import Foundation
import Testing

@testable import BowerbirdCLI

/// A cache with pictures of some addresses, and the command that looks at it.
private final class CacheFixture {
    let fixture: CommandFixture
    let folder: String
    var output: String { fixture.recorder.output }
    var lines: [String] { output.split(separator: "\n").map(String.init) }

    init() throws {
        fixture = try CommandFixture()
        folder = fixture.path("cache")
    }

    static let addresses = [
        "https://example.org/%C3%A4.png", "https://example.org/sub/b.png", "https://other.org/c.png",
    ]

    func fill() async throws {
        let cache = DiskCache(folder: folder)
        for (index, url) in Self.addresses.enumerated() {
            let bytes = [UInt8](repeating: UInt8(index), count: index == 2 ? 100_000 : 1000)
            let entry = CacheEntry(
                data: try #require(EncodedImage(bytes)), url: url, mediaType: "image/png",
                storedAt: Date(timeIntervalSinceNow: -86_400 * Double(10 - index)), tags: index == 1 ? ["album"] : [])
            await cache.store(entry, for: CacheKey(url))
        }
        await cache.store(
            CacheEntry(data: try #require(EncodedImage([1, 2, 3])), url: Self.addresses[0]),
            for: CacheKey(Self.addresses[0] + " 10x10", source: Self.addresses[0]))
        await cache.flush()
    }

    func run(_ line: String) async throws -> BowerbirdCLI.ExitStatus {
        try await fixture.run("cache \(line) --cache @cache")
    }

    func count() async -> Int { await DiskCache(folder: folder).count(DiskCache.Query()) }

    func objects() throws -> [[String: Any]] {
        try lines.map { try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]) }
    }
}

@Suite
struct `bowerbird cache` {
    @Test func statsTellWhatACacheHolds() async throws {
        let cache = try CacheFixture()
        try await cache.fill()
        #expect(try await cache.run("stats") == .success)
        #expect(cache.lines.first == cache.folder)
        #expect(cache.output.contains("  files     4\n  bytes     102 kB\n"))
        #expect(cache.output.contains("  in files  1\n  inline    3\n"))
    }

    @Test func statsInJSONAreOneObject() async throws {
        let cache = try CacheFixture()
        try await cache.fill()
        #expect(try await cache.run("stats --json") == .success)
        let object = try #require(try cache.objects().first)
        #expect(object["files"] as? Int == 4 && object["bytes"] as? Int == 102_003)
        #expect(object["folder"] as? String == cache.folder && object["inFiles"] as? Int == 1)
        #expect(object["oldest"] is String && object["free"] is Int)
    }

    @Test func listShowsAFileALine() async throws {
        let cache = try CacheFixture()
        try await cache.fill()
        await DiskCache(folder: cache.folder).pin(CacheKey(CacheFixture.addresses[0]), as: "album")
        #expect(try await cache.run("list") == .success)
        #expect(cache.lines.count == 6)
        #expect(cache.lines[0] == "size      stored  used            address")
        #expect(cache.output.contains("100 kB    8 d     "))
        #expect(cache.lines.contains { $0.hasSuffix("pinned  https://example.org/%C3%A4.png") })
        #expect(cache.lines.contains { $0.hasSuffix("        https://example.org/%C3%A4.png 10x10") })
        #expect(cache.lines.last == "4 files, 102 kB")
    }

    @Test(arguments: [
        ("--host example.org", 3), ("--prefix https://example.org/s", 1), ("--tag album", 1), ("--older-than 9d", 2),
        ("--older-than 9d --host other.org", 0), ("--unused-for 1w", 0), ("--unused-for 0s", 4), ("--pinned", 0),
        ("--limit 2", 2),
    ])
    func listIsFiltered(_ filter: String, count: Int) async throws {
        let cache = try CacheFixture()
        try await cache.fill()
        #expect(try await cache.run("list --json \(filter)") == .success)
        #expect(try cache.objects().count == count)
    }

    @Test func listInJSONTellsEverything() async throws {
        let cache = try CacheFixture()
        try await cache.fill()
        #expect(try await cache.run("list --json --tag album") == .success)
        let object = try #require(try cache.objects().first)
        #expect(object["key"] as? String == CacheFixture.addresses[1] && object["tags"] as? [String] == ["album"])
        #expect(object["bytes"] as? Int == 1000 && object["mediaType"] as? String == "image/png")
        #expect(object["pinned"] as? Bool == false && object["inline"] as? Bool == true)
    }

    @Test func getWritesTheFileOfAnAddress() async throws {
        let cache = try CacheFixture()
        try await cache.fill()
        #expect(try await cache.run("get https://example.org/%C3%A4.png -o @a.png") == .success)
        #expect(try cache.fixture.bytes("a.png") == [UInt8](repeating: 0, count: 1000))
        let original = DiskCache(folder: cache.folder)
        await original.remove(for: CacheKey(CacheFixture.addresses[0]))
        await original.flush()
        #expect(try await cache.run("get https://example.org/ä.png -o @b.png") == .success)
        #expect(try cache.fixture.bytes("b.png") == [1, 2, 3], "what was made of it")
        let failure = await #expect(throws: Failure.self) {
            try await cache.run("get https://example.org/none -o @c.png")
        }
        #expect(failure?.kind == "not-cached")
        #expect(try !cache.fixture.names().contains("c.png"))
    }

    @Test func removeTakesAddressesOrFilters() async throws {
        let cache = try CacheFixture()
        try await cache.fill()
        #expect(
            try await cache.run("remove --json https://example.org/%C3%A4.png https://example.org/none") == .success)
        #expect(try cache.objects().last?["removed"] as? Int == 2)
        #expect(cache.fixture.recorder.errors.contains("note: https://example.org/none: it is not in the cache"))
        #expect(try await cache.run("remove --host other.org") == .success)
        #expect(cache.lines.last == "removed 1 file")
        #expect(await cache.count() == 1)
        #expect(try await cache.run("remove https://example.org/none") == .failure)
    }

    @Test func removeLeavesPinnedFilesToThoseWhoAskForThem() async throws {
        let cache = try CacheFixture()
        try await cache.fill()
        await DiskCache(folder: cache.folder).pin(CacheKey(CacheFixture.addresses[2]), as: "album")
        #expect(try await cache.run("remove --host other.org") == .success)
        #expect(await cache.count() == 4)
        #expect(try await cache.run("remove --host other.org --pinned") == .success)
        #expect(await cache.count() == 3)
    }

    @Test func trimAndClearMakeRoom() async throws {
        let cache = try CacheFixture()
        try await cache.fill()
        #expect(try await cache.run("trim --to 50kB") == .success)
        #expect(cache.lines.last == "removed 3 files")
        #expect(try await cache.run("clear --json") == .success)
        #expect(
            try JSONSerialization.jsonObject(with: Data(#require(cache.lines.last).utf8)) as? [String: Int] == [
                "removed": 1
            ])
        #expect(await cache.count() == 0)
    }

    @Test func verifyFindsDamageRemovesItAndFails() async throws {
        let cache = try CacheFixture()
        try await cache.fill()
        #expect(try await cache.run("verify") == .success)
        #expect(cache.lines.last == "4 files read, 102 kB sound; 0 damaged; 0 missing")
        try cache.spoilTheLargeFile()
        #expect(try await cache.run("verify --json") == .failure)
        let object = try JSONSerialization.jsonObject(with: Data(#require(cache.lines.last).utf8)) as? [String: Any]
        #expect(object?["damaged"] as? [String] == [CacheFixture.addresses[2]] && object?["checked"] as? Int == 4)
        #expect(await cache.count() == 3)
        #expect(try await cache.run("verify") == .success)
    }

    @Test(arguments: ["stats", "list", "get a -o @b", "remove a", "clear", "trim --to 1k", "verify"])
    func aFolderThatIsNoCacheIsLeftAlone(_ line: String) async throws {
        let cache = try CacheFixture()
        let missing = await #expect(throws: Failure.self) { try await cache.run(line) }
        #expect(missing?.reason == "there is no such folder")
        #expect(!FileManager.default.fileExists(atPath: cache.folder))
        try FileManager.default.createDirectory(atPath: cache.folder, withIntermediateDirectories: true)
        let other = await #expect(throws: Failure.self) { try await cache.run(line) }
        #expect(other?.reason == "this folder is no disk cache")
        #expect(try cache.fixture.names(in: "cache").isEmpty)
    }

    @Test(arguments: [
        "", "frob", "stats a", "clear --host a", "list --to 1k", "get", "get a", "get a b -o c", "remove",
        "remove a --host b", "trim", "trim --to x", "trim --to 5q", "list --older-than 5", "list --older-than x5d",
        "list --limit 0", "verify --tag a", "stats --no-cache",
    ])
    func whatMakesNoSenseIsRefused(_ line: String) {
        #expect(throws: UsageError.self) {
            try CommandLineRequest(["cache"] + line.split(separator: " ").map(String.init))
        }
    }

    @Test(arguments: [
        ("5", "5 s"), ("119", "1 min"), ("7200", "2 h"), ("172800", "2 d"), ("-3", "0 s"), ("nan", "0 s"),
    ])
    func agesAreShort(_ seconds: String, _ text: String) throws {
        #expect(Figures.age(try #require(Double(seconds))) == text)
    }
}

extension CacheFixture {
    func spoilTheLargeFile() throws {
        for name in FileManager.default.enumerator(atPath: folder)?.allObjects as? [String] ?? [] {
            guard name.contains("/bodies/"), let file = FileHandle(forWritingAtPath: "\(folder)/\(name)") else {
                continue
            }
            try file.seek(toOffset: 50_000)
            try file.write(contentsOf: Data("spoilt".utf8))
            try file.close()
        }
    }
}
