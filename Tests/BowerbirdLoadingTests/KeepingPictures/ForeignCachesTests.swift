import BowerbirdCore
import BowerbirdTestSupport
import Testing

@testable import BowerbirdLoading

/// A whole pipeline on caches that it did not bring along.
@Suite(.timeLimit(.minutes(5)))
struct `Caches of somebody's own` {
    enum Files: String, CaseIterable, Sendable {
        case slow, forgetful, lossy, mixedUp, none

        var cache: (any DataCache)? {
            switch self {
            case .slow: SlowFiles()
            case .forgetful: ForgetfulFiles()
            case .lossy: LossyFiles(seed: 7)
            case .mixedUp: MixedUpFiles()
            case .none: nil
            }
        }
    }

    enum Images: String, CaseIterable, Sendable {
        case dictionary, forgetful, none

        var cache: (any ImageCache)? {
            switch self {
            case .dictionary: DictionaryImageCache()
            case .forgetful: ForgetfulImages()
            case .none: nil
            }
        }
    }

    private func edited(_ request: ImageRequest, _ content: DiskContent = .both(.automatic)) -> ImageRequest {
        var edited = request
        edited.processors = [RecordingProcessor("edit")]
        edited.options.diskContent = content
        return edited
    }

    /// Loading, finding, editing, refreshing and removing: whatever the caches forget, the picture is right.
    @Test(arguments: Files.allCases, Images.allCases)
    func workInAWholePipeline(_ files: Files, _ images: Images) async throws {
        let site = ScriptedSite {
            $0.codecs.add(SolidEncoder())
            ($0.dataCache, $0.imageCache) = (files.cache, images.cache)
        }
        let plain = try site.request()
        for request in [plain, edited(plain), plain, edited(plain)] {
            #expect(try await site.load(request).brightness == 0)
        }
        await site.pipeline.waitForStores()
        site.change { $0 = .init(color: .white, eTag: "\"2\"") }
        #expect(try await site.load(try site.request(nil, .refreshCached)).brightness == 255)
        for request in [plain, edited(plain), plain] { #expect(try await site.load(request).brightness == 255) }
        site.change { $0 = .init(color: .black, eTag: "\"3\"") }
        await site.pipeline.remove(for: edited(plain))
        #expect(await site.pipeline.locations(of: plain) == [])
        #expect(try await site.load(edited(plain, .processed(.automatic))).brightness == 0)
        #expect(try await site.load(plain).brightness == 0)
        await site.pipeline.removeAll()
        await site.pipeline.waitUntilIdle()
        #expect(!site.pipeline.isRunning)
    }

    @Test func areAskedBeforeTheNetwork() async throws {
        let site = ScriptedSite { $0.dataCache = SlowFiles() }
        #expect(try await site.load(try site.request()).origin == .network)
        #expect(try await site.load(try site.request()).origin == .memory)
        #expect(try await site.loadWithoutMemory(try site.request()).origin == .disk)
        #expect(site.requests.count == 1)
    }

    /// `contains`, `keys(ofSource:)` and `renew` are there for a cache that has none of them.
    @Test func mayLeaveOutWhatTheyCanDoWithout() async throws {
        let site = ScriptedSite { $0.dataCache = SlowFiles() }
        _ = try await site.load(try site.request())
        #expect(await site.pipeline.locations(of: try site.request()) == [.memory, .disk])
        #expect(await site.pipeline.variants(of: try site.request()).disk == [])
        _ = try await site.load(try site.request(nil, .refreshCached))
        #expect(site.conditions == ["", "\"1\""])
    }

    @Test func areOnlyAskedForWhatAPolicyAllows() async throws {
        let files = GatedFiles()
        let site = ScriptedSite { $0.dataCache = files }
        _ = try await site.load(try site.request(nil, .networkOnly))
        #expect(files.asked.all.isEmpty && files.files.all.isEmpty)
        #expect(site.fixture.images.lookupCount == 0)
    }
}
