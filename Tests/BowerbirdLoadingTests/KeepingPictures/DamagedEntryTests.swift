import BowerbirdCore
import BowerbirdTestSupport
import Testing

@testable import BowerbirdLoading

/// A data cache of somebody's own need not look at its bytes, and not every damage shows in a checksum.
@Suite(.timeLimit(.minutes(5)))
struct `A damaged entry of the data cache` {
    private let events = EventRecord()
    private let files: SpoiledFiles
    private let fixture: PipelineFixture
    private var pipeline: ImagePipeline { fixture.pipeline }

    init() {
        let (events, files) = (events, SpoiledFiles())
        self.files = files
        fixture = PipelineFixture {
            $0.observers = [events]
            $0.dataCache = files
            $0.codecs.add(SolidEncoder())
        }
    }

    static let damages: [[UInt8]] = [[], Array("garbage".utf8), Array("SOLID".utf8), Array("<!DOCTYPE html>".utf8)]

    private var damagedSizes: [Int] {
        events.all.compactMap { if case .damagedEntry(let count, PipelineFixture.address) = $0 { count } else { nil } }
    }

    /// A request whose file is kept, and memory is empty.
    private func keptRequest(processors: [any ImageProcessor] = []) async throws -> ImageRequest {
        var request = try fixture.request(.chunk(SolidImage.file(.black)), processors: processors)
        if !processors.isEmpty { request.options.diskContent = .both(.automatic) }
        _ = try await pipeline.image(for: request)
        await pipeline.waitForStores()
        fixture.images.removeAll()
        return request
    }

