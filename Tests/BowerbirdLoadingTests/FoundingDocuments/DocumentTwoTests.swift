import Bowerbird
import BowerbirdCore
import BowerbirdTestSupport
import FoundationEssentials
import Testing

@testable import BowerbirdLoading

/// The document on pictures that are downloaded one after the other, and on addresses that make trouble: rows S2. Rows
/// that other suites prove are named in the documentation.
@Suite(.timeLimit(.minutes(5)))
struct `The document on sequences and addresses` {
    @Test("S2-01: addresses in clear text are loaded, and told of once for each host, or refused")
    func clearText() async throws {
        let events = EventRecord()
        let fixture = PipelineFixture { $0.observers = [events] }
        var requests = try fixture.requests(2)
        for request in requests { _ = try await fixture.pipeline.image(for: request) }
        #expect(events.warnedHosts == ["host.test"])
        requests[0].options.plainHTTP = .refuse
        requests[0].options.cachePolicy = .reload
        let refusal = ImageError.loading(.plainHTTP(host: "host.test"), address: PipelineFixture.address(0))
        await #expect(throws: refusal) { try await fixture.pipeline.image(for: requests[0]) }
        #expect(fixture.loader.requests.count == 2)
    }

    @Test("S2-01: where it is allowed nobody is told")
    func clearTextThatIsAllowed() async throws {
        let events = EventRecord()
        let fixture = PipelineFixture {
            $0.observers = [events]
            $0.options.plainHTTP = .allow
        }
        _ = try await fixture.pipeline.image(for: try fixture.requests(1)[0])
        #expect(events.warnedHosts == [])
    }

    @Test(
        "S2-03, S2-04, S2-05: what is sent is encoded exactly once",
        arguments: [
            ("http://host.test/图.jpg", "http://host.test/%E5%9B%BE.jpg"),
            ("http://host.test/%E5%9B%BE.jpg", "http://host.test/%E5%9B%BE.jpg"),
            ("http://host.test/a b.jpg", "http://host.test/a%20b.jpg"),
            ("http://host.test/a%20b.jpg", "http://host.test/a%20b.jpg"),
            ("http://host.test/a\u{3000}b.jpg", "http://host.test/a%E3%80%80b.jpg"),
        ])
    func encodedOnce(written: String, sent: String) async throws {
        let fixture = PipelineFixture()
        fixture.loader.setScript([.chunk(SolidImage.file())], for: sent)
        _ = try await fixture.pipeline.image(for: ImageRequest(try ImageSource(written)))
        #expect(fixture.loader.requests.map(\.url.absoluteString) == [sent])
    }

    @Test("S2-05: a half-width and a full-width space are two addresses")
    func twoKindsOfSpace() async throws {
        let fixture = PipelineFixture()
        let keys = try ["a b", "a\u{3000}b"].map { name in
            fixture.pipeline.dataCacheKey(for: ImageRequest(try ImageSource("http://host.test/\(name)")))
        }
        #expect(keys[0] != keys[1])
    }

    @Test("S2-14: a server that answers 304 to no question at all is a failure with a reason, and no trap")
    func unaskedNotModified() async throws {
        let fixture = PipelineFixture()
        fixture.loader.setAnswer(for: PipelineFixture.address(0)) { _ in .init(status: 304) }
        let requests =
            [ImageRequest(try ImageSource(PipelineFixture.address(0)))]
            + [try fixture.request(1, [.chunk(SolidImage.file())])]
        let ends = await ImageSequenceLoader(pipeline: fixture.pipeline).images(for: requests).ends()
        #expect(ends == ["0 failed: http://host.test/0: the server answered with status 304", "1 loaded"])
    }
}

extension EventRecord {
    fileprivate var warnedHosts: [String] {
        all.compactMap { event in if case .plainHTTP(let host) = event { host } else { nil } }
    }
}
