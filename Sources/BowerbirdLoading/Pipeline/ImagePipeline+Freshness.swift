import BowerbirdCore
import FoundationEssentials

/// What is to be done about a file that a cache may have.
enum KeptFileDecision {
    case use(CacheEntry)
    /// It may be shown, and a server is to be asked behind the answer.
    case useAndRevalidate(CacheEntry)
    case revalidate(CacheEntry)
    case fetch
    /// There is nothing, and the network is not to be asked.
    case giveUp
}

extension ImagePipeline {
    func decision(on entry: CacheEntry?, _ request: AcceptedRequest) -> KeptFileDecision {
        guard request.policy.network != .off else { return entry.map(KeptFileDecision.use) ?? .giveUp }
        guard let entry else { return .fetch }
        let refreshes = request.policy.network == .always
        switch request.options.freshness.decision(
            for: entry, requestHeaders: request.request.headers, isRefreshing: refreshes, at: configuration.now())
        {
        case .use: return .use(entry)
        case .useAndRevalidate: return .useAndRevalidate(entry)
        case .revalidate: return .revalidate(entry)
        case .fetch: return refreshes ? .revalidate(entry) : .fetch
        }
    }

    /// Whether a kept file may be shown where its server cannot be asked: always under the caller's own rules, and
    /// under HTTP's where those allow it.
    func mayStandIn(_ entry: CacheEntry, _ request: AcceptedRequest) -> Bool {
        guard request.options.freshness == .http else { return true }
        return entry.freshness?.maySubstituteFailure(at: configuration.now()) ?? false
    }

    /// When a picture in memory is to be looked at anew.
    func staleDate(of freshness: Freshness?, _ request: AcceptedRequest) -> Date? {
        request.options.freshness == .http ? freshness?.staleAt ?? configuration.now() : nil
    }

    /// Asks for a file that was answered from the disk, for whoever comes next. Runs until it ends, or `cancelAll()`.
    func refreshInBackground(_ request: AcceptedRequest, _ entry: CacheEntry) {
        let key = CacheKey("refresh " + request.originalKey.text)
        _ = originals.join(key, NobodyAsks(), priority: WorkPriority(.low)) { job in
            await ImageError.catching { () async throws(ImageError) in
                try await self.revalidateBehind(request, entry, job)
            }
        }
    }

    private func revalidateBehind(
        _ request: AcceptedRequest, _ entry: CacheEntry, _ job: OriginalJob
    ) async throws(ImageError) -> Original {
        let original = try await revalidate(entry, request, job)
        if original.origin == .network { configuration.imageCache?.remove(source: request.source) }
        return original
    }
}

/// Keeps a job alive that runs for whoever comes later.
private final class NobodyAsks: Asker {
    func receive(_ update: OriginalUpdate) {}
    func receive(older update: OriginalUpdate) {}
    func finish(_ outcome: Result<Original, ImageError>) {}
}
