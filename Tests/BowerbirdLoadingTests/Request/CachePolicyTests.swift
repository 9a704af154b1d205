import BowerbirdCore
import BowerbirdTestSupport
import FoundationEssentials
import Testing

@testable import BowerbirdLoading

@Suite(.timeLimit(.minutes(5)))
struct `A cache policy` {
    private let site = ScriptedSite()

    private func fill() async throws {
        _ = try await site.load(try site.request())
        site.change { $0.color = .white }
    }

    @Test(arguments: CachePolicy.Access.allCases)
    func saysWhetherMemoryIsReadAndWritten(_ access: CachePolicy.Access) async throws {
        let request = try site.request(nil, CachePolicy(memory: access, disk: .off))
        _ = try await site.load(request)
        #expect(site.fixture.images.all.count == (access.writes ? 1 : 0))
        site.fixture.images.removeAll()
        try await fill()
        #expect(try await site.load(request).origin == (access.reads ? .memory : .network))
        #expect((site.pipeline.cachedImage(for: request) != nil) == access.reads)
        #expect(site.fixture.images.all.map(\.brightness) == [access == .writeOnly ? 255 : 0])
    }

    @Test(arguments: CachePolicy.Access.allCases)
    func saysWhetherTheDiskIsReadAndWritten(_ access: CachePolicy.Access) async throws {
        let request = try site.request(nil, CachePolicy(memory: .off, disk: access))
        _ = try await site.load(request)
        #expect(site.fixture.data.all.count == (access.writes ? 1 : 0))
        await site.fixture.data.removeAll()
        try await fill()
        #expect(try await site.load(request).origin == (access.reads ? .disk : .network))
        let kept = try #require(site.fixture.data.all.first)
        #expect(kept.data.hasEqualBytes(to: try file(access == .writeOnly ? .white : .black)))
    }

    @Test(arguments: [true, false])
    func appliesToEditedPicturesToo(isEdited: Bool) async throws {
        let processors = isEdited ? [RecordingProcessor()] : []
        for policy in [CachePolicy.networkOnly, .reload] {
            let request = try site.request(nil, policy, processors: processors)
            #expect(try await site.load(request).origin == .network)
            #expect(try await site.load(request).origin == .network)
            let count = policy == .reload ? 1 : 0
            #expect(site.fixture.images.all.count == count && site.fixture.data.all.count == count)
        }
        #expect(site.requests.count == 4)
    }

    @Test func cacheFirstIsTheDefaultAndAsksForNothingTwice() async throws {
        #expect(CachePolicy() == .cacheFirst)
        try await fill()
        #expect(try await site.load(try site.request()).origin == .memory)
        #expect(try await site.loadWithoutMemory(try site.request(nil, .cacheFirst)).origin == .disk)
        #expect(site.requests.count == 1)
    }

    @Test func reloadReplacesWhatTheCachesHave() async throws {
        try await fill()
        #expect(try await site.load(try site.request(nil, .reload)).brightness == 255)
        #expect(try await site.load(try site.request()).brightness == 255)
        #expect(try await site.loadWithoutMemory(try site.request()).brightness == 255)
        #expect(site.requests.count == 2)
    }

    @Test func reloadForgetsWhatWasMadeOfTheOlderFile() async throws {
        try await fill()
        let edited = try site.request(processors: [RecordingProcessor()])
        #expect(try await site.load(edited).brightness == 0)
        _ = try await site.load(try site.request(nil, .reload))
        #expect(try await site.load(edited).brightness == 255)
    }

    @Test func cacheOnlyHasWhatTheCachesHaveAndNothingElse() async throws {
        let request = try site.request(nil, .cacheOnly)
        let missing = ImageError.notCached(address: PipelineFixture.address)
        await #expect(throws: missing) { try await site.load(request) }
        #expect(site.requests.isEmpty)
        try await fill()
        #expect(try await site.load(request).origin == .memory)
        #expect(try await site.loadWithoutMemory(request).origin == .disk)
        #expect(site.requests.count == 1)
    }