    private func spoil(_ bytes: [UInt8]) throws { files.spoil([try #require(EncodedImage(bytes))]) }

    /// The recovery looks once more, and finds it again.
    private func spoilTwice(_ bytes: [UInt8]) throws {
        let damage = try #require(EncodedImage(bytes))
        files.spoil([damage, damage])
    }

    @Test(arguments: damages)
    func isDroppedAndItsFileLoadedAnewWithoutAWord(_ damage: [UInt8]) async throws {
        let request = try await keptRequest()
        try spoilTwice(damage)
        #expect(try await pipeline.response(for: request).origin == .network)
        #expect(damagedSizes == [damage.count])
        #expect(fixture.loader.requests.count == 2)
        fixture.images.removeAll()
        #expect(try await pipeline.response(for: request).origin == .disk)
        #expect(damagedSizes.count == 1)
    }

    @Test func isToldOfInTheLogAndCounted() async throws {
        let (lines, statistics) = (Record<String>(), PipelineStatistics())
        let files = files
        let fixture = PipelineFixture {
            $0.observers = [PipelineLog { lines.note($0) }, statistics]
            $0.dataCache = files
        }
        let request = try fixture.request(.chunk(SolidImage.file()))
        await fixture.pipeline.store(try #require(EncodedImage(Array("garbage".utf8))), for: request)
        _ = try await fixture.pipeline.image(for: request)
        #expect(statistics.counts.damagedEntries == 1)
        #expect(lines.all.contains("damaged on disk, 7 bytes: \(PipelineFixture.address)"))
    }

    @Test(arguments: damages)
    func thatWasAFinishedPictureIsMadeAnewOfTheFile(_ damage: [UInt8]) async throws {
        let request = try await keptRequest(processors: [RecordingProcessor("edit")])
        try spoil(damage)
        #expect(try await pipeline.response(for: request).origin == .disk)
        #expect(damagedSizes == [damage.count])
        #expect(fixture.loader.requests.count == 1)
        await pipeline.waitForStores()
        #expect(files.all.map(\.data.count) == [64, 64])
    }

    @Test func isDroppedForThoseWhoWantTheBytesToo() async throws {
        let request = try await keptRequest()
        try spoilTwice(Array("garbage".utf8))
        #expect(try await pipeline.data(for: request).origin == .network)
        #expect(damagedSizes == [7])
        #expect(try await pipeline.data(for: request).origin == .disk)
    }

    @Test func isDroppedForThoseWhoWantTheHeaderToo() async throws {
        let request = try await keptRequest()
        try spoilTwice(Array("SOLID".utf8))
        #expect(try await pipeline.header(for: request).size == PixelSize(width: 4, height: 3))
        #expect(damagedSizes == [5])
    }

    /// Whoever hears of progress has joined the transfer.
    @Test func isOneEventAndOneTransferForAllWhoWait() async throws {
        let request = try await keptRequest()
        await pipeline.store(try #require(EncodedImage(Array("garbage".utf8))), for: request)
        let gate = Gate()
        let file = SolidImage.file()
        fixture.loader.setScript(
            [.chunk(Array(file[..<8])), .gate(gate), .chunk(Array(file[8...]))], for: PipelineFixture.address)
        var sizes = (1...3).map { side in
            var sized = request
            sized.targetSize = PixelSize(width: side, height: side)
            return sized
        }
        sizes.append(request)
        let tasks = sizes.map { pipeline.task(for: $0) }
        for task in tasks {
            for await event in task.events { if case .progress = event { break } }
        }
        gate.open()
        for task in tasks { #expect(try await task.response.image.brightness == 255) }
        #expect(damagedSizes == [7])
        #expect(fixture.loader.requests.count == 2)
    }

    /// Somebody else may have replaced it since.
    @Test func isNotLoadedAnewWhereAGoodOneIsThereByThen() async throws {
        let request = try await keptRequest()
        try spoil(Array("garbage".utf8))
        #expect(try await pipeline.response(for: request).origin == .disk)
        #expect(damagedSizes == [])
        #expect(fixture.loader.requests.count == 1)
    }

    @Test func thatStaysWhateverIsDoneIsPassedOver() async throws {
        let files = SpoiledFiles(keepsDamage: true)
        let fixture = PipelineFixture { $0.dataCache = files }
        let request = try fixture.request(.chunk(SolidImage.file()))
        _ = try await fixture.pipeline.image(for: request)
        files.spoil([try #require(EncodedImage(Array("garbage".utf8)))])
        for _ in 0..<2 {
            fixture.images.removeAll()
            #expect(try await fixture.pipeline.response(for: request).origin == .network)
        }
    }

    @Test func staysWhereTheRequestMayNotWrite() async throws {
        var request = try await keptRequest()
        request.options.cachePolicy = CachePolicy(memory: .off, disk: .readOnly)
        try spoilTwice(Array("garbage".utf8))
        #expect(try await pipeline.response(for: request).origin == .network)
        #expect(damagedSizes == [7])
        #expect(files.all.count == 1)
    }

    @Test func leavesNothingWhereTheNetworkIsNotToBeAsked() async throws {
        var request = try await keptRequest()
        request.options.cachePolicy = .cacheOnly
        try spoilTwice(Array("garbage".utf8))
        await #expect(throws: ImageError.notCached(address: PipelineFixture.address)) {
            try await pipeline.image(for: request)
        }
        #expect(files.all.isEmpty)
    }

    @Test func isLoadedAnewOnceAndNotForEver() async throws {
        let request = try await keptRequest()
        try spoilTwice(Array("garbage".utf8))
        fixture.loader.setScript([.chunk(Array("SOLID".utf8))], for: PipelineFixture.address)
        await #expect(throws: ImageError.self) { try await pipeline.image(for: request) }
        #expect(fixture.loader.requests.count == 2)
        #expect(damagedSizes == [7])
    }

    @Test func isFoundOutWhenItsServerSaysThatNothingHasChanged() async throws {
        let files = SpoiledFiles()
        let site = ScriptedSite { $0.dataCache = files }
        _ = try await site.load(try site.request())
        site.fixture.images.removeAll()
        let damage = try #require(EncodedImage(Array("garbage".utf8)))
        files.spoil([damage, damage])
        #expect(try await site.load(try site.request(nil, .refreshCached)).origin == .network)
        #expect(site.conditions == ["", "\"1\"", ""])
    }

    /// It may be too large for this request, and good for the next.
    @Test func isNoneThatPassesALimitOfTheRequest() async throws {
        var request = try await keptRequest(processors: [RecordingProcessor("edit")])
        request.options.limits = DecodingLimits(maximumPixelCount: 1)
        await #expect(throws: ImageError.self) { try await pipeline.image(for: request) }
        #expect(damagedSizes == [])
        #expect(files.all.count == 2)
    }
}
