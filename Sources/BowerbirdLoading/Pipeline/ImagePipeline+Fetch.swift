import BowerbirdCore
import FoundationEssentials

/// The bytes of a file, whole.
struct Original: Sendable {
    var data: EncodedImage
    var origin: ImageResponse.Origin
    /// What HTTP says of it, and when it came. See `CachedImage`.
    var freshness: Freshness?
    var storedAt: Date?
    /// As its entry has them, where it is from the disk.
    var expiry: CacheExpiry?
    var tags: Set<String> = []
    /// Why it is an older file than it should be.
    var staleness: ImageError?
}

extension Original {
    init(_ entry: CacheEntry) {
        self.init(
            data: entry.data, origin: .disk, freshness: entry.freshness, storedAt: entry.storedAt,
            expiry: entry.expiry, tags: entry.tags)
    }
}

/// News of a file on its way.
struct OriginalUpdate: Mergeable {
    /// The whole of it, as the disk has it; a server is being asked whether it is still right.
    var kept: Original?
    /// What has come over the network.
    var arrived: ArrivedBytes?

    mutating func merge(newer: OriginalUpdate) {
        kept = newer.kept ?? kept
        arrived = newer.arrived ?? arrived
    }
}

/// The bytes of a file so far.
struct ArrivedBytes: Mergeable {
    var data: EncodedImage
    var total: Int?

    var progress: TransferProgress { TransferProgress(received: data.count, total: total) }

    mutating func merge(newer: ArrivedBytes) { self = newer }
}

extension ImagePipeline {
    /// The file from the nearest place that has it. Runs once for all who want its bytes in the same way.
    ///
    /// `damaged` is what the disk gave and nobody could show. It is passed over, and dropped where it is still there: who
    /// comes late may find that another has replaced it.
    func fetch(
        _ request: AcceptedRequest, _ job: OriginalJob, insteadOf damaged: EncodedImage? = nil
    ) async throws(ImageError) -> Original {
        if case .data(let data, _) = request.request.source { return Original(data: data, origin: .local) }
        guard request.isRemote else { return try await loadLocal(request, job) }
        let kept = await keptEntry(of: request, job.priority, insteadOf: damaged)
        switch decision(on: kept, request) {
        case .use(let entry): return Original(entry)
        case .useAndRevalidate(let entry):
            refreshInBackground(request, entry)
            return Original(entry)
        case .revalidate(let entry): return try await revalidate(entry, request, job)
        case .fetch: return try await loadAnew(request, job, insteadOf: damaged)
        case .giveUp: throw .notCached(address: request.request.source.address)
        }
    }

    private func loadLocal(_ request: AcceptedRequest, _ job: OriginalJob) async throws(ImageError) -> Original {
        let source = request.request.source
        do throws(LoadingError) {
            guard let url = source.url else { throw .unsupportedScheme("") }
            let data = DataRequest(url: url, maximumByteCount: request.options.maximumByteCount)
            let response = try await configuration.loader.response(for: data)
            return Original(data: try await response.gathered(telling: job.tell), origin: .local)
        } catch {
            throw ImageError(error, source)
        }
    }

    private func keptEntry(
        of request: AcceptedRequest, _ priority: PriorityRelay, insteadOf damaged: EncodedImage?
    ) async -> CacheEntry? {
        guard request.policy.disk.reads, configuration.dataCache != nil else { return nil }
        let entry = await read(request.diskKey, request, priority)
        tell(.diskLookup(byteCount: entry?.data.count, address: request.request.source.address))
        guard let entry, let damaged, entry.data.hasEqualBytes(to: damaged) else { return entry }
        await dropDamaged(entry, request.diskKey, request)
        return nil
    }

    /// Asks the server whether the kept file is still right; where it cannot be asked, the kept one may stand in.
    func revalidate(
        _ entry: CacheEntry, _ request: AcceptedRequest, _ job: OriginalJob
    ) async throws(ImageError) -> Original {
        if request.policy.network == .always { job.report(OriginalUpdate(kept: Original(entry))) }
        do throws(ImageError) {
            let conditions = conditions(for: entry, request)
            return try await replacement(of: entry, by: download(request, conditions, job, replacing: entry), request)
        } catch {
            guard error != .cancelled, mayStandIn(entry.freshness, for: error, request) else { throw error }
            var kept = Original(entry)
            kept.staleness = error
            return kept
        }
    }

