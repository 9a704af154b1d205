import BowerbirdCore
import BowerbirdTestSupport
import FoundationEssentials
import Testing

@testable import BowerbirdLoading

@Suite(.timeLimit(.minutes(5)))
struct `An address that can only fail` {
    /// The address, and what the text of its error names.
    static let addresses = [
        ("bird.jpg", "scheme"), ("/bird.jpg", "scheme"), ("//host.test/bird.jpg", "scheme"),
        ("gopher://host.test/bird.jpg", "gopher:"), ("http:///bird.jpg", "host"), ("https://:443/bird.jpg", "host"),
        ("http:", "host"), ("http:bird.jpg", "host"),
        ("https://host.test/" + String(repeating: "x", count: 1 << 20), "1048594 bytes"),
        ("gopher://host.test/" + String(repeating: "x", count: 1 << 20), "1048595 bytes"),
    ]

    @Test(arguments: addresses)
    func isRefusedBeforeAnyWorkWithAWordOnWhatIsWrong(address: String, word: String) async throws {
        let loader = CountingLoader()
        let fixture = PipelineFixture { $0.loader = loader }
        let url = try #require(URL(string: address))
        let request = ImageRequest(url: url)
        let task = fixture.pipeline.task(for: request)
        guard case .finished(.failure(let error)) = task.status else {
            Issue.record("the task should have ended at once")
            return
        }
        #expect(error.description.contains(word), "\(error.description.prefix(300))")
        #expect(error.description.utf8.count < 500)
        await #expect(throws: error) { try await fixture.pipeline.data(for: request) }
        #expect(loader.requestCount == 0)
        #expect(fixture.pipeline.cachedImage(for: request) == nil)
    }

    @Test func mayBeMissingAltogether() async throws {
        let fixture = PipelineFixture()
        // Handed over under a lock: the thread sanitizer does not see that a continuation does the same.
        let heard = Mailbox<NoNews, Result<ImageResponse, ImageError>>()
        #expect(fixture.pipeline.loadImage(from: nil) { heard.finish($0) } == nil)
        let outcome = await heard.outcome { _ in }
        guard case .failure(let error) = outcome else {
            Issue.record("there is no picture without an address")
            return
        }
        #expect(error == .invalidURL("") && error.description == "there is no address")
        #expect(fixture.loader.requests.isEmpty)
    }

    @Test func isFoundOutWhereItIsWritten() {
        #expect(throws: ImageError.invalidURL("")) { try ImageSource("") }
    }

    @Test func isNotOneOfABoundWithinWhichServersAreAsked() async throws {
        let fixture = PipelineFixture()
        let address = "http://host.test/" + String(repeating: "x", count: AddressCheck.maximumByteCount - 17)
        fixture.loader.setScript([.chunk(SolidImage.file())], for: address)
        _ = try await fixture.pipeline.image(for: ImageRequest(url: try #require(URL(string: address))))
        await #expect(throws: ImageError.invalidURL(address + "x")) {
            try await fixture.pipeline.image(for: ImageRequest(url: try #require(URL(string: address + "x"))))
        }
    }

    @Test func isNoneWhereTheBytesStandInIt() async throws {
        let fixture = PipelineFixture { $0.loader = SourceLoader() }
        let bytes = Data(SolidImage.file(byteCount: 100_000)).base64EncodedString()
        let url = try #require(URL(string: "data:application/octet-stream;base64," + bytes))
        #expect(try await fixture.pipeline.response(for: ImageRequest(url: url)).origin == .local)
    }
}

/// Knows the usual schemes and counts who asks.
private final class CountingLoader: DataLoader {
    private let count = Lock(0)
    var requestCount: Int { count.withLock { $0 } }

    func canLoad(_ url: URL) -> Bool { SourceLoader().canLoad(url) }

    func response(for request: DataRequest) async throws(LoadingError) -> DataResponse {
        count.withLock { $0 += 1 }
        throw .cancelled
    }
}
