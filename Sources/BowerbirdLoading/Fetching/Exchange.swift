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
        switch try await answer() {
        case .unchanged(let head): return .unchanged(head)
        case .file(let file): return try await whole(file)
        }
    }

    /// What the server says, before the body.
    private enum Answer {
        case unchanged(ResponseHead)
        case file(ComingFile)
    }

    /// A file whose body is still to be read.
    private struct ComingFile {
        /// Of all of it, also where only its rest comes.
        let head: ResponseHead
        let beginning: EncodedImage?
        let body: DataResponse.Body
        let requestHeaders: [String: String]
    }

    /// A beginning that is here already stays good where the answer was not about the file.
    private func answer() async throws(TransferFailure) -> Answer {
        do throws(TransferFailure) {
            let sent = try await prepared()
            let response = try await response(to: sent)
            if response.head.status == 304, !transfer.conditions.isEmpty { return .unchanged(response.head) }
            return .file(try file(response, sent))
        } catch {
            if error.error != .rangeRefused { pipeline.partials.giveBack(partial, request.partialKey) }
            throw error
        }
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
            return withoutStrayCredential(try await prepare(plain))
        } catch {
            throw TransferFailure(Task.isCancelled ? .cancelled : .refused("\(error)"))
        }
    }

    private func dataRequest(for url: URL) -> DataRequest {
        var data = DataRequest(url: url, maximumByteCount: request.options.maximumByteCount)
        data.headers = request.request.headers
            .replacing(with: transfer.conditions).replacing(with: partial?.conditions ?? [:])
            .replacing(with: credential?.headers ?? [:])
        data.allowsInvalidCertificate = request.options.allowsInvalidCertificate
        data.usesCookies = request.options.usesCookies
        data.acceptsAnyStatus = true
        data.privateFields = Set((credential?.headers ?? [:]).keys.filter { $0.lowercased() != "authorization" })
        data.onMetrics = pipeline.metricsReceiver(for: request)
        return data
    }

    /// The credential is for one server, also where the application sends the request to another.
    private func withoutStrayCredential(_ prepared: DataRequest) -> DataRequest {
        guard let credential, TransferHost(of: prepared.url) != request.host else { return prepared }
        var data = prepared
        data.headers = data.headers.filter { credential.headers[$0.key] != $0.value }
        return data
    }

    private func response(to sent: DataRequest) async throws(TransferFailure) -> DataResponse {
        do { return try await pipeline.configuration.loader.response(for: sent) } catch { throw TransferFailure(error) }
    }
}

// The answer.
extension Exchange {
    private func file(_ response: DataResponse, _ sent: DataRequest) throws(TransferFailure) -> ComingFile {
        let head = try rest(in: response.head) ?? response.head
        try check(head, sent)
        return ComingFile(
            head: head, beginning: head.status == response.head.status ? nil : partial?.data, body: response.body,
            requestHeaders: sent.headers)
    }

    /// The head of the whole file, where the answer is the rest of what is here; nil where it is something else, and
    /// throws where it is about the rest and does not bring it.
    private func rest(in head: ResponseHead) throws(TransferFailure) -> ResponseHead? {
        guard let partial, head.status == 206 || head.status == 416 else { return nil }
        guard let whole = partial.head(continuedBy: head) else { throw TransferFailure(.rangeRefused) }
        return whole
    }

    private func check(_ head: ResponseHead, _ sent: DataRequest) throws(TransferFailure) {
        do throws(LoadingError) {
            if request.options.plainHTTP == .refuse, head.url.scheme?.lowercased() == "http" {
                throw .plainHTTP(host: head.url.host() ?? "")
            }
            if head.status == 206, !sent.headers.asksForRange {
                throw .invalidAnswer("a part of the file, where all of it was asked for")
            }
            try pipeline.configuration.responseRule.check(head)
        } catch {
            guard case .status(let status) = error else { throw TransferFailure(error) }
            throw TransferFailure(status: status, head, at: pipeline.configuration.now())
        }
    }

    private func whole(_ file: ComingFile) async throws(TransferFailure) -> Transferred {
        do throws(LoadingError) {
            var body = try GatheredBody(
                expectedByteCount: file.head.expectedByteCount, after: file.beginning,
                maximumByteCount: request.options.maximumByteCount)
            do throws(LoadingError) {
                try await body.gather(file.body, telling: transfer.job.tell)
            } catch {
                keepPartial(of: body, file.head)
                throw error
            }
            return .file(body.data, file.head, freshness(of: file))
        } catch {
            throw TransferFailure(error)
        }
    }

    private func freshness(of file: ComingFile) -> Freshness {
        Freshness(
            status: file.head.status ?? 200, headers: file.head.headers, requestHeaders: file.requestHeaders,
            receivedAt: pipeline.configuration.now())
    }

    /// For whoever asks again.
    private func keepPartial(of body: borrowing GatheredBody, _ head: ResponseHead) {
        guard let partial = PartialFile(body.data, total: body.expectedByteCount, head) else { return }
        pipeline.partials.store(partial, for: request.partialKey)
    }
}

extension [String: String] {
    /// These header fields, and `others` in place of those of the same name, whatever their case.
    func replacing(with others: [String: String]) -> [String: String] {
        guard !others.isEmpty else { return self }
        let names = Set(others.keys.map { $0.lowercased() })
        return filter { !names.contains($0.key.lowercased()) }.merging(others) { $1 }
    }

    /// Whether only a part of the file is wanted.
    var asksForRange: Bool { keys.contains { $0.lowercased() == "range" } }
}
