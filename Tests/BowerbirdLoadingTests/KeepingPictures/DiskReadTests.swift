import BowerbirdCore
import BowerbirdTestSupport
import Testing

@testable import BowerbirdLoading

@Suite(.timeLimit(.minutes(5)))
struct `Reads of the data cache` {
    private let files = GatedFiles(reading: Gate())
    private let fixture: PipelineFixture
    private var pipeline: ImagePipeline { fixture.pipeline }

    init() {
        let files = files
        fixture = PipelineFixture {
            $0.dataCache = files
            $0.maximumDiskReadCount = 2
            $0.options.cachePolicy = .cacheOnly
        }
    }

    private var asked: [Int] { files.asked.all.compactMap { $0.text.split(separator: "/").last.flatMap { Int($0) } } }

    /// Tasks whose reads wait behind two that hold both places.
    private func waitingTasks() async throws -> [ImageTask] {
        var tasks: [ImageTask] = []
        for index in 10...11 {
            tasks.append(pipeline.task(for: try fixture.request(index, [])))
            #expect(await eventually { pipeline.readSlots.waitingCount == tasks.count })
        }
        return tasks
    }

    private func occupy() async throws -> [ImageTask] {
        let tasks = try fixture.requests(2).map { pipeline.task(for: $0) }
        await files.reading.waitForArrivals(2)
        return tasks
    }

    private func end(_ tasks: [ImageTask]) async {
        files.reading.open()
        for task in tasks { _ = try? await task.response }
        await pipeline.waitUntilIdle()
    }

    @Test func areNoMoreAtOnceThanAllowed() async throws {
        let first = try await occupy()
        let others = try await waitingTasks()
        #expect(asked.count == 2)
        await end(first + others)
        #expect(asked.count == 4)
    }

    @Test func areFourAtOnceUnlessMoreIsSaid() {
        #expect(ImagePipeline.Configuration(loader: ScriptedLoader(), codecs: CodecSet()).maximumDiskReadCount == 4)
    }

    @Test func areServedByPriorityAndThenInOrder() async throws {
        let pipeline = PipelineFixture {
            $0.dataCache = files
            $0.maximumDiskReadCount = 1
            $0.options.cachePolicy = .cacheOnly
        }.pipeline
        var tasks = [pipeline.task(for: try fixture.request(0, []))]
        await files.reading.waitForArrivals()
        for (index, priority) in [RequestPriority.low, .normal, .normal, .high].enumerated() {
            var request = try fixture.request(index + 1, [])
            request.options.priority = priority
            tasks.append(pipeline.task(for: request))
            #expect(await eventually { pipeline.readSlots.waitingCount == index + 1 })
        }
        await end(tasks)
        await pipeline.waitUntilIdle()
        #expect(asked == [0, 4, 2, 3, 1])
    }

    @Test func ofPrefetchingComeAfterAllOthersAndFollowAChangeOfPriority() async throws {
        let pipeline = PipelineFixture {
            $0.dataCache = files
            $0.maximumDiskReadCount = 1
            $0.options.cachePolicy = .cacheOnly
        }.pipeline
        var tasks = [pipeline.task(for: try fixture.request(0, []))]
        await files.reading.waitForArrivals()
        for index in 1...4 {
            var request = try fixture.request(index, [])
            request.options.priority = index == 1 ? .veryHigh : .low
            tasks.append(pipeline.task(for: request, in: index == 1 ? .prefetch : .ordinary))
            #expect(await eventually { pipeline.readSlots.waitingCount == index })
        }
        tasks[4].priority = .high
        await end(tasks)
        await pipeline.waitUntilIdle()
        #expect(asked == [0, 4, 2, 3, 1])
    }

    @Test func thatNobodyWaitsForAnyMoreAreNotMade() async throws {
        let first = try await occupy()
        let others = try await waitingTasks()
        others[0].cancel()
        guard case .finished(.failure(.cancelled)) = others[0].status else { Issue.record("it goes on"); return }
        #expect(await eventually { pipeline.readSlots.waitingCount == 1 })
        await end(first + others)
        #expect(asked.count == 3)
    }

