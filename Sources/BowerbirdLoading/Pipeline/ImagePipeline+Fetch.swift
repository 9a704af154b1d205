import BowerbirdCore
import FoundationEssentials

/// The bytes of a file, whole.
struct Original: Sendable {
    var data: EncodedImage
    var origin: ImageResponse.Origin
}

/// The bytes of a file so far.
struct OriginalUpdate: Mergeable {
    var data: EncodedImage
    var total: Int?

    var progress: TransferProgress { TransferProgress(received: data.count, total: total) }

    mutating func merge(newer: OriginalUpdate) { self = newer }
}

extension ImagePipeline {
    /// The file from the nearest place that has it. Runs once for all who want its bytes.
    func fetch(
        _ accepted: AcceptedRequest, _ report: (OriginalUpdate) -> Void
    ) async throws(ImageError) -> Original {
        let request = accepted.request
        if case .data(let data, _) = request.source { return Original(data: data, origin: .local) }
        do throws(LoadingError) {
            guard request.source.isRemote else { return try await transfer(request, report).original(.local) }
            if let entry = await configuration.dataCache?.entry(for: accepted.diskKey) {
                return Original(data: entry.data, origin: .disk)
            }
            let isIn = await transferSlots.enter(accepted.ticket, priority: PriorityRelay())
            guard isIn else { throw LoadingError.cancelled }
            defer { transferSlots.leave(accepted.ticket) }
            let transferred = try await transfer(request, report)
            // What comes after everybody has left must not replace what somebody may have asked for since.
            guard !Task.isCancelled else { throw LoadingError.cancelled }
            await keep(transferred, of: accepted)
            return transferred.original(.network)
        } catch {
            throw ImageError(error, request.source)
        }
    }

    private func transfer(
        _ request: ImageRequest, _ report: (OriginalUpdate) -> Void
    ) async throws(LoadingError) -> Transferred {
        guard let url = request.source.url else { throw .unsupportedScheme("") }
        let response = try await configuration.loader.response(for: DataRequest(url: url, headers: request.headers))
        switch response.body {
        case .complete(let data): return Transferred(data: data, head: response.head)
        case .stream(let stream):
            return Transferred(data: try await gather(stream, response.head, report), head: response.head)
        }
    }

    private func gather(
        _ stream: DataStream, _ head: ResponseHead, _ report: (OriginalUpdate) -> Void
    ) async throws(LoadingError) -> EncodedImage {
        var buffer = try DownloadBuffer(expectedByteCount: head.expectedByteCount)
        while let chunk = try await stream.next() {
            try buffer.append(chunk)
            report(OriginalUpdate(data: buffer.snapshot(), total: head.expectedByteCount))
        }
        if let expected = head.expectedByteCount, buffer.count < expected {
            throw .incomplete(received: buffer.count, expected: expected)
        }
        return buffer.snapshot()
    }

    /// What begins like no picture is not kept: an error page would be shown as a damaged file for ever.
    private func keep(_ transferred: Transferred, of request: AcceptedRequest) async {
        guard isPicture(transferred.data) else { return }
        await configuration.dataCache?.store(
            transferred.cacheEntry(askedWith: request.request.headers), for: request.diskKey)
    }
}

/// An answer with its whole body.
private struct Transferred {
    var data: EncodedImage
    var head: ResponseHead

    func original(_ origin: ImageResponse.Origin) -> Original { Original(data: data, origin: origin) }

    func cacheEntry(askedWith headers: [String: String]) -> CacheEntry {
        let now = Date()
        let freshness = head.status.map {
            Freshness(status: $0, headers: head.headers, requestHeaders: headers, receivedAt: now)
        }
        return CacheEntry(
            data: data, url: head.url.absoluteString, mediaType: head["content-type"], storedAt: now,
            freshness: freshness)
    }
}
