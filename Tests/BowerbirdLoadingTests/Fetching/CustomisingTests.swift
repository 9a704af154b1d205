import BowerbirdCore
import BowerbirdTestSupport
import FoundationEssentials
import Testing

@testable import BowerbirdLoading

private struct Trouble: Error, CustomStringConvertible {
    let description = "no key"
}

@Suite(.timeLimit(.minutes(5)))
struct `What an application does to a request before it goes out` {
    @Test func isDoneAnewForEachTry() async throws {
        let signature = Lock(0)
        let clock = ManualClock()
        let site = ScriptedSite {
            $0.options.retry = .backoff()
            $0.prepareRequest = { request in
                await Task.yield()
                var request = request
                request.headers["X-Signature"] = "\(signature.withLock { $0 += 1; return $0 })"
                return request
            }
            $0.clock = clock
        }
        site.change { $0.failure = .timedOut("") }
        let task = site.pipeline.task(for: try site.request(headers: ["X-Own": "1"]))
        await clock.waitForSleepers()
        site.change { $0.failure = nil }
        clock.advance(by: .seconds(1))
        _ = try await task.response
        #expect(site.requests.map { $0.headers["X-Signature"] } == ["1", "2"])
        #expect(site.requests.allSatisfy { $0.headers["X-Own"] == "1" })
    }

    @Test func mayRefuseIt() async throws {
        let site = ScriptedSite { $0.prepareRequest = { _ in throw Trouble() } }
        await #expect(throws: ImageError.loading(.refused("no key"))) { try await site.load(try site.request()) }
        #expect(site.requests.isEmpty && site.pipeline.failures.count == 0)
    }

    @Test func mayChangeTheAddressAndLeavesTheKeysAlone() async throws {
        let site = ScriptedSite(address: "http://cdn.test/signed") {
            $0.prepareRequest = { request in
                var request = request
                request.url = URL(string: "http://cdn.test/signed") ?? request.url
                return request
            }
        }
        _ = try await site.load(try site.request())
        #expect(try await site.loadWithoutMemory(try site.request()).origin == .disk)
        #expect(site.requests.count == 1)
    }

    @Test func isLeftWhenTheAskerLeaves() async throws {
        let gate = Gate()
        let site = ScriptedSite {
            $0.prepareRequest = { request in
                await gate.pass()
                try Task.checkCancellation()
                return request
            }
        }
        let task = site.pipeline.task(for: try site.request())
        await gate.waitForArrivals()
        task.cancel()
        await #expect(throws: ImageError.cancelled) { try await task.response }
        await site.pipeline.waitUntilIdle()
        #expect(site.requests.isEmpty && site.pipeline.failures.count == 0)
    }
}

@Suite(.timeLimit(.minutes(5)))
struct `A rule for answers` {
    private func site(_ rule: ResponseRule, type: String? = nil, status: Int = 200) -> ScriptedSite {
        let site = ScriptedSite { $0.responseRule = rule }
        let headers = type.map { ["content-type": $0] } ?? [:]
        site.fixture.loader.setAnswer(for: PipelineFixture.address) { _ in
            .init(status: status, headers: headers, [.chunk(SolidImage.file())])
        }
        return site
    }

    @Test(arguments: [(200, true), (203, true), (299, true), (300, false), (404, false), (500, false)])
    func takesSuccessesUnlessMoreIsSaid(status: Int, isTaken: Bool) async throws {
        let site = site(ResponseRule(), status: status)
        if isTaken {
            _ = try await site.load(try site.request())
        } else {
            await #expect(throws: ImageError.loading(.status(status))) { try await site.load(try site.request()) }
        }
    }

    @Test func mayTakeOtherStatuses() async throws {
        let site = site(ResponseRule(statuses: [404]), status: 404)
        _ = try await site.load(try site.request())
    }

    @Test(arguments: ["image/png", "IMAGE/PNG", "image/png; charset=utf-8", "image/x-solid", "text/plain"])
    func mayTakeSomeMediaTypesOnly(type: String) async throws {
        let rule = ResponseRule(mediaTypes: ["image/*", "text/plain"])
        _ = try await site(rule, type: type).load(ImageRequest(try ImageSource(PipelineFixture.address)))
    }

