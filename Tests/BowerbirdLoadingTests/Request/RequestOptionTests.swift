import BowerbirdCore
import BowerbirdTestSupport
import FoundationEssentials
import Testing

@testable import BowerbirdLoading

/// What a request may say, tried through a whole pipeline.
@Suite(.timeLimit(.minutes(5)))
struct `What a request may say` {
    private let fixture = PipelineFixture()

    private func script(_ addresses: String...) {
        for address in addresses { fixture.loader.setScript([.chunk(SolidImage.file())], for: address) }
    }

    private var asked: [String] { fixture.loader.requests.map(\.url.absoluteString) }

    @Test func aKeyOfItsOwnStandsForTheAddress() async throws {
        script("http://host.test/1", "http://host.test/2")
        var requests = try ["1", "2"].map { ImageRequest(try ImageSource("http://host.test/\($0)")) }
        for index in requests.indices { requests[index].cacheKey = "the same" }
        _ = try await fixture.pipeline.image(for: requests[0])
        #expect(fixture.pipeline.cachedImage(for: requests[1]) != nil)
        fixture.images.removeAll()
        #expect(try await fixture.pipeline.response(for: requests[1]).origin == .disk)
        #expect(asked == ["http://host.test/1"])
    }

    /// The signatures of one picture's addresses change by the minute.
    @Test func signedAddressesOfOnePictureAreOne() async throws {
        let signed = ["1", "2"].map {
            "https://bucket.s3.amazonaws.com/a.jpg?X-Amz-Algorithm=AWS4-HMAC-SHA256"
                + "&X-Amz-Credential=c&X-Amz-Date=20260101T00000\($0)Z&X-Amz-Expires=60&X-Amz-SignedHeaders=host"
                + "&X-Amz-Signature=\($0)"
        }
        let gate = Gate()
        for address in signed { fixture.loader.setScript([.gate(gate), .chunk(SolidImage.file())], for: address) }
        let tasks = try signed.map { address in
            var request = ImageRequest(try ImageSource(address))
            request.options.keyRules = KeyRule.signedURLs
            return fixture.pipeline.task(for: request)
        }
        await gate.waitForArrivals()
        gate.open()
        for task in tasks { _ = try await task.response }
        #expect(asked == [signed[0]])
    }

    @Test func alternativesAreAskedInOrderUntilOneHasThePicture() async throws {
        script("http://three.test/", "http://four.test/")
        var request = ImageRequest(try ImageSource("http://one.test/"))
        request.alternatives = try ["http://two.test/", "http://three.test/", "http://four.test/"].map(ImageSource.init)
        _ = try await fixture.pipeline.image(for: request)
        #expect(asked == ["http://one.test/", "http://two.test/", "http://three.test/"])
    }

    @Test func whereAllAlternativesFailEveryReasonIsTold() async throws {
        var request = ImageRequest(try ImageSource("http://one.test/"))
        request.alternatives = [try ImageSource("http://two.test/")]
        let errors = ["http://one.test/", "http://two.test/"].map { ImageError.loading(.status(404), address: $0) }
        await #expect(throws: ImageError.allFailed(errors)) { try await fixture.pipeline.image(for: request) }
    }

    @Test func noAlternativeIsAskedOnceEverybodyHasLeft() async throws {
        let gate = Gate()
        fixture.loader.setScript([.gate(gate), .failure(.timedOut(""))], for: "http://one.test/")
        script("http://two.test/")
        var request = ImageRequest(try ImageSource("http://one.test/"))
        request.alternatives = [try ImageSource("http://two.test/")]
        let task = fixture.pipeline.task(for: request)
        await gate.waitForArrivals()
        task.cancel()
        await fixture.pipeline.waitUntilIdle()
        #expect(asked == ["http://one.test/"])
    }

    @Test(arguments: [
        ("a@2x.png", nil, 2), ("a@3x.jpg", nil, 3), ("a.png", nil, 1), ("a@2x.png", 1.5, 1.5), ("a@0x.png", nil, 1),
    ])
    func theScaleFactorIsTheRequestsElseThatOfTheName(name: String, own: Double?, expected: Double) async throws {
        script("http://host.test/\(name)")
        var request = ImageRequest(try ImageSource("http://host.test/\(name)"))
        request.scaleFactor = own
        #expect(try await fixture.pipeline.response(for: request).scaleFactor == expected)
    }

