import BowerbirdCore
import BowerbirdTestSupport
import FoundationEssentials
import Testing

@testable import BowerbirdLoading

/// Keeps everything that it sees.
final class EventRecord: PipelineObserver {
    private let record = Record<PipelineEvent>()

    var all: [PipelineEvent] { record.all }
    func receive(_ event: PipelineEvent) { record.note(event) }

    /// What was seen, without figures.
    var summaries: [String] { all.map(\.summary) }
    /// Why a stage ended; nil where it never did.
    func errors(of wanted: PipelineStage) -> [ImageError?] {
        all.compactMap { event in
            if case .ended(let stage, _, _, let error) = event, stage == wanted { .some(error) } else { nil }
        }
    }
}

extension PipelineEvent {
    var summary: String {
        switch self {
        case .asked(let id, _): "\(id) asked"
        case .memoryLookup(let isHit, _): isHit ? "in memory" : "not in memory"
        case .began(let stage, _): "\(stage) begins"
        case .ended(let stage, _, _, let error): error == nil ? "\(stage) ends" : "\(stage) fails"
        case .diskLookup(let byteCount, _): byteCount.map { "\($0) bytes on disk" } ?? "not on disk"
        case .damagedEntry(let byteCount, _): "\(byteCount) damaged bytes"
        case .transferred(let metrics, _): "\(metrics.receivedByteCount) bytes came"
        case .plainHTTP(let host): "\(host) in clear text"
        case .answered(let id, _, .success(let response)): "\(id) answered from \(response.origin)"
        case .answered(let id, _, .failure): "\(id) failed"
        }
    }
}

@Suite(.timeLimit(.minutes(5)))
struct `Whoever observes a pipeline` {
    private let events = EventRecord()
    private let fixture: PipelineFixture

    init() {
        let events = events
        fixture = PipelineFixture {
            $0.observers = [events]
            $0.codecs.add(SolidEncoder())
            $0.options.plainHTTP = .allow
        }
    }

    private func edited(_ steps: ScriptedLoader.Step...) throws -> ImageRequest {
        fixture.loader.setScript(steps, for: PipelineFixture.address)
        return ImageRequest(try ImageSource(PipelineFixture.address), processors: [RecordingProcessor("edit")])
    }

    private static let stages = [
        "disk begins", "disk ends", "not on disk", "transfer begins", "transfer ends", "decode begins", "decode ends",
        "process begins", "process ends",
    ]

    @Test func seesEveryStageBeginAndEndAndTheAnswerBeforeItIsGiven() async throws {
        _ = try await fixture.pipeline.image(for: try edited(.chunk(SolidImage.file())))
        #expect(events.summaries == ["1 asked", "not in memory"] + Self.stages + ["1 answered from network"])
    }

    @Test func seesHitsInMemoryAndOnTheDisk() async throws {
        let request = try fixture.request(.chunk(SolidImage.file(byteCount: 99)))
        _ = try await fixture.pipeline.image(for: request)
        let first = events.all.count
        _ = try await fixture.pipeline.image(for: request)
        fixture.images.removeAll()
        _ = try await fixture.pipeline.image(for: request)
        let seen = events.summaries.dropFirst(first).filter { !$0.contains("asked") && !$0.contains("answered") }
        #expect(
            seen == [
                "in memory", "not in memory", "disk begins", "disk ends", "99 bytes on disk", "decode begins",
                "decode ends",
            ])
    }

    @Test func seesAFinishedPictureEncodedAndFoundOnTheDisk() async throws {
        var request = try edited(.chunk(SolidImage.file()))
        request.options.diskContent = .both(SolidImage.format)
        _ = try await fixture.pipeline.image(for: request)
        await fixture.pipeline.waitForStores()
        #expect(events.summaries.contains("encode ends"))
        let first = events.all.count
        fixture.images.removeAll()
        #expect(try await fixture.pipeline.response(for: request).origin == .disk)
        let expected = ["disk begins", "disk ends", "64 bytes on disk", "decode begins", "decode ends"]
        #expect(events.summaries.dropFirst(first + 2).dropLast() == expected[...])
    }

    @Test func seesWhyATransferFailed() async throws {
        let request = try edited(.failure(.connectionLost("cut")))
        let error = ImageError.loading(.connectionLost("cut"), address: PipelineFixture.address)
        await #expect(throws: error) { try await fixture.pipeline.image(for: request) }
        #expect(events.errors(of: .transfer) == [error])
        #expect(events.summaries.last == "1 failed")
        #expect(!events.summaries.contains("decode begins"))
    }

    @Test func seesWhyDecodingFailed() async throws {
        let request = try edited(.chunk(Array("<!DOCTYPE html>".utf8)))
        await #expect(throws: ImageError.self) { try await fixture.pipeline.image(for: request) }
        guard case .decoding? = events.errors(of: .decode).first ?? nil else { Issue.record("no reason"); return }
        #expect(events.errors(of: .transfer) == [nil])
    }

    @Test func seesATransferThatIsCancelled() async throws {
        let gate = Gate()
        let task = fixture.pipeline.task(for: try edited(.gate(gate)))
        await gate.waitForArrivals()
        task.cancel()
        await fixture.pipeline.waitUntilIdle()
        #expect(events.errors(of: .transfer) == [.cancelled])
        #expect(events.summaries.contains("1 failed"))
    }

    @Test func seesOneTransferOfSeveralWhoWaitForIt() async throws {
        let gate = Gate()
        let request = try edited(.gate(gate), .chunk(SolidImage.file()))
        let tasks = (0..<5).map { _ in fixture.pipeline.task(for: request) }
        await gate.waitForArrivals()
        gate.open()
        for task in tasks { _ = try await task.response }
        #expect(events.summaries.filter { $0 == "transfer ends" }.count == 1)
        #expect(events.summaries.filter { $0.contains("answered") }.count == 5)
    }

    @Test func seesHowLongEachStageTook() async throws {
        let start = ContinuousClock.now
        let response = try await fixture.pipeline.response(for: try edited(.chunk(SolidImage.file())))
        let whole = start.duration(to: .now)
        let durations = events.all.compactMap { event in
            if case .ended(_, _, let duration, _) = event { duration } else { nil }
        }
        #expect(durations.count == 4)
        #expect(durations.allSatisfy { $0 > .zero && $0 <= whole })
        #expect(durations.reduce(.zero, +) <= response.timings.total)
    }

    @Test func seesWhatATransferOverHTTPCost() async throws {
        let server = try LocalServer.start()
        defer { server.stop() }
        server.script("/a", .ok(SolidImage.file(byteCount: 500)))
        let statistics = PipelineStatistics()
        let fixture = PipelineFixture {
            $0.loader = HTTPLoader()
            $0.observers = [events, statistics]
            $0.options.plainHTTP = .allow
        }
        _ = try await fixture.pipeline.image(for: ImageRequest(url: server.url("/a")))
        await #expect(throws: ImageError.self) {
            try await fixture.pipeline.image(for: ImageRequest(url: server.url("/missing")))
        }
        #expect(events.summaries.contains("500 bytes came"))
        #expect(statistics.counts.transfers == 2)
        #expect(statistics.counts.receivedByteCount == 500)
    }
}

