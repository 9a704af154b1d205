import BowerbirdCore
import BowerbirdTestSupport
import FoundationEssentials
import Testing

@testable import BowerbirdLoading

@Suite(.timeLimit(.minutes(5)))
struct `A kept picture under HTTPs rules` {
    private func site(
        _ control: String, eTag: String? = "\"1\"", _ headers: [String: String] = [:]
    ) -> ScriptedSite {
        var picture = ScriptedSite.Picture()
        picture.headers = headers.merging(["cache-control": control]) { $1 }
        picture.eTag = eTag
        return ScriptedSite(picture)
    }

    /// Loads once, lets time pass and something happen to the server, and loads again.
    private func second(
        _ site: ScriptedSite, after seconds: Int, hasMemory: Bool,
        _ change: (inout ScriptedSite.Picture) -> Void = { _ in }
    ) async throws -> ImageResponse {
        let request = try site.request(.http)
        _ = try await site.load(request)
        site.clock.advance(by: .seconds(seconds))
        site.change(change)
        if !hasMemory { site.fixture.images.removeAll() }
        return try await site.load(request)
    }

    @Test(arguments: [true, false])
    func isUsedUnaskedWhileItIsFresh(hasMemory: Bool) async throws {
        let site = site("max-age=60")
        let answer = try await second(site, after: 59, hasMemory: hasMemory) { $0.color = .white }
        #expect(answer.origin == (hasMemory ? .memory : .disk))
        #expect((site.pipeline.cachedImage(for: try site.request(.http)) != nil))
        #expect(site.requests.count == 1)
    }

    @Test(arguments: [true, false])
    func isAskedForWhenItIsStaleAndFreshAgainAfterA304(hasMemory: Bool) async throws {
        let site = site("max-age=60")
        let answer = try await second(site, after: 60, hasMemory: hasMemory)
        #expect(answer.origin == .disk && answer.staleness == nil)
        site.clock.advance(by: .seconds(59))
        #expect(try await site.load(try site.request(.http)).origin == .memory)
        #expect(try await site.loadWithoutMemory(try site.request(.http)).origin == .disk)
        #expect(site.conditions == ["", "\"1\""])
    }

    @Test func isNotShownFromMemoryOnceItIsStale() async throws {
        let site = site("max-age=60")
        let request = try site.request(.http)
        _ = try await site.load(request)
        site.clock.advance(by: .seconds(60))
        #expect(site.pipeline.cachedImage(for: request) == nil)
        #expect(site.pipeline.cachedImage(for: try site.request(.keep)) != nil)
    }

    @Test func isJudgedByWhoAsksAndNotByWhoBroughtIt() async throws {
        let site = site("max-age=60")
        _ = try await site.load(try site.request(.keep))
        site.clock.advance(by: .seconds(60))
        #expect(site.pipeline.cachedImage(for: try site.request(.http)) == nil)
        #expect(site.pipeline.cachedImage(for: try site.request(.keepFor(.seconds(60)))) == nil)
        #expect(site.pipeline.cachedImage(for: try site.request(.keepFor(.seconds(61)))) != nil)
        #expect(try await site.load(try site.request(.http)).origin == .disk)
        #expect(site.requests.count == 2)
    }

    @Test func isReplacedByWhatTheServerHasNow() async throws {
        let site = site("max-age=60")
        let answer = try await second(site, after: 60, hasMemory: true) {
            $0.color = .white
            $0.eTag = "\"2\""
        }
        #expect(answer.origin == .network && answer.brightness == 255)
        #expect(try await site.loadWithoutMemory(try site.request()).brightness == 255)
    }

    @Test func isAskedForByItsDateWhereItHasNoTag() async throws {
        let date = "Wed, 01 Jan 2020 00:00:00 GMT"
        let site = site("no-cache", eTag: nil, ["last-modified": date])
        _ = try await second(site, after: 1, hasMemory: true)
        #expect(site.requests.map { $0.headers["If-Modified-Since"] } == [nil, date])
    }

