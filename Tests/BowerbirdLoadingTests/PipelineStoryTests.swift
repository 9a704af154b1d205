import BowerbirdCore
import BowerbirdTestSupport
import FoundationEssentials
import Testing

@testable import BowerbirdLoading

/// Random stories on real threads. The argument of a test that fails is the seed of its story.
@Suite(.timeLimit(.minutes(2)))
struct `Whatever is done to a pipeline` {
    @Test(arguments: UInt64(0)..<500)
    func everyTaskEndsOnceWithItsOwnPictureAndNothingIsLeft(seed: UInt64) async throws {
        var random = SeededRandom(seed: seed)
        let story = try PipelineStory(random: &random)
        for _ in 0..<25 { try await story.goOn(&random) }
        await story.end()
        #expect(story.faults == [], "seed \(seed)")
    }

    @Test func threeHundredPipelinesThatAreDroppedInMidFlightLeaveNothing() async throws {
        let gate = Gate()
        let loaders = try (0..<300).map { index in try Self.startAndDrop(gate, leaves: index.isMultiple(of: 2)) }
        await gate.waitForArrivals(150)
        gate.open()
        for (pipeline, loader) in loaders {
            #expect(await eventually { pipeline.value == nil && loader.runningCount == 0 })
        }
    }

    /// A pipeline that loads, and that nobody holds.
    private static func startAndDrop(_ gate: Gate, leaves: Bool) throws -> (WeakPipeline, ScriptedLoader) {
        let fixture = PipelineFixture()
        let request = try fixture.request(.gate(gate), .chunk(SolidImage.file()))
        let task = fixture.pipeline.task(for: request)
        if leaves { task.cancel() }
        return (WeakPipeline(value: fixture.pipeline), fixture.loader)
    }

    private struct WeakPipeline {
        weak var value: ImagePipeline?
    }
}

/// Random stories on one thread, in an order that the seed decides: one that fails can be repeated exactly.
///
///     BOWERBIRD_STORY=4711 make test FILTER='one thread'
@Suite(.serialized, .timeLimit(.minutes(4)))
struct `Whatever is done to a pipeline on one thread` {
    private static let blockSize = 250

    /// Ten thousand stories in blocks, or the one that the environment names.
    private static let blocks: [Range<UInt64>] = {
        if let text = ProcessInfo.processInfo.environment["BOWERBIRD_STORY"], let seed = UInt64(text) {
            return [seed..<seed + 1]
        }
        return stride(from: 0, to: 10_000, by: blockSize).map { UInt64($0)..<UInt64($0 + blockSize) }
    }()

    @Test(arguments: blocks)
    func everyTaskEndsOnceWithItsOwnPictureAndNothingIsLeft(seeds: Range<UInt64>) async throws {
        // Away from the threads of all other tests, which it would hold up.
        try await withTaskExecutorPreference(WorkExecutor.decoding()) {
            for seed in seeds {
                let (faults, _) = try await tell(seed)
                #expect(faults == [], "BOWERBIRD_STORY=\(seed) repeats it")
            }
        }
    }

    @Test(arguments: UInt64(0)..<40)
    func theSameSeedTellsTheSameStory(seed: UInt64) async throws {
        let (first, second) = (try await tell(seed), try await tell(seed))
        #expect(first.record == second.record)
    }

    private func tell(_ seed: UInt64) async throws -> (faults: [String], record: [String]) {
        var random = SeededRandom(seed: seed)
        let story = try PipelineStory(random: &random, executor: SeededExecutor(seed: seed))
        for _ in 0..<25 { try await story.goOn(&random) }
        await story.end()
        return (story.faults, await story.record())
    }
}