@Suite(.timeLimit(.minutes(5)))
struct `The statistics of a pipeline` {
    @Test func countWhatHappens() async throws {
        let statistics = PipelineStatistics()
        let fixture = PipelineFixture { $0.observers = [statistics] }
        #expect(statistics.counts.memoryHitRatio == nil)
        #expect(statistics.counts.diskHitRatio == nil)
        let request = try fixture.request(.chunk(SolidImage.file()))
        for _ in 0..<3 { _ = try await fixture.pipeline.image(for: request) }
        fixture.images.removeAll()
        _ = try await fixture.pipeline.image(for: request)
        await #expect(throws: ImageError.self) {
            try await fixture.pipeline.image(for: ImageRequest(try ImageSource("http://host.test/missing")))
        }
        let gate = Gate()
        let task = fixture.pipeline.task(for: try fixture.request(1, [.gate(gate)]))
        await gate.waitForArrivals()
        task.cancel()
        await fixture.pipeline.waitUntilIdle()
        let counts = statistics.counts
        #expect([counts.asked, counts.succeeded, counts.failed, counts.cancelled] == [6, 4, 1, 1])
        #expect([counts.memoryHits, counts.memoryMisses, counts.diskHits, counts.diskMisses] == [2, 4, 1, 3])
        #expect(counts.memoryHitRatio == 2.0 / 6)
        #expect(counts.diskHitRatio == 1.0 / 4)
        #expect(counts.stages[.transfer]?.ended == 3)
        #expect(counts.stages[.transfer]?.failed == 2)
        #expect(counts.stages[.decode]?.ended == 2)
        #expect(counts.stages[.decode]?.failed == 0)
        #expect(counts.stages[.decode].map { $0.duration > .zero } == true)
        #expect(counts.stages[.process] == nil)
        statistics.reset()
        #expect(statistics.counts == PipelineStatistics.Counts())
    }
}

@Suite(.timeLimit(.minutes(5)))
struct `The log of a pipeline` {
    private let lines = Record<String>()

    private func fixture() -> PipelineFixture {
        PipelineFixture { $0.observers = [PipelineLog { [lines] in lines.note($0) }] }
    }

    /// The lines without their times.
    private var shapes: [String] {
        lines.all.map { line in
            line.split(separator: " ").map { Double($0) == nil ? String($0) : "…" }.joined(separator: " ")
        }
    }

    @Test func hasALineForEachThingThatHappens() async throws {
        let fixture = fixture()
        let request = try fixture.request(.chunk(SolidImage.file()))
        for _ in 0..<2 { _ = try await fixture.pipeline.image(for: request) }
        let address = PipelineFixture.address
        #expect(
            shapes == [
                "#1 asked for \(address)", "warning: host.test is asked without encryption (http:)",
                "not in memory: \(address)", "disk took … ms: \(address)", "not on disk: \(address)",
                "transfer took … ms: \(address)", "decode took … ms: \(address)", "#1 answered from network after … ms",
                "#2 asked for \(address)", "in memory: \(address)", "#2 answered from memory after … ms",
            ])
    }

    @Test func saysWhatWentWrong() async throws {
        let fixture = fixture()
        let request = try fixture.request(.failure(.status(500)))
        await #expect(throws: ImageError.self) { try await fixture.pipeline.image(for: request) }
        #expect(
            shapes.suffix(2) == [
                "transfer failed after … ms: \(PipelineFixture.address)",
                "#1 failed: \(PipelineFixture.address): the server answered with status …",
            ])
    }

    /// An address may have been made to write lines of its own, or to work on the terminal.
    @Test func hasOneLineForOneThingWhateverTheAddress() async throws {
        let fixture = fixture()
        let request = ImageRequest(try ImageSource("http://host.test/a%0Ab%1B[31m%C2%85%E2%80%AEc"))
        await #expect(throws: ImageError.self) { try await fixture.pipeline.image(for: request) }
        #expect(lines.all.first == #"#1 asked for http://host.test/a\u{a}b\u{1b}[31m\u{85}\u{202e}c"#)
        for line in lines.all { #expect(!line.unicodeScalars.contains { $0.properties.generalCategory == .control }) }
    }
}