    @Test(arguments: ["no-store", "no-store, max-age=60"])
    func isNeitherOnDiskNorShownAgainWhereItMustNotBeStored(control: String) async throws {
        let site = site(control)
        let answer = try await second(site, after: 0, hasMemory: true) { $0.color = .white }
        #expect(answer.origin == .network && answer.brightness == 255)
        #expect(site.fixture.data.all.isEmpty)
        #expect(site.pipeline.cachedImage(for: try site.request(.http)) == nil)
    }

    /// Else the older one, which is still fresh, would come back.
    @Test func goesWhenAReloadBringsOneThatMustNotBeStored() async throws {
        let site = site("max-age=60")
        _ = try await site.load(try site.request(.http))
        site.change {
            $0.headers = ["cache-control": "no-store"]
            $0.color = .white
        }
        #expect(try await site.load(try site.request(.http, .reload)).brightness == 255)
        #expect(site.fixture.data.all.isEmpty)
        #expect(try await site.load(try site.request(.http)).brightness == 255)
    }

    @Test(arguments: [true, false])
    func standsInForAFailureWhereTheServerAllowsIt(hasMemory: Bool) async throws {
        for failure in [LoadingError.timedOut(""), .status(503)] {
            let site = site("max-age=60, stale-if-error=100")
            let answer = try await second(site, after: 159, hasMemory: hasMemory) {
                $0.fail(with: failure)
            }
            #expect(answer.staleness == .loading(failure))
            // It is as stale as before, and asked for again.
            #expect(site.pipeline.cachedImage(for: try site.request(.http)) == nil)
            site.clock.advance(by: .seconds(1))
            await #expect(throws: ImageError.loading(failure)) { try await site.load(try site.request(.http)) }
        }
    }

    @Test func standsInThoughThereIsNothingToAskWith() async throws {
        let site = site("max-age=60, stale-if-error=100", eTag: nil)
        let answer = try await second(site, after: 70, hasMemory: false) { $0.failure = .timedOut("") }
        #expect(answer.staleness == .loading(.timedOut("")))
    }

