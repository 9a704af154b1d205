import BowerbirdCore
import BowerbirdLoading
import BowerbirdTestSupport
import FoundationEssentials
import Testing

@Suite(.timeLimit(.minutes(5)))
struct `Refreshing what the caches have` {
    private let site = ScriptedSite()

    /// The kinds of pictures there are: as they are, and edited.
    private func request(isEdited: Bool) throws -> ImageRequest {
        try site.request(nil, .refreshCached, processors: isEdited ? [RecordingProcessor()] : [])
    }

    private func events(of request: ImageRequest) async -> [ImageEvent] {
        await site.pipeline.task(for: request).events.collect()
    }

    @Test(arguments: [true, false], [true, false])
    func showsItFirstAndThenTheVerySameWhereNothingHasChanged(isEdited: Bool, hasMemory: Bool) async throws {
        let request = try request(isEdited: isEdited)
        let first = try await site.load(request)
        if !hasMemory { site.fixture.images.removeAll() }
        let decodings = site.fixture.decoder.decodeCount
        site.clock.advance(by: .seconds(100))
        let events = await events(of: request)
        let answer = try #require(try events.outcome?.get())
        #expect(events.cached.count == 1)
        #expect(events.cached.first?.bitmap.isIdentical(to: answer.image.bitmap) == true)
        if hasMemory { #expect(answer.image.bitmap.isIdentical(to: first.image.bitmap)) }
        if !isEdited || !hasMemory {
            #expect(site.fixture.decoder.decodeCount == decodings + (hasMemory ? 0 : 1))
        }
        #expect(answer.origin == .disk && answer.staleness == nil)
        #expect(site.conditions == ["", "\"1\""])
        #expect(site.fixture.data.all.map { $0.freshness?.receivedAt } == [site.clock.date])
    }

    @Test(arguments: [true, false], [true, false])
    func keepsItWhereTheServerSendsTheSameBytesAgain(isEdited: Bool, hasMemory: Bool) async throws {
        site.change { $0.eTag = nil }
        let request = try request(isEdited: isEdited)
        let first = try await site.load(request)
        if !hasMemory { site.fixture.images.removeAll() }
        let decodings = site.fixture.decoder.decodeCount
        let events = await events(of: request)
        let answer = try #require(try events.outcome?.get())
        #expect(events.cached.first?.bitmap.isIdentical(to: answer.image.bitmap) == true)
        if hasMemory { #expect(answer.image.bitmap.isIdentical(to: first.image.bitmap)) }
        #expect(site.fixture.decoder.decodeCount <= decodings + 1)
        #expect(answer.origin == .network)
        #expect(site.conditions == ["", ""])
    }

    @Test(arguments: [true, false], [true, false])
    func bringsTheNewPictureIntoAllCaches(isEdited: Bool, hasValidator: Bool) async throws {
        let request = try request(isEdited: isEdited)
        if !hasValidator { site.change { $0.eTag = nil } }
        _ = try await site.load(request)
        let other = try site.request(processors: [RecordingProcessor("other")])
        #expect(try await site.load(other).brightness == 0)
        site.change {
            $0.color = .white
            if hasValidator { $0.eTag = "\"2\"" }
        }
        let events = await events(of: request)
        #expect(events.cached.map(\.brightness) == [0])
        #expect(try #require(try events.outcome?.get()).brightness == 255)
        var plain = request
        plain.options.cachePolicy = nil
        #expect(try await site.load(plain).origin == .memory)
        #expect(try await site.load(plain).brightness == 255)
        #expect(try await site.load(other).brightness == 255, "made of the older file, and still there")
        #expect(try await site.loadWithoutMemory(plain).brightness == 255)
    }

    @Test(arguments: [true, false], [true, false])
    func keepsItWithTheReasonWhereTheServerIsDown(isEdited: Bool, hasMemory: Bool) async throws {
        let request = try request(isEdited: isEdited)
        _ = try await site.load(request)
        if !hasMemory { site.fixture.images.removeAll() }
        site.change { $0.failure = .timedOut("silence") }
        let events = await events(of: request)
        let answer = try #require(try events.outcome?.get())
        #expect(answer.staleness == .loading(.timedOut("silence")))
        #expect(events.cached.first?.bitmap.isIdentical(to: answer.image.bitmap) == true)
        #expect(answer.brightness == 0)
    }

    @Test func keepsItWhereAPageComesInsteadOfAPicture() async throws {
        let request = try request(isEdited: false)
        _ = try await site.load(request)
        site.fixture.loader.setScript([.chunk(Array("<html>Log in first</html>".utf8))], for: PipelineFixture.address)
        for hasMemory in [true, false] {
            if !hasMemory { site.fixture.images.removeAll() }
            let answer = try await site.load(request)
            #expect(answer.brightness == 0 && answer.staleness != nil)
        }
        #expect(site.fixture.data.all.count == 1)
    }

    @Test func asksPlainlyWhereOnlyMemoryHasIt() async throws {
        let request = try request(isEdited: true)
        _ = try await site.load(request)
        await site.fixture.data.removeAll()
        site.change { $0.failure = .connectionLost("cut") }
        let kept = await events(of: request)
        #expect(kept.cached.count == 1)
        #expect(try #require(try kept.outcome?.get()).staleness == .loading(.connectionLost("cut")))
        site.change {
            $0.failure = nil
            $0.color = .white
        }
        #expect(try #require(try await events(of: request).outcome?.get()).brightness == 255)
        #expect(site.conditions == ["", "", ""])
    }

    @Test func isAnOrdinaryRequestWhereNothingIsThere() async throws {
        let events = await events(of: try request(isEdited: false))
        #expect(events.cached.isEmpty)
        #expect(try #require(try events.outcome?.get()).origin == .network)
        site.change { $0.failure = .cannotConnect("down") }
        await site.pipeline.removeAll()
        await #expect(throws: ImageError.loading(.cannotConnect("down"))) {
            try await site.load(try request(isEdited: false))
        }
    }

    @Test func asksTheServerThoughMemoryHasWhatAnEditBeginsWith() async throws {
        _ = try await site.load(try site.request())
        site.change {
            $0.color = .white
            $0.eTag = "\"2\""
        }
        #expect(try await site.load(try request(isEdited: true)).brightness == 255)
        #expect(site.requests.count == 2)
    }

    @Test func worksWithAlternativesToo() async throws {
        var request = try request(isEdited: false)
        request.alternatives = [try ImageSource("http://host.test/other")]
        _ = try await site.load(request)
        site.change { $0.failure = .connectionLost("cut") }
        let kept = await events(of: request)
        #expect(kept.cached.count == 1)
        #expect(try #require(try kept.outcome?.get()).staleness == .loading(.connectionLost("cut")))
    }

    @Test func leavesOffWhenTheAskerDoes() async throws {
        let request = try request(isEdited: false)
        _ = try await site.load(request)
        let gate = Gate()
        site.fixture.loader.setScript([.gate(gate)], for: PipelineFixture.address)
        let task = site.pipeline.task(for: request)
        await gate.waitForArrivals()
        task.cancel()
        await #expect(throws: ImageError.cancelled) { try await task.response }
        await site.pipeline.waitUntilIdle()
        #expect(try await site.load(try site.request()).origin == .memory)
    }
}
