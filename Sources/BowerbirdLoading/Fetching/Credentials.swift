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
/// provider is asked once, and all of them go on with its answer.
final class Credentials: Sendable {
    typealias Provider = @Sendable (AuthenticationChallenge) async -> Credential?

    private let provider: Provider?
    private let known = Lock<[TransferHost: Credential]>([:])
    private let renewals: SharedWork<TransferHost, NoNews, Credential?>

    init(_ provider: Provider?, executor: (any TaskExecutor)?) {
        self.provider = provider
        renewals = SharedWork(executor: executor)
    }

    /// What was good for this server last.
    func credential(for host: TransferHost?) -> Credential? {
        guard provider != nil, let host else { return nil }
        return known.withLock { $0[host] }
    }

    /// What to try after `refused`; nil where nobody knows anything better. The server that a redirect led to gets
    /// nothing: what is sent goes to `host` first.
    func credential(
        after challenge: AuthenticationChallenge, of host: TransferHost?, refused: Credential?,
        _ priority: PriorityRelay
    ) async -> Credential? {
        guard let provider, let host, host == TransferHost(of: challenge.url) else { return nil }
        if let other = known.withLock({ $0[host] }), other != refused { return other }
        var challenge = challenge
        challenge.refused = refused
        let outcome = await renewals.outcome(of: host, priority: priority, telling: { _ in }) { [challenge] _ in
            let renewed = await provider(challenge)
            self.known.withLock { $0[host] = renewed }
            return .success(renewed)
        }
        return (try? outcome?.get()) ?? nil
    }
}

/// A job that tells nothing before its end.
struct NoNews: Mergeable {
    mutating func merge(newer: NoNews) {}
}
