import BowerbirdCore
import FoundationEssentials

/// The bytes of a file, whole.
struct Original: Sendable {
    var data: EncodedImage
    var origin: ImageResponse.Origin
    /// When HTTP calls it stale; nil where that does not count, or never happens.
    var staleAt: Date?
    /// Why it is an older file than it should be.
    var staleness: ImageError?
}

/// News of a file on its way.
struct OriginalUpdate: Mergeable {
    /// The whole of it, as the caches have it; a server is being asked whether it is still right.
    var kept: EncodedImage?
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
    func fetch(_ request: AcceptedRequest, _ job: OriginalJob) async throws(ImageError) -> Original {
        if case .data(let data, _) = request.request.source { return Original(data: data, origin: .local) }
        guard request.isRemote else { return try await loadLocal(request, job) }
        let kept = await keptEntry(of: request)
        switch decision(on: kept, request) {
        case .use(let entry): return use(entry, request)
        case .useAndRevalidate(let entry):
            refreshInBackground(request, entry)
            return use(entry, request)
        case .revalidate(let entry): return try await revalidate(entry, request, job)
        case .fetch: return try await loadAnew(request, job)
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

    private func keptEntry(of request: AcceptedRequest) async -> CacheEntry? {
        guard request.policy.disk.reads, let cache = configuration.dataCache else { return nil }
        let entry = await observed(.disk, request) { await cache.entry(for: request.diskKey) }
        tell(.diskLookup(byteCount: entry?.data.count, address: request.request.source.address))
        return entry
    }

    private func use(_ entry: CacheEntry, _ request: AcceptedRequest) -> Original {
        Original(data: entry.data, origin: .disk, staleAt: staleDate(of: entry.freshness, request))
    }

    /// Asks the server whether the kept file is still right; where it cannot be asked, the kept one may stand in.
    func revalidate(
        _ entry: CacheEntry, _ request: AcceptedRequest, _ job: OriginalJob
    ) async throws(ImageError) -> Original {
        if request.policy.network == .always { job.report(OriginalUpdate(kept: entry.data)) }
        do throws(ImageError) {
            let conditions = entry.freshness?.conditionalHeaders ?? [:]
            return try await replacement(of: entry, by: download(request, conditions, job), request)
        } catch {
            guard error != .cancelled, mayStandIn(entry, request) else { throw error }
            return Original(data: entry.data, origin: .disk, staleness: error)
        }
    }

    private func replacement(
        of entry: CacheEntry, by answer: Transferred, _ request: AcceptedRequest
    ) async -> Original {
        switch answer {
        case .unchanged(let head):
            let freshness = entry.freshness?.renewed(by: head.headers, at: configuration.now())
            if let freshness, request.policy.disk.writes {
                await configuration.dataCache?.renew(freshness, for: request.diskKey)
            }
            return Original(data: entry.data, origin: .disk, staleAt: staleDate(of: freshness, request))
        case .file(let data, _, let freshness):
            // Equal bytes are those that were here, so that nobody decodes them again.
            let data = data.hasEqualBytes(to: entry.data) ? entry.data : data
            return Original(data: data, origin: .network, staleAt: staleDate(of: freshness, request))
        }
    }

    private func loadAnew(_ request: AcceptedRequest, _ job: OriginalJob) async throws(ImageError) -> Original {
        switch try await download(request, [:], job) {
        case .unchanged: throw ImageError(LoadingError.status(304), request.request.source)
        case .file(let data, _, let freshness):
            return Original(data: data, origin: .network, staleAt: staleDate(of: freshness, request))
        }
    }

    /// Over the network, unless it failed a short time ago; shared with everybody who asks in the same way. What comes
    /// is kept before anybody hears of it.
    private func download(
        _ request: AcceptedRequest, _ conditions: [String: String], _ job: OriginalJob
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
        await keep(transferred, of: request)
        return transferred
    }

    private func transfer(
        _ request: AcceptedRequest, _ conditions: [String: String], _ job: TransferJob
    ) async throws(ImageError) -> Transferred {
        do throws(ImageError) {
            let transferred = try await observed(.transfer, request) { () async throws(ImageError) in
                let transfer = Transfer(request: request, conditions: conditions, pipeline: self, job: job)
                do throws(LoadingError) { return try await transfer.run() } catch {
                    throw ImageError(error, request.request.source)
                }
            }
            failures.remove(for: request.diskKey)
            return transferred
        } catch {
            note(error, of: request)
            throw error
        }
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