    @Test(arguments: ["max-age=60, must-revalidate, stale-if-error=100", "max-age=60", "no-cache, stale-if-error=100"])
    func doesNotStandInWhereTheServerDoesNotAllowIt(control: String) async throws {
        let site = site(control)
        await #expect(throws: ImageError.loading(.timedOut(""))) {
            try await second(site, after: 70, hasMemory: true) { $0.failure = .timedOut("") }
        }
    }

    @Test(arguments: [404, 410, 403])
    func doesNotStandInForAWordOfTheServer(status: Int) async throws {
        let site = site("max-age=60, stale-if-error=100")
        await #expect(throws: ImageError.loading(.status(status))) {
            try await second(site, after: 70, hasMemory: true) { $0.status = status }
        }
    }

    @Test func isShownAtOnceAndRefreshedBehindWhereTheServerAllowsIt() async throws {
        let site = site("max-age=60, stale-while-revalidate=100")
        let answer = try await second(site, after: 70, hasMemory: true) {
            $0.color = .white
            $0.eTag = "\"2\""
        }
        #expect(answer.brightness == 0 && answer.origin == .disk)
        await site.pipeline.waitUntilIdle()
        #expect(site.conditions == ["", "\"1\""])
        let next = try await site.load(try site.request(.http))
        #expect(next.brightness == 255 && next.origin == .disk)
        #expect(site.requests.count == 2)
    }

    @Test func isRefreshedBehindOnceHoweverManyAsk() async throws {
        let site = site("max-age=60, stale-while-revalidate=100")
        _ = try await site.load(try site.request(.http))
        site.clock.advance(by: .seconds(70))
        let gate = Gate()
        site.fixture.loader.setAnswer(for: PipelineFixture.address) { _ in .init(status: 304, [.gate(gate)]) }
        for name in ["1", "2", "3"] {
            let request = try site.request(.http, processors: [RecordingProcessor(name)])
            #expect(try await site.load(request).brightness == 0)
        }
        #expect(await eventually { site.requests.count == 2 })
        gate.open()
        await site.pipeline.waitUntilIdle()
        #expect(site.requests.count == 2)
    }

    @Test func isRefreshedBehindNoMoreAfterCancelAll() async throws {
        let site = site("max-age=60, stale-while-revalidate=100")
        _ = try await site.load(try site.request(.http))
        site.clock.advance(by: .seconds(70))
        let gate = Gate()
        site.fixture.loader.setAnswer(for: PipelineFixture.address) { _ in
            .init([.gate(gate), .chunk(SolidImage.file(.white))])
        }
        _ = try await site.load(try site.request(.http))
        await gate.waitForArrivals()
        site.pipeline.cancelAll()
        await site.pipeline.waitUntilIdle()
        #expect(try await site.loadWithoutMemory(try site.request(.keep)).brightness == 0)
    }

    @Test(arguments: [true, false])
    func answersOnlyTheRequestThatWasSent(hasMemory: Bool) async throws {
        let site = site("max-age=60", ["vary": "Accept-Language"])
        let (german, french) = (["Accept-Language": "de"], ["accept-language": "fr"])
        _ = try await site.load(try site.request(.http, headers: german))
        if !hasMemory { site.fixture.images.removeAll() }
        #expect(try await site.load(try site.request(.http, headers: german)).origin != .network)
        if !hasMemory { site.fixture.images.removeAll() }
        site.change { $0.color = .white }
        #expect(try await site.load(try site.request(.http, headers: french)).brightness == 255)
        #expect(site.conditions == ["", ""])
        await #expect(throws: ImageError.notCached(address: PipelineFixture.address)) {
            try await site.load(try site.request(.http, .cacheOnly, headers: german))
        }
    }

    /// What the provider gives is sent too, and known before the next request is.
    @Test func answersTheSameCredential() async throws {
        let site = ScriptedSite {
            $0.credentialProvider = { _ in .headers(["X-Team": "birds"]) }
        }
        site.fixture.loader.setAnswer(for: PipelineFixture.address) { request in
            guard request.headers["X-Team"] == "birds" else { return .init(status: 401) }
            let headers = ["cache-control": "max-age=60", "vary": "X-Team"]
            return .init(headers: headers, [.chunk(SolidImage.file())])
        }
        _ = try await site.load(try site.request(.http))
        #expect(try await site.loadWithoutMemory(try site.request(.http)).origin == .disk)
        #expect(site.requests.count == 2)
    }

    @Test func isFinalWhereTheCallerSaysSo() async throws {
        let site = site("no-store, no-cache, max-age=0")
        let request = try site.request(.keep)
        _ = try await site.load(request)
        site.clock.advance(by: .seconds(1 << 20))
        #expect(try await site.load(request).origin == .memory)
        #expect(try await site.loadWithoutMemory(request).origin == .disk)
        #expect(site.requests.count == 1)
    }

    @Test(arguments: [true, false])
    func isKeptForAsLongAsTheCallerSays(hasMemory: Bool) async throws {
        let site = site("no-store")
        let request = try site.request(.keepFor(.seconds(10)))
        for (seconds, count) in [(0, 1), (9, 1), (1, 2), (9, 2), (1, 3)] {
            site.clock.advance(by: .seconds(seconds))
            if !hasMemory { site.fixture.images.removeAll() }
            _ = try await site.load(request)
            #expect(site.requests.count == count)
        }
        #expect(site.conditions == ["", "\"1\"", "\"1\""])
    }

    @Test func standsInAfterItsTimeWhereTheCallerRules() async throws {
        for eTag in [nil, "\"1\""] {
            let site = site("no-store", eTag: eTag)
            let request = try site.request(.keepFor(.seconds(10)))
            _ = try await site.load(request)
            site.clock.advance(by: .seconds(10))
            site.change { $0.failure = .timedOut("") }
            #expect(try await site.load(request).staleness == .loading(.timedOut("")))
        }
    }
}

extension ScriptedSite.Picture {
    fileprivate mutating func fail(with error: LoadingError) {
        if case .status(let status) = error { self.status = status } else { failure = error }
    }
}