    @Test func anAddressWithoutEncryptionIsRefusedWhereThatIsWanted() async throws {
        script("http://host.test/")
        var request = ImageRequest(try ImageSource("http://host.test/"))
        request.options.plainHTTP = .refuse
        let refusal = ImageError.loading(.plainHTTP(host: "host.test"), address: "http://host.test/")
        await #expect(throws: refusal) { try await fixture.pipeline.image(for: request) }
        #expect(asked.isEmpty)
    }

    @Test func anAddressWithoutEncryptionIsSpokenOfOnceForItsHost() async throws {
        let log = HostLog()
        let fixture = PipelineFixture { $0.observers = [log] }
        for host in ["one", "one", "two"] {
            _ = try? await fixture.pipeline.image(for: ImageRequest(try ImageSource("http://\(host).test/")))
        }
        _ = try? await fixture.pipeline.image(for: ImageRequest(try ImageSource("https://three.test/")))
        var quiet = ImageRequest(try ImageSource("http://four.test/"))
        quiet.options.plainHTTP = .allow
        _ = try? await fixture.pipeline.image(for: quiet)
        #expect(log.hosts == ["one.test", "two.test"])
    }

    @Test func whatIsLoadedIsNoLargerThanAllowed() async throws {
        var request = try fixture.request(.chunk(SolidImage.file(byteCount: 100)))
        request.options.maximumByteCount = 99
        await #expect(throws: ImageError.loading(.tooLarge(maximumByteCount: 99), address: PipelineFixture.address)) {
            try await fixture.pipeline.image(for: request)
        }
        request.options.maximumByteCount = 100
        _ = try await fixture.pipeline.image(for: request)
    }

    @Test func theLoaderIsToldOfCookiesAndCertificates() async throws {
        var request = try fixture.request(.chunk(SolidImage.file()))
        request.options.usesCookies = true
        request.options.allowsInvalidCertificate = true
        _ = try await fixture.pipeline.image(for: request)
        let sent = try #require(fixture.loader.requests.first)
        #expect(sent.usesCookies && sent.allowsInvalidCertificate)
    }

    /// Who wants a valid certificate does not take what came over a connection without one.
    @Test func anInvalidCertificateIsNotSharedWithWhoWantsAValidOne() async throws {
        let gate = Gate()
        let careful = try fixture.request(.gate(gate), .chunk(SolidImage.file()))
        var careless = careful
        careless.options.allowsInvalidCertificate = true
        let tasks = [careless, careful].map { fixture.pipeline.task(for: $0) }
        await gate.waitForArrivals(2)
        gate.open()
        for task in tasks { _ = try await task.response }
        #expect(fixture.loader.requests.map(\.allowsInvalidCertificate).sorted { !$0 && $1 } == [false, true])
    }

    @Test func whatNobodyVouchesForIsKeptApartFromTheRest() async throws {
        let careful = try fixture.request(.chunk(SolidImage.file()))
        var careless = careful
        careless.options.allowsInvalidCertificate = true
        _ = try await fixture.pipeline.image(for: careless)
        #expect(fixture.pipeline.cachedImage(for: careful) == nil)
        #expect(try await fixture.pipeline.response(for: careful).origin == .network)
        #expect(fixture.pipeline.cachedImage(for: careless) != nil)
    }

    @Test func aFailingEditIsTheErrorOfThatEdit() async throws {
        let request = try fixture.request(.chunk(SolidImage.file()), processors: [FailingProcessor()])
        let expected = ImageError.processing(.invalidParameter("no"), address: PipelineFixture.address)
        await #expect(throws: expected) { try await fixture.pipeline.image(for: request) }
        #expect(fixture.images.all.isEmpty)
    }
}

private struct FailingProcessor: ImageProcessor {
    let cacheKey = "failing"

    func process(_ image: DecodedImage) throws(ProcessingError) -> DecodedImage { throw .invalidParameter("no") }
}

private final class HostLog: PipelineObserver {
    private let seen = Lock<[String]>([])

    var hosts: [String] { seen.withLock { $0 } }

    func receive(_ event: PipelineEvent) {
        if case .plainHTTP(let host) = event { seen.withLock { $0.append(host) } }
    }
}