    private func replacement(
        of entry: CacheEntry, by answer: Transferred, _ request: AcceptedRequest
    ) async throws(ImageError) -> Original {
        switch answer {
        case .unchanged(let head): return await confirmed(entry, by: head, request)
        case .file(let data, _, let freshness):
            guard isWorthKeeping(data, request) else { throw noted(unrecognized(data, request), of: request) }
            // Equal bytes are those that were here, so that nobody decodes them again.
            let data = data.hasEqualBytes(to: entry.data) ? entry.data : data
            return loaded(data, freshness)
        }
    }

    private func confirmed(
        _ entry: CacheEntry, by head: ResponseHead, _ request: AcceptedRequest
    ) async -> Original {
        var confirmed = Original(entry)
        confirmed.freshness = entry.freshness?.renewed(by: head.headers, at: configuration.now())
        if let freshness = confirmed.freshness, request.policy.disk.writes {
            await configuration.dataCache?.renew(freshness, for: request.diskKey)
        }
        return confirmed
    }

    /// The claim is held until what came is kept.
    private func loadAnew(
        _ request: AcceptedRequest, _ job: OriginalJob, insteadOf damaged: EncodedImage?
    ) async throws(ImageError) -> Original {
        let (claim, entry) = await claim(request, job.priority, insteadOf: damaged)
        defer { withExtendedLifetime(claim) {} }
        if let entry { return Original(entry) }
        switch try await download(request, [:], job, replacing: nil) {
        case .unchanged: throw ImageError(LoadingError.status(304), request.request.source)
        case .file(let data, _, let freshness): return loaded(data, freshness)
        }
    }

    private func loaded(_ data: EncodedImage, _ freshness: Freshness) -> Original {
        Original(data: data, origin: .network, freshness: freshness, storedAt: freshness.receivedAt)
    }

    /// Over the network, unless it failed a short time ago; shared with everybody who asks in the same way. What comes
    /// is kept before anybody hears of it.
    private func download(
        _ request: AcceptedRequest, _ conditions: [String: String], _ job: OriginalJob, replacing old: CacheEntry?
    ) async throws(ImageError) -> Transferred {
        try checkFailures(of: request)
        let key = request.transferKey(conditions)
        let outcome = await transfers.outcome(of: key, priority: job.priority, telling: job.tell) { job in
            await ImageError.catching { () async throws(ImageError) in
                try await self.transfer(request, conditions, job)
            }
        }
        guard let transferred = try outcome?.get() else { throw .cancelled }
        // What comes after everybody has left must not replace what somebody may have asked for since.
        guard !Task.isCancelled else { throw .cancelled }
        if case .file(let data, let head, let freshness) = transferred {
            await keep(data, head, freshness, of: request, replacing: old)
        }
        return transferred
    }

    private func transfer(
        _ request: AcceptedRequest, _ conditions: [String: String], _ job: TransferJob
    ) async throws(ImageError) -> Transferred {
        let transfer = Transfer(request: request, conditions: conditions, pipeline: self, job: job)
        let transferred = try await observed(.transfer, request) { () async throws(ImageError) in
            do throws(LoadingError) { return try await transfer.run() } catch {
                throw noted(ImageError(error, request.request.source), of: request)
            }
        }
        failures.remove(for: request.diskKey)
        return transferred
    }

    private func noted(_ error: ImageError, of request: AcceptedRequest) -> ImageError {
        note(error, of: request)
        return error
    }

    private func checkFailures(of request: AcceptedRequest) throws(ImageError) {
        guard !request.options.ignoresFailureList else { return }
        guard let failure = failures.failure(for: request.diskKey, at: configuration.now()) else { return }
        throw .failedBefore(failure)
    }

    /// For whoever asks next; see `FailurePolicy`.
    func note(_ error: ImageError, of request: AcceptedRequest) {
        guard request.isRemote else { return }
        failures.record(error, for: request.diskKey, at: configuration.now())
    }
}

extension JobContext<ArrivedBytes> {
    func tell(_ bytes: ArrivedBytes) { report(bytes) }
}

extension JobContext<OriginalUpdate> {
    func tell(_ bytes: ArrivedBytes) { report(OriginalUpdate(arrived: bytes)) }
}
