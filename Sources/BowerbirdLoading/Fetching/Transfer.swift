import BowerbirdCore
import FoundationEssentials

/// One file over the network, from the request that goes out to its last byte: tried again where the request says so,
/// with credentials where the server wants them, taken up where it was cut.
struct Transfer {
    let request: AcceptedRequest
    /// Header fields under which the server may answer that nothing has changed.
    let conditions: [String: String]
    let pipeline: ImagePipeline
    let job: TransferJob

    /// Tries until there is an answer, or nothing more to be tried.
    func run() async throws(LoadingError) -> Transferred {
        var retries = Retries(request.options.retry, since: pipeline.configuration.now())
        let answersBefore = pipeline.credentials.answerCount(for: request.host)
        while true {
            do throws(TransferFailure) {
                return try await authorized(answersBefore)
            } catch {
                guard let delay = retries.delay(after: error, at: pipeline.configuration.now()) else {
                    throw error.error
                }
                try await pause(delay)
            }
        }
    }

    private func pause(_ delay: Duration) async throws(LoadingError) {
        do { try await pipeline.configuration.clock.sleep(for: delay) } catch { throw .cancelled }
    }

    /// With the credentials that the server is known to want, and once more with those that it asks for. A request that
    /// says itself who asks is left to do so.
    private func authorized(_ answersBefore: Int) async throws(TransferFailure) -> Transferred {
        guard !request.hasOwnAuthorization else { return try await resumed(nil) }
        let credential = pipeline.credentials.credential(for: request.host)
        do throws(TransferFailure) {
            return try await resumed(credential)
        } catch {
            guard let challenge = error.challenge,
                let renewed = await pipeline.credentials.credential(
                    after: challenge, of: request.host, refused: credential, answersBefore: answersBefore, job.priority)
            else { throw error }
            return try await resumed(renewed)
        }
    }

    /// From where an earlier transfer was cut; from the beginning where there was none, or the file is another now.
    private func resumed(_ credential: Credential?) async throws(TransferFailure) -> Transferred {
        guard let partial = takenPartial() else { return try await exchange(credential) }
        do throws(TransferFailure) {
            return try await exchange(credential, continuing: partial)
        } catch {
            guard error.error == .rangeRefused else { throw error }
            return try await exchange(credential)
        }
    }

    private func takenPartial() -> PartialFile? {
        guard !request.request.headers.asksForRange, let partial = pipeline.partials.take(request.partialKey) else {
            return nil
        }
        guard partial.data.count <= request.options.maximumByteCount else {
            pipeline.partials.giveBack(partial, request.partialKey)
            return nil
        }
        return partial
    }

    /// In one of the places for transfers. Another try has the ticket of the first, and so its place in the order.
    private func exchange(
        _ credential: Credential?, continuing partial: PartialFile? = nil
    ) async throws(TransferFailure) -> Transferred {
        let slots = pipeline.transferSlots
        guard await slots.enter(request.ticket, priority: job.priority, host: request.hostName) else {
            pipeline.partials.giveBack(partial, request.partialKey)
            throw TransferFailure(.cancelled)
        }
        defer { slots.leave(request.ticket) }
        return try await Exchange(transfer: self, credential: credential, partial: partial).run()
    }
}

/// Why a transfer came to nothing, with what the server said of another try.
struct TransferFailure: Error {
    let error: LoadingError
    var retryAfter: Duration?
    var challenge: AuthenticationChallenge?

    init(_ error: LoadingError) { self.error = error }

    /// For an answer that is no success.
    init(status: Int, _ head: ResponseHead, at now: Date) {
        error = .status(status)
        retryAfter = head["retry-after"].flatMap { RetryPolicy.wait(saidBy: $0, at: now) }
        if [401, 403, 407].contains(status) { challenge = AuthenticationChallenge(status: status, head) }
    }
}

/// How often one transfer was tried, and since when.
private struct Retries {
    private let policy: RetryPolicy
    private let start: Date
    private var attempt = 0

    init(_ policy: RetryPolicy, since start: Date) {
        self.policy = policy
        self.start = start
    }

    mutating func delay(after failure: TransferFailure, at now: Date) -> Duration? {
        attempt += 1
        return policy.delay(
            after: failure.error, retryAfter: failure.retryAfter, attempt: attempt,
            spent: .seconds(max(0, now.timeIntervalSince(start))), random: .random(in: 0..<1))
    }
}
