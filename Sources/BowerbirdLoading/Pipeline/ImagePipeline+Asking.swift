import BowerbirdCore
import FoundationEssentials

// What a request meets before its path begins.

extension ImagePipeline {
    /// Why a request is turned away before any work is done for it; nil where it is not.
    func refusal(of request: AcceptedRequest) -> ImageError? {
        let refusal = AddressCheck.refusal(of: request, by: configuration.loader)
        if refusal == nil { warnOfPlainHTTP(request) }
        return refusal
    }

    /// The picture of the source or, where that fails, of the first of its alternatives that does not.
    func produceFirst(of request: AcceptedRequest, _ job: ImageJob) async throws(ImageError) -> ProducedImage {
        if request.request.alternatives.isEmpty { return try await produceOrKeep(request, job) }
        return try await produceFromAlternatives(request, job)
    }

    private func produceFromAlternatives(
        _ request: AcceptedRequest, _ job: ImageJob
    ) async throws(ImageError) -> ProducedImage {
        var errors: [ImageError] = []
        for source in [request.request.source] + request.request.alternatives {
            do throws(ImageError) {
                return try await produceShared(from: source, for: request, job)
            } catch {
                guard error != .cancelled else { throw error }
                errors.append(error)
            }
        }
        throw .allFailed(errors)
    }

    private func produceShared(
        from source: ImageSource, for request: AcceptedRequest, _ job: ImageJob
    ) async throws(ImageError) -> ProducedImage {
        let candidate = request.with(source, configuration.options)
        if let refusal = refusal(of: candidate) { throw refusal }
        return try await picture(for: candidate, job) { job.report($0) }
    }

    /// What memory has is shown first where the server is to be asked anyway, and stays where it cannot be.
    func produceOrKeep(_ request: AcceptedRequest, _ job: ImageJob) async throws(ImageError) -> ProducedImage {
        guard request.policy.network == .always, let known = remembered(request) else {
            return try await produce(request, job)
        }
        return try await renew(known, request, job)
    }

    private func renew(
        _ known: ProducedImage, _ request: AcceptedRequest, _ job: ImageJob
    ) async throws(ImageError) -> ProducedImage {
        job.report(ImageUpdate(cached: known.image))
        do throws(ImageError) {
            return try await produce(request, job)
        } catch {
            guard error != .cancelled else { throw error }
            var known = known
            known.staleness = error
            return known
        }
    }
}
