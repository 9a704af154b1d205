import BowerbirdCore
import FoundationEssentials

/// What is to be done about a file that a cache may have.
enum KeptFileDecision {
    case use(CacheEntry)
    /// It may be shown, and a server is to be asked behind the answer.
    case useAndRevalidate(CacheEntry)
    /// The server is to be asked, and the file is there in case that fails.
    case revalidate(CacheEntry)
    case fetch
    /// There is nothing, and the network is not to be asked.
    case giveUp
}

extension ImagePipeline {
    func decision(on entry: CacheEntry?, _ request: AcceptedRequest) -> KeptFileDecision {
        guard let entry, mayBeShown(entry.freshness, request) else {
            return request.policy.network == .off ? .giveUp : .fetch
        }
        guard request.policy.network != .off else { return .use(entry) }
        switch decision(on: entry.freshness, storedAt: entry.storedAt, request) {
        case .use: return .use(entry)
        case .useAndRevalidate: return .useAndRevalidate(entry)
        case .revalidate, .fetch: return .revalidate(entry)
        }
    }

    /// What the request's own rules say of a file, or of a picture that was made of it.
    func decision(on freshness: Freshness?, storedAt: Date?, _ request: AcceptedRequest) -> Freshness.Decision {
        request.options.freshness.decision(
            on: freshness, storedAt: storedAt, requestHeaders: knownHeaders(of: request),
            isRefreshing: request.policy.network == .always, at: configuration.now())
    }

    /// Whether it answers the request at all, be it stale: always under the caller's own rules.
    func mayBeShown(_ freshness: Freshness?, _ request: AcceptedRequest) -> Bool {
        guard request.options.freshness == .http, let freshness else { return true }
        return freshness.mayBeShown(for: knownHeaders(of: request))
    }

    /// What will be sent, as far as that is known before.
    private func knownHeaders(of request: AcceptedRequest) -> [String: String] {
        guard !request.hasOwnAuthorization, let credential = credentials.credential(for: request.host) else {
            return request.request.headers
        }
        return request.request.headers.replacing(with: credential.headers)
    }

    /// With which the server may answer that nothing has changed: for an answer to another request it could not know.
    func conditions(for entry: CacheEntry, _ request: AcceptedRequest) -> [String: String] {
        guard let freshness = entry.freshness, freshness.matches(knownHeaders(of: request)) else { return [:] }
        return freshness.conditionalHeaders
    }

    /// Whether what is kept may be shown where its server cannot be asked: always under the caller's own rules, and
    /// under HTTP's where those allow it.
    func mayStandIn(_ freshness: Freshness?, for error: ImageError, _ request: AcceptedRequest) -> Bool {
        guard request.options.freshness == .http else { return true }
        return error.isOfServer && freshness?.maySubstituteFailure(at: configuration.now()) ?? true
    }

    /// Asks for a file that was answered from the disk, for whoever comes next. Runs until it ends, or `cancelAll()`.
    func refreshInBackground(_ request: AcceptedRequest, _ entry: CacheEntry) {
        let behind = request.with(ticket: transferSlots.takeTicket())
        _ = originals.join(CacheKey("refresh " + request.originalKey.text), NobodyAsks(), priority: WorkPriority(.low))
        {
            job in
            await ImageError.catching { () async throws(ImageError) in try await self.revalidate(entry, behind, job) }
        }
    }
}

extension ImageError {
    /// Whether it keeps from knowing what the server has, and is no word of the server's about that.
    fileprivate var isOfServer: Bool {
        switch self {
        case .failedBefore(let error): error.isOfServer
        case .loading(.status(let status), _): status >= 500
        case .loading(.hostNotFound, _), .loading(.cannotConnect, _), .loading(.connectionLost, _),
            .loading(.timedOut, _), .loading(.incomplete, _), .loading(.insecure, _), .loading(.invalidAnswer, _),
            .loading(.tooManyRedirects, _):
            true
        default: false
        }
    }
}

/// Keeps a job alive that runs for whoever comes later.
private final class NobodyAsks: Asker {
    func receive(_ update: OriginalUpdate) {}
    func receive(older update: OriginalUpdate) {}
    func finish(_ outcome: Result<Original, ImageError>) {}
}
