import BowerbirdCore
import BowerbirdTestSupport
import FoundationEssentials
import Testing

@testable import BowerbirdLoading

@Suite(.timeLimit(.minutes(5)))
struct `The expiry and the tags of a request` {
    private let site = ScriptedSite { $0.codecs.add(SolidEncoder()) }
    private static let hour = Duration.seconds(3600)

    private func request(
        _ expiry: CacheExpiry? = .sinceStored(hour), tags: Set<String>? = ["album"], isEdited: Bool = false
    ) throws -> ImageRequest {
        var request = try site.request(processors: isEdited ? [RecordingProcessor("edit")] : [])
        request.options.expiry = expiry
        request.options.tags = tags
        request.options.diskContent = .both(SolidImage.format)
        return request
    }

    private var entries: [CacheEntry] { site.fixture.data.all }

    private func expiry(inMemory request: ImageRequest) -> CacheExpiry? {
        site.fixture.images.image(for: site.pipeline.imageCacheKey(for: request))?.expiry
    }

    @Test func reachBothCaches() async throws {
        let request = try request(isEdited: true)
        _ = try await site.load(request)
        await site.pipeline.waitForStores()
        #expect(entries.map(\.expiry) == [.sinceStored(Self.hour), .sinceStored(Self.hour)])
        #expect(entries.map(\.tags) == [["album"], ["album"]])
        #expect(expiry(inMemory: request) == .sinceStored(Self.hour))
    }

    @Test func reachThemWithWhatIsStoredDirectly() async throws {
        let request = try request()
        let file = try #require(EncodedImage(SolidImage.file()))
        await site.pipeline.store(file, for: request)
        #expect(entries.map(\.expiry) == [.sinceStored(Self.hour)])
        #expect(entries.map(\.tags) == [["album"]])
        let picture = try await site.load(request).image
        try await site.pipeline.store(picture, for: request)
        #expect(entries.map(\.tags) == [["album"]])
        #expect(expiry(inMemory: request) == .sinceStored(Self.hour))
    }

    @Test func arePartOfNoKey() throws {
        let (one, other) = (try request(), try request(nil, tags: nil))
        #expect(site.pipeline.imageCacheKey(for: one) == site.pipeline.imageCacheKey(for: other))
        #expect(site.pipeline.dataCacheKey(for: one) == site.pipeline.dataCacheKey(for: other))
        #expect(AcceptedRequest(one, .init()).workKey == AcceptedRequest(other, .init()).workKey)
    }

    /// Neither of the two caches of this test looks at it.
    @Test func makeAMissOfWhatIsTooOldThoughACacheDoesNotLook() async throws {
        let request = try request()
        _ = try await site.load(request)
        site.clock.advance(by: .seconds(3599))
        #expect(try await site.load(request).origin == .memory)
        #expect(try await site.loadWithoutMemory(request).origin == .disk)
        site.clock.advance(by: .seconds(1))
        #expect(site.pipeline.cachedImage(for: request) == nil)
        #expect(try await site.load(request).origin == .network)
        #expect(site.conditions == ["", ""])
        #expect(try await site.load(request).origin == .memory)
    }

    @Test func makeAMissOfAFinishedPictureToo() async throws {
        let request = try request(isEdited: true)
        _ = try await site.load(request)
        await site.pipeline.waitForStores()
        site.clock.advance(by: Self.hour)
        #expect(try await site.loadWithoutMemory(request).origin == .network)
    }

    @Test func areLookedForInWhatIsWantedWhereverItIs() async throws {
        var request = try request()
        _ = try await site.load(request)
        site.clock.advance(by: Self.hour)
        request.options.cachePolicy = .cacheOnly
        await #expect(throws: ImageError.notCached(address: PipelineFixture.address)) {
            try await site.load(request)
        }
    }

    @Test func stayWithThePictureThatIsMadeOfAKeptFile() async throws {
        _ = try await site.load(try request())
        let edited = try request(nil, tags: ["other"], isEdited: true)
        #expect(try await site.loadWithoutMemory(edited).origin == .disk)
        await site.pipeline.waitForStores()
        #expect(expiry(inMemory: edited) == .sinceStored(Self.hour))
        let finished = try #require(entries.first { $0.tags != ["album"] })
        #expect(finished.tags == ["album", "other"])
        #expect(finished.expiry == .sinceStored(Self.hour))
    }

    @Test(arguments: [CacheExpiry.never, .sinceUsed(.zero)])
    func leaveToTheCacheWhatOnlyItKnows(_ expiry: CacheExpiry) async throws {
        _ = try await site.load(try request(expiry))
        site.clock.advance(by: .seconds(1_000_000))
        #expect(try await site.load(try request(expiry)).origin == .memory)
    }

    /// A clock that was set back makes nothing young.
    @Test func countInEitherDirection() {
        let now = Date(timeIntervalSince1970: 1_000_000)
        let hour: CacheExpiry? = .sinceStored(Self.hour)
        for (age, expected) in [(0.0, false), (3599, false), (3600, true), (-3599, false), (-3600, true)] {
            let isOver = hour.isOver(for: now.addingTimeInterval(-age), at: now)
            #expect(isOver == expected, "\(age) seconds")
        }
        let nothing: CacheExpiry? = nil
        let (withoutTime, withoutExpiry) = (hour.isOver(for: nil, at: now), nothing.isOver(for: .distantPast, at: now))
        #expect(!withoutTime && !withoutExpiry)
    }
}