    @Test func ofFinishedPicturesWaitToo() async throws {
        let first = try await occupy()
        var request = try fixture.request(5, [])
        request.targetSize = PixelSize(width: 1, height: 1)
        request.options.diskContent = .both(.automatic)
        let task = pipeline.task(for: request)
        #expect(await eventually { pipeline.readSlots.waitingCount == 1 })
        #expect(asked.count == 2)
        await end(first + [task])
        #expect(asked.count == 4)
    }

    @Test func giveTheirPlacesBackWhenEverythingIsCancelled() async throws {
        let first = try await occupy()
        let others = try await waitingTasks()
        pipeline.cancelAll()
        await end(first + others)
        #expect(asked.count == 2)
        #expect(pipeline.readSlots.runningCount == 0)
    }
}

/// From memory to the disk to the network; what SDWebImage calls the query.
@Suite(.timeLimit(.minutes(5)))
struct `A look into the caches` {
    @Test func thatFindsThePictureInMemoryEndsBeforeTheCallReturns() async throws {
        let fixture = PipelineFixture()
        let request = try fixture.request(.chunk(SolidImage.file()))
        _ = try await fixture.pipeline.image(for: request)
        guard case .finished(.success(let response)) = fixture.pipeline.task(for: request).status else {
            Issue.record("it waits")
            return
        }
        #expect(response.origin == .memory)
    }

    @Test(arguments: [CachePolicy.Access.off, .writeOnly, .readOnly])
    func asksTheDiskOnlyWhereItMay(_ access: CachePolicy.Access) async throws {
        let (files, events) = (GatedFiles(), EventRecord())
        let fixture = PipelineFixture {
            $0.dataCache = files
            $0.observers = [events]
        }
        var request = try fixture.request(.chunk(SolidImage.file()))
        request.options.cachePolicy = CachePolicy(disk: access, network: .off)
        await #expect(throws: ImageError.notCached(address: PipelineFixture.address)) {
            try await fixture.pipeline.image(for: request)
        }
        #expect(files.asked.all.count == (access.reads ? 1 : 0))
        #expect(events.summaries.contains("not in memory"))
        #expect(events.summaries.contains("not on disk") == access.reads)
    }

    @Test func thatIsLeftWhileItWaitsEndsOnce() async throws {
        let files = GatedFiles(reading: Gate())
        let fixture = PipelineFixture { $0.dataCache = files }
        let task = fixture.pipeline.task(for: try fixture.request(.chunk(SolidImage.file())))
        await files.reading.waitForArrivals()
        task.cancel()
        let events = await task.events.collect()
        #expect(events.count == 1)
        guard case .failure(.cancelled)? = events.outcome else { Issue.record("no end"); return }
        files.reading.open()
        await fixture.pipeline.waitUntilIdle()
        #expect(fixture.loader.requests.isEmpty)
    }

    /// Another job may have made the picture between the two looks.
    @Test func intoMemoryIsTakenAgainBeforeTheDiskIsAsked() async throws {
        let (files, images) = (GatedFiles(), LateImages())
        let fixture = PipelineFixture {
            $0.dataCache = files
            $0.imageCache = images
        }
        let picture = try await fixture.pipeline.image(
            for: ImageRequest(.data(try #require(EncodedImage(SolidImage.file())), name: "mine")))
        images.arrive(picture)
        let response = try await fixture.pipeline.response(for: try fixture.request())
        #expect(response.origin == .memory)
        #expect(response.image.bitmap.isIdentical(to: picture.bitmap))
        #expect(files.asked.all.isEmpty)
    }
}

/// Has its picture from the second look on.
private final class LateImages: ImageCache {
    private let state = Lock<(picture: DecodedImage?, lookups: Int)>((nil, 0))

    func arrive(_ picture: DecodedImage) { state.withLock { $0 = (picture, 0) } }

    func image(for key: CacheKey) -> CachedImage? {
        state.withLock { state in
            state.lookups += 1
            return state.lookups > 1 ? state.picture.map { CachedImage($0) } : nil
        }
    }

    func store(_ image: CachedImage, for key: CacheKey) {}
    func remove(for key: CacheKey) {}
    func remove(source: String) {}
    func removeAll() {}
}
