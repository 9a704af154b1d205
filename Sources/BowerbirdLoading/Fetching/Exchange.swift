import BowerbirdCore
import FoundationEssentials

/// One request that goes out, and the answer that comes back.
struct Exchange {
    let transfer: Transfer
    let credential: Credential?
    /// What an earlier transfer had of the file when it was cut.
    let partial: PartialFile?

    private var request: AcceptedRequest { transfer.request }
    private var pipeline: ImagePipeline { transfer.pipeline }

    func run() async throws(TransferFailure) -> Transferred {
        let sent = try await prepared()
        let response = try await response(to: sent)
        let head = response.head
        if head.status == 304, !transfer.conditions.isEmpty { return .unchanged(head) }
        if partial != nil, try continues(head) { return try await file(response, sent, continuing: partial) }
        try check(head)
        return try await file(response, sent, continuing: nil)
    }
}

// The request.
extension Exchange {
    /// As the application wants it, in the moment in which it is sent.
    private func prepared() async throws(TransferFailure) -> DataRequest {
        guard let url = request.request.source.url else { throw TransferFailure(.unsupportedScheme("")) }
        let plain = dataRequest(for: url)
        guard let prepare = pipeline.configuration.prepareRequest else { return plain }
        do {
            return try await prepare(plain)
        } catch {
            pipeline.partials.giveBack(partial, request.partialKey)
            throw TransferFailure(Task.isCancelled ? .cancelled : .refused("\(error)"))
        }
    }

    private func dataRequest(for url: URL) -> DataRequest {
        var data = DataRequest(url: url, maximumByteCount: request.options.maximumByteCount)
        data.headers = request.request.headers
            .replacing(with: partial?.conditions ?? transfer.conditions).replacing(with: credential?.headers ?? [:])
        data.allowsInvalidCertificate = request.options.allowsInvalidCertificate
        data.usesCookies = request.options.usesCookies
        data.acceptsAnyStatus = true
        data.onMetrics = pipeline.metricsReceiver(for: request)
        return data
    }

    private func response(to sent: DataRequest) async throws(TransferFailure) -> DataResponse {
        do {
            return try await pipeline.configuration.loader.response(for: sent)
        } catch {
            pipeline.partials.giveBack(partial, request.partialKey)
            throw TransferFailure(error)
        }
    }
}

// The answer.
extension Exchange {
    /// Whether the answer is the rest of what is here; throws where it is neither that nor the whole file.
    private func continues(_ head: ResponseHead) throws(TransferFailure) -> Bool {
        switch head.status {
        case 206:
            guard partial?.isContinued(by: head) == true else { throw TransferFailure(.rangeRefused) }
            return true
        case 416: throw TransferFailure(.rangeRefused)
        default: return false
        }
    }

    private func check(_ head: ResponseHead) throws(TransferFailure) {
        do throws(LoadingError) {
            try pipeline.configuration.responseRule.check(head)
        } catch {
            guard case .status(let status) = error else { throw TransferFailure(error) }
            throw TransferFailure(status: status, head, at: pipeline.configuration.now())
        }
    }

    private func file(
        _ response: DataResponse, _ sent: DataRequest, continuing partial: PartialFile?
    ) async throws(TransferFailure) -> Transferred {
        let head = response.head
        do throws(LoadingError) {
            var body = try GatheredBody(expectedByteCount: head.expectedByteCount, after: partial?.data)
            do throws(LoadingError) {
                try await body.gather(response.body, telling: transfer.job.tell)
            } catch {
                keepPartial(of: body, head)
                throw error
            }
            return .file(body.data, head, freshness(of: head, sent))
        } catch {
            throw TransferFailure(error)
        }
    }

    private func freshness(of head: ResponseHead, _ sent: DataRequest) -> Freshness {
        Freshness(
            status: head.status ?? 200, headers: head.headers, requestHeaders: sent.headers,
            receivedAt: pipeline.configuration.now())
    }

    /// For whoever asks again.
    private func keepPartial(of body: borrowing GatheredBody, _ head: ResponseHead) {
        guard let partial = PartialFile(body.data, total: body.expectedByteCount, head, after: partial) else { return }
        pipeline.partials.store(partial, for: request.partialKey)
    }
}

extension [String: String] {
    /// These header fields, and `others` in place of those of the same name, whatever their case.
    fileprivate func replacing(with others: [String: String]) -> [String: String] {
        guard !others.isEmpty else { return self }
        let names = Set(others.keys.map { $0.lowercased() })
        return filter { !names.contains($0.key.lowercased()) }.merging(others) { $1 }
    }
}
