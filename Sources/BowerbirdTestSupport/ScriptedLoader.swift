import BowerbirdCore
public import BowerbirdLoading
import FoundationEssentials

/// A loader that plays a script for each URL, and remembers what it was asked for.
public final class ScriptedLoader: DataLoader {
    /// What happens next in the answer to a request.
    public enum Step: Sendable {
        /// Bytes arrive.
        case chunk([UInt8])
        /// The answer waits until the test opens the gate. A wait that is cancelled throws `.cancelled`.
        case gate(Gate)
        /// The same, but cancellation is ignored, as a call that cannot be interrupted does.
        case stubbornGate(Gate)
        /// The answer ends with an error.
        case failure(LoadingError)
        /// The test looks in, on the thread that loads.
        case call(@Sendable () -> Void)
    }

    /// What a server says before the body, and then how the body comes.
    public struct Answer: Sendable {
        /// The HTTP status.
        public var status: Int
        /// Header fields, names in lower case.
        public var headers: [String: String]
        /// In order.
        public var steps: [Step]

        /// A success without header fields, unless more is said.
        public init(status: Int = 200, headers: [String: String] = [:], _ steps: [Step] = []) {
            self.status = status
            self.headers = headers
            self.steps = steps
        }
    }

    private struct State {
        var scripts: [String: @Sendable (DataRequest) -> Answer] = [:]
        var requests: [DataRequest] = []
        var running = 0
        var cancelled = 0
    }

    private let state: Lock<State>

    /// Scripts by URL. A URL without one is answered with status 404.
    public init(_ scripts: [String: [Step]] = [:]) {
        let answers = scripts.mapValues { steps in { @Sendable (_: DataRequest) in Answer(steps) } }
        state = Lock(State(scripts: answers))
    }

    /// Another script for a URL, for requests from now on.
    public func setScript(_ steps: [Step], for url: String) {
        setAnswer(for: url) { _ in Answer(steps) }
    }

    /// The same for an answer that depends on the request, as that to a conditional one does.
    public func setAnswer(for url: String, _ answer: @escaping @Sendable (DataRequest) -> Answer) {
        state.withLock { $0.scripts[url] = answer }
    }

    /// Every request so far.
    public var requests: [DataRequest] { state.withLock { $0.requests } }
    /// How many answers are under way.
    public var runningCount: Int { state.withLock { $0.running } }
    /// How many answers were stopped by cancellation.
    public var cancelledCount: Int { state.withLock { $0.cancelled } }

    public func response(for request: DataRequest) async throws(LoadingError) -> DataResponse {
        let script = state.withLock { state in
            state.requests.append(request)
            return state.scripts[request.url.absoluteString]
        }
        let answer = script?(request) ?? Answer(status: 404)
        guard request.acceptsAnyStatus || (200...299).contains(answer.status) else { throw .status(answer.status) }
        return DataResponse(head: head(of: answer, request), body: .stream(stream(answer.steps)))
    }

    private func head(of answer: Answer, _ request: DataRequest) -> ResponseHead {
        let count = answer.steps.reduce(0) { count, step in
            if case .chunk(let bytes) = step { count + bytes.count } else { count }
        }
        return ResponseHead(
            url: request.url, status: answer.status, headers: answer.headers, expectedByteCount: count)
    }

    private func stream(_ script: [Step]) -> DataStream {
        state.withLock { $0.running += 1 }
        let end = EndOfAnswer { [self] in state.withLock { $0.running -= 1 } }
        let position = Position()
        return DataStream { [self] () async throws(LoadingError) -> [UInt8]? in
            _ = end
            while let step = position.next(in: script) {
                if let bytes = try await play(step) { return bytes }
            }
            return nil
        }
    }

    private func play(_ step: Step) async throws(LoadingError) -> [UInt8]? {
        switch step {
        case .chunk(let bytes): return bytes
        case .failure(let error): throw error
        case .call(let body): body()
        case .stubbornGate(let gate): await gate.pass(ignoresCancellation: true)
        case .gate(let gate):
            await gate.pass()
            guard !Task.isCancelled else {
                state.withLock { $0.cancelled += 1 }
                throw .cancelled
            }
        }
        return nil
    }
}

/// How far a script has been played.
private final class Position: Sendable {
    private let played = Lock(0)

    func next(in script: [ScriptedLoader.Step]) -> ScriptedLoader.Step? {
        let index = played.withLock { played in
            defer { played += 1 }
            return played
        }
        return index < script.count ? script[index] : nil
    }
}

/// Tells when an answer has been let go of.
private final class EndOfAnswer: Sendable {
    private let action: @Sendable () -> Void

    init(_ action: @escaping @Sendable () -> Void) { self.action = action }
    deinit { action() }
}
