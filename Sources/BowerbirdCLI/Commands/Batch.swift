import Bowerbird

/// Many inputs, several at once; each ends in a report on standard output or a failure on standard error.
struct Batch: Sendable {
    let context: CommandContext
    let printsJSON: Bool
    /// Whether reports come in the order of the inputs, rather than as they are ready.
    var keepsOrder = false
    var concurrency: Int

    typealias Outcome = Result<Report, Failure>

    /// What there is to say of an input that went well.
    struct Report: Sendable {
        let text: String
        let json: JSONLine
    }

    /// How many went well.
    func run(
        _ inputs: [String], _ work: @escaping @Sendable (BatchInput) async throws(Failure) -> Report
    ) async -> Int {
        await withTaskGroup(of: Finished.self) { group in
            var waiting = inputs.enumerated().map(BatchInput.init)[...]
            var ready = ReadyOutcomes(keepsOrder: keepsOrder)
            var successCount = 0
            for _ in 0..<concurrency { add(waiting.popFirst(), to: &group, work) }
            while let finished = await group.next() {
                add(waiting.popFirst(), to: &group, work)
                if case .success = finished.outcome { successCount += 1 }
                context.console.removeBar(of: finished.input.index)
                for finished in ready.add(finished) { tell(finished) }
            }
            return successCount
        }
    }

    fileprivate typealias Finished = (input: BatchInput, outcome: Outcome)

    private func add(
        _ input: BatchInput?, to group: inout TaskGroup<Finished>,
        _ work: @escaping @Sendable (BatchInput) async throws(Failure) -> Report
    ) {
        guard let input else { return }
        group.addTask {
            (input, await Failure.catching { () async throws(Failure) in try await work(input) })
        }
    }

    private func tell(_ finished: Finished) {
        switch finished.outcome {
        case .success(let report): context.console.print(printsJSON ? report.json.text : report.text)
        case .failure(let failure):
            context.console.printError(failure.line)
            if printsJSON { context.console.print(failure.json(finished.input.text).text) }
        }
    }
}

/// One of the words behind a command.
struct BatchInput: Sendable {
    let index: Int
    let text: String

    func source() throws(Failure) -> ImageSource {
        do { return try ImageSource(text) } catch { throw Failure(error) }
    }
}

/// Holds back what is ready before its turn.
private struct ReadyOutcomes {
    let keepsOrder: Bool
    private var held: [Int: Batch.Finished] = [:]
    private var next = 0

    init(keepsOrder: Bool) { self.keepsOrder = keepsOrder }

    mutating func add(_ finished: Batch.Finished) -> [Batch.Finished] {
        guard keepsOrder else { return [finished] }
        held[finished.input.index] = finished
        var ready: [Batch.Finished] = []
        while let turn = held.removeValue(forKey: next) {
            ready.append(turn)
            next += 1
        }
        return ready
    }
}
