import BowerbirdCore
import BowerbirdTestSupport
import FoundationEssentials
import Testing

@testable import BowerbirdLoading

/// A loader whose head says one length and whose body has another.
private struct LyingLoader: DataLoader {
    let claim: Int?
    let chunks: [[UInt8]]

    func response(for request: DataRequest) async throws(LoadingError) -> DataResponse {
        let rest = Lock(chunks[...])
        let stream = DataStream { () async throws(LoadingError) in rest.withLock { $0.popFirst() } }
        return DataResponse(head: ResponseHead(url: request.url, expectedByteCount: claim), body: .stream(stream))
    }
}

@Suite(.timeLimit(.minutes(5)))
struct `A loader that is wrong about the length` {
    private static let file = SolidImage.file(byteCount: 200)
    private static let chunks = [Array(file[..<100]), Array(file[100...])]

    private func fixture(claiming claim: Int?) -> PipelineFixture {
        PipelineFixture { $0.loader = LyingLoader(claim: claim, chunks: Self.chunks) }
    }

    private func request() throws -> ImageRequest { ImageRequest(try ImageSource(PipelineFixture.address)) }

    @Test(arguments: [201, 1 << 28])
    func andGivesLessIsNotBelievedAndNothingIsKept(claim: Int) async throws {
        let fixture = fixture(claiming: claim)
        let expected = ImageError.loading(
            .incomplete(received: 200, expected: claim), address: PipelineFixture.address)
        await #expect(throws: expected) { try await fixture.pipeline.image(for: request()) }
        #expect(fixture.data.all.isEmpty)
        #expect(fixture.images.all.isEmpty)
    }

    @Test(arguments: [nil, 200])
    func orKnowsNothingOrIsRightGivesThePicture(claim: Int?) async throws {
        let fixture = fixture(claiming: claim)
        #expect(try await fixture.pipeline.response(for: request()).byteCount == 200)
        #expect(fixture.data.all.map(\.data.count) == [200])
    }

    /// The bytes are there; what the head said of them was wrong.
    @Test(arguments: [Int.min, -1, 0, 199])
    func andGivesMoreGivesThePictureAndSensibleProgress(claim: Int) async throws {
        let fixture = fixture(claiming: claim)
        let task = fixture.pipeline.task(for: try request())
        for await event in task.events {
            guard case .progress(let progress) = event, let fraction = progress.fraction else { continue }
            #expect((0...1).contains(fraction))
        }
        #expect(try await task.response.byteCount == 200)
    }
}

@Suite
struct `What is gathered of a body` {
    @Test(arguments: [nil, Int.min, -1, 0, 1, 7, 1000, Int.max])
    func staysAsItWasInEverySnapshot(expected: Int?) throws {
        var buffer = try DownloadBuffer(expectedByteCount: expected)
        var snapshots: [EncodedImage] = []
        for index in 0..<60 {
            try buffer.append([UInt8](repeating: UInt8(index), count: index))
            snapshots.append(buffer.snapshot())
        }
        let whole = (0..<60).flatMap { [UInt8](repeating: UInt8($0), count: $0) }
        for (index, snapshot) in snapshots.enumerated() {
            #expect(snapshot.count == index * (index + 1) / 2)
            #expect(Array(snapshot) == Array(whole[..<snapshot.count]))
        }
    }
}

@Suite(.timeLimit(.minutes(5)))
struct `What cannot be decoded` {
    @Test func isNotLookedForInADataCacheThatNeverHadIt() async throws {
        let fixture = PipelineFixture()
        let picture = try #require(EncodedImage(Array("no picture".utf8)))
        await #expect(throws: ImageError.self) {
            try await fixture.pipeline.image(for: ImageRequest(.data(picture, name: "x")))
        }
        #expect(fixture.data.removalCount == 0)
    }
}