    @Test(arguments: [
        ("text/html; charset=utf-8", "text/html"), ("imagex/png", "imagex/png"), (nil, ""), ("image", "image"),
    ])
    func refusesTheOthers(type: String?, said: String) async throws {
        let site = site(ResponseRule(mediaTypes: ["image/*", "text/plain"]), type: type)
        await #expect(throws: ImageError.loading(.mediaType(said))) { try await site.load(try site.request()) }
        #expect(site.fixture.data.all.isEmpty)
    }

    @Test func mayLookAtTheHeadItself() async throws {
        let site = site(
            ResponseRule { head in if head["content-type"] == "image/png" { throw Trouble() } }, type: "image/png")
        await #expect(throws: ImageError.loading(.refused("no key"))) { try await site.load(try site.request()) }
    }
}

@Suite(.timeLimit(.minutes(5)))
struct `A transform of bytes` {
    private static let code = DataTransform(name: "xor") { data in
        let bytes = data.withUnsafeBytes { bytes in bytes.map { $0 ^ 0x5A } }
        guard bytes.first == UInt8(ascii: "S"), let plain = EncodedImage(bytes) else { throw Trouble() }
        return plain
    }

    private let site = ScriptedSite()
    private let secret = SolidImage.file(.white).map { $0 ^ 0x5A }

    private func request(_ transform: DataTransform = code) throws -> ImageRequest {
        site.fixture.loader.setScript(
            [.chunk(Array(secret[..<20])), .chunk(Array(secret[20...]))], for: PipelineFixture.address)
        var request = try site.request()
        request.options.transform = transform
        return request
    }

    @Test func isAppliedToWhatComesAndToWhatIsKept() async throws {
        let request = try request()
        #expect(try await site.load(request).brightness == 255)
        #expect(site.fixture.data.all.map { Array($0.data) } == [secret])
        let kept = try await site.loadWithoutMemory(request)
        #expect(kept.origin == .disk && kept.brightness == 255)
        #expect(try await Array(site.pipeline.data(for: request).data) == secret)
    }

    @Test func showsNoPreviews() async throws {
        let events = await site.pipeline.task(for: try request()).events.collect()
        #expect(!events.contains { if case .preview = $0 { true } else { false } })
    }

    @Test func isPartOfTheKeyOfThePicture() async throws {
        let request = try request()
        _ = try await site.load(request)
        #expect(site.pipeline.cachedImage(for: try site.request()) == nil)
        #expect(site.pipeline.cachedImage(for: try self.request(DataTransform(name: "other") { $0 })) == nil)
        #expect(site.pipeline.cachedImage(for: request) != nil)
    }

    @Test func saysWhatItCouldNotDoAndIsTriedAgain() async throws {
        let failing = try request(DataTransform(name: "xor") { _ in throw Trouble() })
        let error = ImageError.transform("no key", address: PipelineFixture.address)
        for _ in 0..<2 { await #expect(throws: error) { try await site.load(failing) } }
        #expect(site.requests.count == 2 && site.pipeline.failures.count == 0)
        #expect(site.fixture.data.all.isEmpty)
    }

    /// What could be kept of a page that is no picture, and no secret, is not kept for ever.
    @Test func forgetsAKeptFileThatItCannotRead() async throws {
        let request = try request()
        await site.pipeline.store(try #require(EncodedImage(Array("<html>".utf8))), for: request)
        #expect(try await site.load(request).origin == .network)
        #expect(site.fixture.data.all.map { Array($0.data) } == [secret])
    }

    @Test(arguments: [DiskContent.processed(.png), .both(.png)])
    func keepsItsFinishedPicturesOffTheDisk(_ content: DiskContent) async throws {
        var request = try request()
        request.processors = [RecordingProcessor()]
        request.options.diskContent = content
        _ = try await site.load(request)
        #expect(site.fixture.data.all.map { Array($0.data) } == [secret])
    }
}
