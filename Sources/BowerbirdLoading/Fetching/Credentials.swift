import BowerbirdCore
public import FoundationEssentials

/// What proves to a server that it may answer.
public enum Credential: Hashable, Sendable {
    /// Basic authentication (RFC 7617). Only as safe as the connection.
    case basic(user: String, password: String)
    /// A token (RFC 6750).
    case bearer(String)
    /// Header fields of any other kind.
    case headers([String: String])

    /// What is sent.
    var headers: [String: String] {
        switch self {
        case .basic(let user, let password):
            ["Authorization": "Basic " + Data("\(user):\(password)".utf8).base64EncodedString()]
        case .bearer(let token): ["Authorization": "Bearer \(token)"]
        case .headers(let fields): fields
        }
    }
}

/// A server that wants to know who asks: an answer of status 401, 403 or 407.
public struct AuthenticationChallenge: Sendable {
    /// What was asked for, after redirects.
    public let url: URL
    /// 401, 403 or 407.
    public let status: Int
    /// The `WWW-Authenticate` of the answer, as it was sent; empty where there was none.
    public let demand: String
    /// What was sent and refused; nil where nothing was.
    public internal(set) var refused: Credential?

    init(status: Int, _ head: ResponseHead) {
        url = head.url
        self.status = status
        demand = head["www-authenticate"] ?? head["proxy-authenticate"] ?? ""
    }
}

/// The credentials of each server, and whoever provides new ones. However many requests a server refuses at once, the
/// provider is asked once, and all of them go on with its answer, or give up with it.
final class Credentials: Sendable {
    typealias Provider = @Sendable (AuthenticationChallenge) async -> Credential?

    private let provider: Provider?
    private let known = Lock<[TransferHost: Known]>([:])
    private let renewals: SharedWork<TransferHost, NoNews, Credential?>

    private struct Known {
        /// Nil where the provider gave up.
        var credential: Credential?
        var answerCount = 0

        mutating func note(_ answer: Credential?) {
            credential = answer
            answerCount += 1
        }
    }

    init(_ provider: Provider?, executor: (any TaskExecutor)?) {
        self.provider = provider
        renewals = SharedWork(executor: executor)
    }

    /// What was good for this server last.
    func credential(for host: TransferHost?) -> Credential? {
        guard provider != nil, let host else { return nil }
        return known.withLock { $0[host]?.credential }
    }

    /// How often the provider has answered for this server.
    func answerCount(for host: TransferHost?) -> Int {
        guard provider != nil, let host else { return 0 }
        return known.withLock { $0[host]?.answerCount ?? 0 }
    }

    /// What to try after `refused`; nil where nobody knows anything better, or the provider has given up since the
    /// transfer began, when it had answered `answersBefore` times. The server that a redirect led to gets nothing: what
    /// is sent goes to `host` first.
    func credential(
        after challenge: AuthenticationChallenge, of host: TransferHost?, refused: Credential?, answersBefore: Int,
        _ priority: PriorityRelay
    ) async -> Credential? {
        guard let provider, let host, host == TransferHost(of: challenge.url) else { return nil }
        var challenge = challenge
        challenge.refused = refused
        let outcome = await renewals.outcome(of: host, priority: priority, telling: { _ in }) { [challenge] _ in
            if let answer = self.answer(for: host, after: refused, answersBefore) { return .success(answer) }
            let renewed = await provider(challenge)
            if !Task.isCancelled { self.note(renewed, for: host) }
            return .success(renewed)
        }
        guard let renewed = try? outcome?.get(), renewed != refused else { return nil }
        return renewed
    }

    /// What the provider has said already; nil where it must be asked. Looked up within the job: one that ended a moment
    /// ago has said it.
    private func answer(for host: TransferHost, after refused: Credential?, _ answersBefore: Int) -> Credential?? {
        guard let known = known.withLock({ $0[host] }) else { return nil }
        if let credential = known.credential { return credential == refused ? nil : .some(credential) }
        return known.answerCount > answersBefore ? .some(nil) : nil
    }

    private func note(_ renewed: Credential?, for host: TransferHost) {
        known.withLock { $0[host, default: Known()].note(renewed) }
    }

    /// Waits until nobody is asked any more.
    func waitUntilIdle() async { await renewals.waitUntilIdle() }
}

/// A job that tells nothing before its end.
struct NoNews: Mergeable {
    mutating func merge(newer: NoNews) {}
}
