public import BowerbirdCore

extension ImagePipeline {
    /// The original bytes, not decoded, from the data cache or by a transfer that other requests for them share: of the
    /// request's source or, where that fails, of the first of its alternatives that does not. Bytes that are no picture
    /// throw `.decoding`; kept ones are forgotten then, and loaded anew. `progress` is called on no particular thread,
    /// in order, the newest wins. Throws `.cancelled` when the task is cancelled.
    public func data(
        for request: ImageRequest, progress: (@Sendable (TransferProgress) -> Void)? = nil
    ) async throws(ImageError) -> DataResult {
        try await data(for: request, in: .ordinary, progress: progress)
    }

    func data(
        for request: ImageRequest, in lane: WorkPriority.Lane, progress: (@Sendable (TransferProgress) -> Void)? = nil
    ) async throws(ImageError) -> DataResult {
        let request = AcceptedRequest(request, configuration.options, lane, transferSlots.takeTicket())
        fileCount.withLock { $0 += 1 }
        defer { fileCount.withLock { $0 -= 1 } }
        guard !request.request.alternatives.isEmpty else { return try await pictureData(for: request, progress) }
        return try await first(of: request) { candidate throws(ImageError) in
            try await pictureData(for: candidate, progress)
        }
    }

    /// A kept file that is no picture is forgotten, and the source asked once more.
    private func pictureData(
        for request: AcceptedRequest, _ progress: (@Sendable (TransferProgress) -> Void)?
    ) async throws(ImageError) -> DataResult {
        if let refusal = refusalOfSource(of: request) { throw refusal }
        let first = try await file(for: request, progress)
        guard let fault = fault(of: first, request) else { return first }
        guard first.origin == .disk else { throw fault }
        let second = try await file(for: request, insteadOf: first.data, progress)
        if let fault = self.fault(of: second, request) { throw fault }
        return second
    }

    private func file(
        for request: AcceptedRequest, insteadOf damaged: EncodedImage? = nil,
        _ progress: (@Sendable (TransferProgress) -> Void)?
    ) async throws(ImageError) -> DataResult {
        let original = try await original(for: request, PriorityRelay(request.priority), insteadOf: damaged) { update in
            if let arrived = update.arrived { progress?(arrived.progress) }
        }
        return DataResult(data: original.data, origin: original.origin)
    }

    /// Why the bytes are no picture; nil where they are one. It is remembered as that of a picture is.
    private func fault(of file: DataResult, _ request: AcceptedRequest) -> ImageError? {
        guard request.options.transform == nil, !isPicture(file.data) else { return nil }
        let fault = ImageError(file.data.withBytes(DecodingError.unrecognized), request.request.source)
        if file.origin == .network { note(fault, of: request) }
        return fault
    }

    /// Whether the bytes begin like a picture of any known format, decodable here or not.
    func isPicture(_ data: EncodedImage) -> Bool {
        data.format != nil || configuration.codecs.decoder(for: data) != nil
    }

    /// The answer of `data(for:progress:)`.
    public struct DataResult: Sendable {
        /// The bytes of the file, whole.
        public var data: EncodedImage
        /// Where they were found.
        public var origin: ImageResponse.Origin
    }
}
