import Bowerbird
import BowerbirdTestSupport
import Testing

@testable import BowerbirdCLI

@Suite struct BatchTests {
    private let recorder = ConsoleRecorder()

    @Test func reportsComeAsTheyAreReady() async {
        #expect(await run(keepsOrder: false) == 2)
        #expect(recorder.output == "second\nfirst\n")
    }

    @Test func reportsCanComeInTheOrderOfTheInputs() async {
        #expect(await run(keepsOrder: true) == 2)
        #expect(recorder.output == "first\nsecond\n")
    }

    @Test func neverMoreThanTheLimitAreAtWork() async {
        let counter = Counter()
        _ = await batch(concurrency: 3).run((0..<40).map(String.init)) { _ throws(Failure) in
            await counter.enter()
            await Task.yield()
            await counter.leave()
            return Batch.Report(text: "", json: JSONLine())
        }
        #expect(await counter.highest <= 3)
        #expect(await counter.total == 40)
    }

    @Test func aFailureIsToldOnBothStreamsInJSON() async {
        let count = await batch(printsJSON: true).run(["x"]) { _ throws(Failure) in
            throw Failure(address: "x", reason: "it rained", stage: .loading, kind: "weather")
        }
        #expect(count == 0)
        #expect(recorder.errors == "bowerbird: x: it rained\n")
        let error = #"{"stage":"loading","kind":"weather","message":"it rained"}"#
        #expect(recorder.output == #"{"source":"x","url":"x","error":\#(error),"kind":"weather"}"# + "\n")
    }

    /// The first input is held back until the second is ready.
    private func run(keepsOrder: Bool) async -> Int {
        let secondIsReady = Gate()
        let batch = batch(keepsOrder: keepsOrder, concurrency: 1 + 1)
        return await batch.run(["first", "second", "third"]) { [recorder] input throws(Failure) in
            switch input.text {
            case "first": await secondIsReady.pass()
            case "second": break
            // Begins when the second has been handed over; the failure says nothing on standard output.
            default:
                if !keepsOrder { while recorder.output.isEmpty { await Task.yield() } }
                secondIsReady.open()
                throw Failure(address: "third", reason: "", stage: .loading, kind: "")
            }
            return Batch.Report(text: input.text, json: JSONLine())
        }
    }

    private func batch(printsJSON: Bool = false, keepsOrder: Bool = false, concurrency: Int = 1) -> Batch {
        let configuration = ImagePipeline.Configuration(loader: ScriptedLoader(), codecs: CodecSet())
        let context = CommandContext(recorder.console(nil), configuration, PartialFiles())
        return Batch(context: context, printsJSON: printsJSON, keepsOrder: keepsOrder, concurrency: concurrency)
    }
}

private actor Counter {
    private var running = 0
    private(set) var highest = 0
    private(set) var total = 0

    func enter() {
        running += 1
        total += 1
        highest = max(highest, running)
    }

    func leave() { running -= 1 }
}
