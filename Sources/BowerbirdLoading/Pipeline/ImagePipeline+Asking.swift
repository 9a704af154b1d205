import BowerbirdCore
import FoundationEssentials

// What a request meets before its path begins.

extension ImagePipeline {
    /// Why a request is turned away before any work is done for it; nil where it is not, or where it has alternatives,
    /// each of which is looked at in its turn.
    func refusal(of request: AcceptedRequest) -> ImageError? {
        request.request.alternatives.isEmpty ? refusalOfSource(of: request) : nil
    }

    /// The same for the source alone.
    func refusalOfSource(of request: AcceptedRequest) -> ImageError? {
        let refusal = AddressCheck.refusal(of: request, by: configuration.loader)
        if refusal == nil { warnOfPlainHTTP(request) }
        return refusal
    }

    /// The picture of the source or, where that fails, of the first of its alternatives that does not.
    func produceFirst(of request: AcceptedRequest, _ job: ImageJob) async throws(ImageError) -> ProducedImage {
        if request.request.alternatives.isEmpty { return try await produceOrKeep(request, job) }
        return try await first(of: request) { candidate throws(ImageError) in
            try await produceShared(candidate, job)
        }
    }

    /// What `load` brings of the request's source or, where that fails, of the first of its alternatives that does not.
    func first<Value>(
        of request: AcceptedRequest, _ load: (AcceptedRequest) async throws(ImageError) -> Value
    ) async throws(ImageError) -> Value {
        var errors: [ImageError] = []
        for candidate in request.candidates(configuration.options) {
            do throws(ImageError) { return try await load(candidate) } catch {
                guard error != .cancelled else { throw error }
                errors.append(error)
            }
        }
        throw .allFailed(errors)
    }

    /// Remembered as the picture of the source that it came from, and of no other.
    private func produceShared(
        _ candidate: AcceptedRequest, _ job: ImageJob
    ) async throws(ImageError) -> ProducedImage {
        if let refusal = refusalOfSource(of: candidate) { throw refusal }
        var produced = try await picture(for: candidate, job) { job.report($0) }
        if !produced.isRemembered { remember(produced, for: candidate) }
        produced.isRemembered = true
        produced.scaleFactor = candidate.request.source.scaleFactor
        return produced
    }

    /// Where the server is to be asked anyway, the finished picture that a cache has is shown first, and stays where the
    /// server cannot be asked.
    func produceOrKeep(_ request: AcceptedRequest, _ job: ImageJob) async throws(ImageError) -> ProducedImage {
        guard request.policy.network == .always else { return try await produce(request, job) }
        return try await refresh(request, job)
    }

    private func refresh(_ request: AcceptedRequest, _ job: ImageJob) async throws(ImageError) -> ProducedImage {
        guard var known = await finishedSomewhere(request, job) else { return try await produce(request, job) }
        job.report(ImageUpdate(cached: known.image))
        do throws(ImageError) {
            return try await produce(request, job)
        } catch {
            guard error != .cancelled, mayStandIn(known.freshness, for: error, request) else { throw error }
            known.staleness = error
            return known
        }
    }

    private func finishedSomewhere(_ request: AcceptedRequest, _ job: ImageJob) async -> ProducedImage? {
        if let known = known(request) { return known }
        return await finishedOnDisk(request, job)
    }
}
