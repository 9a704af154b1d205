import BowerbirdCore
import BowerbirdTestSupport
import FoundationEssentials
import Testing

@testable import BowerbirdLoading

@Suite(.timeLimit(.minutes(5)))
struct `A failure that a pipeline remembers` {
    private let site = ScriptedSite()

    private func failing(_ status: Int, _ policy: FailurePolicy = .byReason) -> ScriptedSite {
        var picture = ScriptedSite.Picture()
        picture.status = status
        return ScriptedSite(picture) { $0.failurePolicy = policy }
    }

    @Test(arguments: [FailurePolicy.byReason, .session])
    func answersTheNextRequestInPlaceOfTheServer(_ policy: FailurePolicy) async throws {
        let site = failing(404, policy)
        let request = try site.request()
        await #expect(throws: ImageError.loading(.status(404))) { try await site.load(request) }
        let again = ImageError.failedBefore(.loading(.status(404)))
        await #expect(throws: again) { try await site.load(request) }
        await #expect(throws: again) { try await site.load(try site.request(processors: [RecordingProcessor()])) }
        #expect(site.requests.count == 1)
        site.clock.advance(by: .seconds(600))
        site.change { $0.status = 200 }
        if policy == .byReason {
            _ = try await site.load(request)
            #expect(site.pipeline.failures.count == 0)
        } else {
            await #expect(throws: again) { try await site.load(request) }
        }
    }

    @Test func isPassedOverByWhoSaysSoAndForgottenOnceItSucceeds() async throws {
        let site = failing(404)
        var insistent = try site.request(nil, .networkOnly)
        insistent.options.ignoresFailureList = true
        for _ in 0..<2 { await #expect(throws: ImageError.loading(.status(404))) { try await site.load(insistent) } }
        site.change { $0.status = 200 }
        await #expect(throws: ImageError.self) { try await site.load(try site.request()) }
        _ = try await site.load(insistent)
        _ = try await site.load(try site.request())
        #expect(site.requests.count == 4)
    }

    @Test func doesNotHideWhatACacheHas() async throws {
        let request = try site.request()
        _ = try await site.load(request)
        site.change { $0.status = 404 }
        await #expect(throws: ImageError.loading(.status(404))) { try await site.load(try site.request(nil, .reload)) }
        #expect(try await site.load(request).origin == .memory)
        #expect(try await site.loadWithoutMemory(request).origin == .disk)
        await #expect(throws: ImageError.failedBefore(.loading(.status(404)))) {
            try await site.load(try site.request(nil, .reload))
        }
    }

    @Test(arguments: [
        LoadingError.status(500), .status(503), .status(408), .status(429), .status(401), .status(403), .timedOut(""),
        .connectionLost(""), .hostNotFound(""), .cannotConnect(""), .incomplete(received: 1, expected: 2),
    ])
    func isNoneThatPassesByItself(_ error: LoadingError) async throws {
        if case .status(let status) = error {
            site.change { $0.status = status }
        } else {
            site.change { $0.failure = error }
        }
        for _ in 0..<2 { await #expect(throws: ImageError.loading(error)) { try await site.load(try site.request()) } }
        #expect(site.requests.count == 2 && site.pipeline.failures.count == 0)
    }

    @Test func isNoneWhereTheAskerLeft() async throws {
        let gate = Gate()
        let request = try site.fixture.request(.gate(gate), .chunk(SolidImage.file()))
        let task = site.pipeline.task(for: request)
        await gate.waitForArrivals()
        task.cancel()
        await #expect(throws: ImageError.cancelled) { try await task.response }
        await site.pipeline.waitUntilIdle()
        #expect(site.pipeline.failures.count == 0)
    }

    @Test func isThereWhenTheAskerHearsOfIt() async throws {
        for address in 0..<50 {
            let source = try ImageSource("http://host.test/missing\(address)")
            let pipeline = site.pipeline
            let answers = await withCheckedContinuation { continuation in
                pipeline.loadImage(with: ImageRequest(source)) { first in
                    pipeline.loadImage(with: ImageRequest(source)) { continuation.resume(returning: (first, $0)) }
                }
            }
            let error = ImageError.loading(.status(404), address: source.address)
            #expect(answers.0.failure == error && answers.1.failure == .failedBefore(error))
        }
        #expect(site.requests.count == 50)
    }

    @Test func mayBeThatNoPictureCame() async throws {
        let cut = Array(SolidImage.file().prefix(6))
        let request = try site.fixture.request(.chunk(cut))
        let error = try #require(await #expect(throws: ImageError.self) { try await site.load(request) })
        await #expect(throws: ImageError.failedBefore(error)) { try await site.load(request) }
        #expect(site.requests.count == 1 && site.fixture.data.all.isEmpty)
    }

    @Test(arguments: [CachePolicy.Access.readWrite, .readOnly])
    func isNoneWhereOnlyTheDiskIsDamaged(_ access: CachePolicy.Access) async throws {
        let request = try site.request(nil, CachePolicy(disk: access))
        let damaged = try #require(EncodedImage(SolidImage.file().prefix(6)))
        await site.pipeline.store(damaged, for: request)
        #expect(try await site.load(request).origin == .network)
        #expect(site.pipeline.failures.count == 0)
        #expect(site.fixture.data.all.map(\.data.count) == [access.writes ? 64 : 6])
    }

    @Test func changesNoCacheThatTheRequestMustNotTouch() async throws {
        _ = try await site.load(try site.request())
        let bad = try site.fixture.request(.chunk(Array("no picture".utf8)))
        for policy in [CachePolicy.networkOnly, .reload] {
            var request = bad
            request.options.cachePolicy = policy
            request.options.ignoresFailureList = true
            await #expect(throws: ImageError.self) { try await site.load(request) }
            #expect(site.fixture.data.all.count == 1)
        }
    }
}

extension Result where Failure == ImageError {
    fileprivate var failure: ImageError? {
        if case .failure(let error) = self { error } else { nil }
    }
}