    @Test func cacheOnlyReadsWhatIsNotOfAnyNetwork() async throws {
        let file = try #require(EncodedImage(SolidImage.file()))
        var request = ImageRequest(.data(file, name: "mine"))
        request.options.cachePolicy = .cacheOnly
        #expect(try await site.load(request).origin == .local)
    }

    @Test func networkOnlyKeepsNothingAndChangesNothing() async throws {
        try await fill()
        #expect(try await site.load(try site.request(nil, .networkOnly)).brightness == 255)
        #expect(site.fixture.images.all.map(\.brightness) == [0])
        #expect(try await site.loadWithoutMemory(try site.request()).brightness == 0)
    }

    @Test func isSettledByThePipelineUnlessTheRequestSaysOtherwise() async throws {
        let site = ScriptedSite { $0.options.cachePolicy = .networkOnly }
        _ = try await site.load(try site.request())
        #expect(site.fixture.images.all.isEmpty && site.fixture.data.all.isEmpty)
        _ = try await site.load(try site.request(nil, .cacheFirst))
        #expect(site.fixture.images.all.count == 1 && site.fixture.data.all.count == 1)
    }

    private func file(_ color: Color) throws -> EncodedImage { try #require(EncodedImage(SolidImage.file(color))) }
}

@Suite(.timeLimit(.minutes(5)))
struct `Requests with different policies that overlap` {
    private static let policies: [CachePolicy] = [.networkOnly, .cacheFirst, .reload]

    @Test(arguments: [[0, 1, 2], [2, 1, 0], [1, 0, 2]])
    func shareOneTransferAndAreKeptWhereAnyOfThemAllows(order: [Int]) async throws {
        let fixture = PipelineFixture()
        let gate = Gate()
        var request = try fixture.request(.gate(gate), .chunk(SolidImage.file()))
        var tasks: [ImageTask] = []
        for index in order {
            request.options.cachePolicy = Self.policies[index]
            tasks.append(fixture.pipeline.task(for: request))
        }
        await gate.waitForArrivals()
        // Each of them is about to ask for a transfer.
        #expect(await eventually { fixture.pipeline.transfers.runningCount == 1 })
        gate.open()
        for task in tasks { _ = try await task.response }
        await fixture.pipeline.waitUntilIdle()
        #expect(fixture.data.all.count == 1)
        #expect(fixture.images.all.count == 1)
    }

    @Test(arguments: [true, false])
    func areRememberedWhereTheLaterOneWantsIt(readerFirst: Bool) async throws {
        let fixture = PipelineFixture()
        let gate = Gate()
        var reader = try fixture.request(.gate(gate), .chunk(SolidImage.file()))
        let keeper = reader
        reader.options.cachePolicy = CachePolicy(memory: .readOnly)
        let order = readerFirst ? [reader, keeper] : [keeper, reader]
        let tasks = order.map { fixture.pipeline.task(for: $0) }
        await gate.waitForArrivals()
        gate.open()
        for task in tasks { _ = try await task.response }
        #expect(fixture.loader.requests.count == 1)
        #expect(fixture.images.all.count == 1)
    }

    /// What one of them must not have, or would not have tried again, is no reason to fail for the others.
    @Test func doNotShareWhatWouldFailForOneOfThem() async throws {
        let fixture = PipelineFixture()
        let gate = Gate()
        let plain = try fixture.request(.gate(gate), .chunk(SolidImage.file(byteCount: 100)))
        var (small, few, pixels) = (plain, plain, plain)
        small.options.maximumByteCount = 99
        few.options.limits = DecodingLimits(maximumPixelCount: 11)
        pixels.options.limits = DecodingLimits(maximumPixelCount: 12)
        let tasks = [small, few, plain, pixels].map { fixture.pipeline.task(for: $0) }
        await gate.waitForArrivals()
        gate.open()
        await #expect(throws: ImageError.loading(.tooLarge(maximumByteCount: 99))) { try await tasks[0].response }
        await #expect(throws: ImageError.self) { try await tasks[1].response }
        _ = try await tasks[2].response
        _ = try await tasks[3].response
        #expect(fixture.loader.requests.count == 2)
    }
}
