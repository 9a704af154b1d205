import BowerbirdCore
import BowerbirdTestSupport
import Foundation
import Testing

@testable import BowerbirdLoading

@Suite(.timeLimit(.minutes(5)))
struct `The caches through the front door` {
    private let fixture = PipelineFixture { $0.codecs.add(SolidEncoder()) }
    private var pipeline: ImagePipeline { fixture.pipeline }

    private func edited(_ request: ImageRequest, _ name: String = "edit") -> ImageRequest {
        var edited = request
        edited.processors = [RecordingProcessor(name)]
        return edited
    }

    private func file(_ color: Color) throws -> EncodedImage { try #require(EncodedImage(SolidImage.file(color))) }

    private func blue(of image: DecodedImage) -> UInt8? { image.bitmap.withRow(0) { $0.byte(at: 0) } }

    @Test func tellWhereAPictureIs() async throws {
        let plain = try fixture.request(.chunk(SolidImage.file()))
        #expect(await pipeline.locations(of: plain) == [])
        _ = try await pipeline.image(for: edited(plain))
        #expect(await pipeline.locations(of: plain) == [.disk])
        #expect(await pipeline.locations(of: edited(plain)) == [.memory, .disk])
        #expect(pipeline.cachedImage(for: plain) == nil)
        #expect(pipeline.cachedImage(for: edited(plain)) != nil)
        #expect(pipeline.cachedImage(for: edited(plain, "other")) == nil)
        fixture.images.removeAll()
        #expect(await pipeline.locations(of: edited(plain)) == [.disk])
    }

    @Test func findAFinishedPictureThatIsKeptInsteadOfItsFile() async throws {
        var request = edited(try fixture.request(.chunk(SolidImage.file())))
        request.options.diskContent = .processed(SolidImage.format)
        _ = try await pipeline.image(for: request)
        fixture.images.removeAll()
        #expect(await pipeline.locations(of: request) == [.disk])
        request.options.diskContent = .original
        #expect(await pipeline.locations(of: request) == [])
    }

    @Test func haveAKeyForEachEditAndOneForTheFile() throws {
        let plain = try fixture.request()
        let keys = [plain, edited(plain), edited(plain, "other")]
        #expect(Set(keys.map(pipeline.imageCacheKey)).count == 3)
        #expect(Set(keys.map(pipeline.dataCacheKey)).count == 1)
        #expect(Set(keys.map { pipeline.imageCacheKey(for: $0).source }).count == 1)
    }

    @Test func haveTheKeysUnderWhichPicturesAreKept() async throws {
        let request = edited(try fixture.request(.chunk(SolidImage.file())))
        _ = try await pipeline.image(for: request)
        #expect(fixture.images.image(for: pipeline.imageCacheKey(for: request)) != nil)
        #expect(fixture.data.keys == [pipeline.dataCacheKey(for: request)])
    }

    @Test func takeAFileAsIfItHadBeenLoaded() async throws {
        let request = try fixture.request()
        await pipeline.store(try file(.black), for: request)
        #expect(try await pipeline.response(for: edited(request)).origin == .disk)
        #expect(fixture.loader.requests.isEmpty)
        #expect(fixture.data.all.map(\.url) == [PipelineFixture.address])
        #expect(fixture.data.all.map(\.mediaType) == [nil])
    }

    @Test func forgetWhatWasMadeOfAnOlderFileWhenTheyTakeAnother() async throws {
        var requests = [try fixture.request(.chunk(SolidImage.file(.white)))]
        requests.append(edited(requests[0]))
        requests[1].options.diskContent = .both(SolidImage.format)
        for request in requests { _ = try await pipeline.image(for: request) }
        await pipeline.store(try file(.black), for: requests[0])
        for request in requests { #expect(blue(of: try await pipeline.image(for: request)) == 0) }
        #expect(fixture.loader.requests.count == 1)
    }

    @Test func takeAFileForWhatFailedBefore() async throws {
        let request = ImageRequest(try ImageSource(PipelineFixture.address))
        await #expect(throws: ImageError.self) { try await pipeline.image(for: request) }
        await pipeline.store(try file(.black), for: request)
        #expect(try await pipeline.response(for: request).origin == .disk)
    }

    @Test func takeNoFileForWhatIsOnThisMachine() async throws {
        let request = ImageRequest(.data(try file(.black), name: "mine"))
        await pipeline.store(try file(.white), for: request)
        #expect(fixture.data.all.isEmpty)
        #expect(blue(of: try await pipeline.image(for: request)) == 0)
    }

    @Test func takeAPictureForMemory() async throws {
        let picture = try await pipeline.image(for: ImageRequest(.data(try file(.black), name: "mine")))
        let request = edited(try fixture.request())
        try await pipeline.store(picture, for: request)
        #expect(try await pipeline.response(for: request).origin == .memory)
        #expect(fixture.data.all.isEmpty)
        #expect(fixture.loader.requests.isEmpty)
    }

    @Test func takeAPictureAsTheFileOfAllItsEdits() async throws {
        let picture = try await pipeline.image(for: ImageRequest(.data(try file(.black), name: "mine")))
        let request = try fixture.request()
        try await pipeline.store(picture, for: request, as: SolidImage.format)
        #expect(await pipeline.locations(of: request) == [.memory, .disk])
        let response = try await pipeline.response(for: edited(request))
        #expect(blue(of: response.image) == 0)
        #expect(fixture.loader.requests.isEmpty)
    }

    @Test func keepNothingOfAPictureInAFormatThatNobodyWrites() async throws {
        let picture = try await pipeline.image(for: ImageRequest(.data(try file(.black), name: "mine")))
        let request = try fixture.request()
        await #expect(throws: EncodingError.unsupportedFormat(.avif)) {
            try await pipeline.store(picture, for: request, as: .avif)
        }
        #expect(await pipeline.locations(of: request) == [])
    }

    @Test func writeAPictureOffTheThreadOfTheCaller() async throws {
        let encoder = ThreadNotingEncoder()
        let fixture = PipelineFixture { $0.codecs.add(encoder) }
        let picture = try await pipeline.image(for: ImageRequest(.data(try file(.black), name: "mine")))
        let request = try fixture.request()
        try await Task { @MainActor in
            try await fixture.pipeline.store(picture, for: request, as: SolidImage.format)
        }.value
        #expect(encoder.wasOnMainThread == false)
    }

    @Test func forgetAllOfASourceAndNothingElse() async throws {
        var requests = [try fixture.request(.chunk(SolidImage.file()))]
        requests.append(edited(requests[0]))
        requests[1].options.diskContent = .both(SolidImage.format)
        requests.append(requests[0])
        requests[2].targetSize = PixelSize(width: 2, height: 2)
        let other = try fixture.request(1, [.chunk(SolidImage.file())])
        for request in requests + [other] { _ = try await pipeline.image(for: request) }
        await pipeline.remove(for: requests[2])
        for request in requests { #expect(await pipeline.locations(of: request) == []) }
        #expect(await pipeline.locations(of: other) == [.memory, .disk])
        #expect(fixture.data.all.count == 1)
    }

    @Test func forgetAFailureWithItsSource() async throws {
        let request = ImageRequest(try ImageSource(PipelineFixture.address))
        await #expect(throws: ImageError.self) { try await pipeline.image(for: request) }
        await pipeline.remove(for: edited(request))
        _ = try fixture.request(.chunk(SolidImage.file()))
        #expect(try await pipeline.response(for: request).origin == .network)
    }

    /// What has come of it is not gone on with.
    @Test(arguments: [false, true])
    func forgetATransferThatWasCut(isRemoved: Bool) async throws {
        fixture.loader.setAnswer(for: PipelineFixture.address) { _ in
            let headers = ["etag": "\"1\"", "accept-ranges": "bytes"]
            return .init(headers: headers, [.chunk(SolidImage.file()), .failure(.connectionLost("cut"))])
        }
        let request = ImageRequest(try ImageSource(PipelineFixture.address))
        for _ in 0..<2 {
            await #expect(throws: ImageError.self) { try await pipeline.image(for: request) }
            if isRemoved { await pipeline.remove(for: request) }
        }
        #expect(fixture.loader.requests.map { $0.headers["Range"] } == [nil, isRemoved ? nil : "bytes=64-"])
    }

    @Test func forgetEverything() async throws {
        let requests = try fixture.requests(3)
        for request in requests { _ = try await pipeline.image(for: request) }
        await #expect(throws: ImageError.self) {
            try await pipeline.image(for: ImageRequest(try ImageSource("http://host.test/missing")))
        }
        await pipeline.removeAll()
        for request in requests { #expect(await pipeline.locations(of: request) == []) }
        #expect(pipeline.failures.count == 0)
    }
}

/// Whether it was asked on the main thread.
private final class ThreadNotingEncoder: ImageEncoder {
    let format = SolidImage.format
    private let state = Lock<Bool?>(nil)

    var wasOnMainThread: Bool? { state.withLock { $0 } }

    func encode(_ bitmap: Bitmap, _ options: EncodingOptions) throws(EncodingError) -> EncodedImage {
        state.withLock { $0 = Thread.isMainThread }
        return try SolidEncoder().encode(bitmap, options)
    }
}

@Suite(.timeLimit(.minutes(5)))
struct `The bytes of a picture` {
    private let fixture = PipelineFixture()
    private var pipeline: ImagePipeline { fixture.pipeline }

    @Test func comeWithoutBeingDecoded() async throws {
        let request = try fixture.request(.chunk(SolidImage.file(byteCount: 100)))
        let first = try await pipeline.data(for: request)
        #expect(first.origin == .network)
        #expect(Array(first.data) == SolidImage.file(byteCount: 100))
        #expect(try await pipeline.data(for: request).origin == .disk)
        #expect(fixture.decoder.decodeCount == 0)
        #expect(fixture.images.all.isEmpty)
    }

    @Test func shareTheirTransferWithAPicture() async throws {
        let gate = Gate()
        let request = try fixture.request(.gate(gate), .chunk(SolidImage.file()))
        let picture = pipeline.task(for: request)
        await gate.waitForArrivals()
        let bytes = Task { [pipeline] in try await pipeline.data(for: request) }
        #expect(await eventually { pipeline.runningCount == 2 })
        gate.open()
        _ = try await (picture.response, bytes.value)
        #expect(fixture.loader.requests.count == 1)
    }

    @Test func tellHowMuchOfThemHasCome() async throws {
        let file = SolidImage.file(byteCount: 200)
        let gate = Gate()
        let news = Record<TransferProgress>()
        let request = try fixture.request(.chunk(Array(file[..<100])), .gate(gate), .chunk(Array(file[100...])))
        _ = try await pipeline.data(for: request) { progress in
            news.note(progress)
            gate.open()
        }
        #expect(news.all.first == TransferProgress(received: 100, total: 200))
    }

    @Test func thatAreKeptAndNoPictureAreForgottenAndLoadedAnew() async throws {
        let request = try fixture.request(.chunk(SolidImage.file()))
        await pipeline.store(try #require(EncodedImage(Array("garbage".utf8))), for: request)
        #expect(try await pipeline.data(for: request).origin == .network)
        #expect(try await pipeline.data(for: request).origin == .disk)
    }

    @Test func thatAreNoPictureAreNotAskedForAgain() async throws {
        let request = try fixture.request(.chunk(Array("<!DOCTYPE html>".utf8)))
        let error = ImageError.decoding(
            .unsupportedFormat(nil, beginning: "<!DOCTYPE html>"), address: PipelineFixture.address)
        await #expect(throws: error) { try await pipeline.data(for: request) }
        await #expect(throws: ImageError.failedBefore(error)) { try await pipeline.data(for: request) }
        #expect(fixture.loader.requests.count == 1)
    }

    @Test func comeFromTheFirstSourceThatHasThem() async throws {
        var request = ImageRequest(try ImageSource("http://host.test/missing"))
        request.alternatives =
            [try ImageSource("http://host.test/missing-too")] + (try fixture.requests(1).map(\.source))
        #expect(Array(try await pipeline.data(for: request).data) == SolidImage.file())
        request.alternatives.removeLast()
        await #expect(throws: ImageError.self) { try await pipeline.data(for: request) }
    }

    @Test func areLeftWithTheTaskThatWantsThem() async throws {
        let gate = Gate()
        let request = try fixture.request(.gate(gate), .chunk(SolidImage.file()))
        let bytes = Task { [pipeline] in try await pipeline.data(for: request) }
        await gate.waitForArrivals()
        bytes.cancel()
        await #expect(throws: ImageError.cancelled) { try await bytes.value }
        await pipeline.waitUntilIdle()
        #expect(fixture.loader.cancelledCount == 1)
        #expect(!pipeline.isRunning)
    }
}
