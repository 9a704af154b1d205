public import BowerbirdCore

extension ImagePipeline {
    /// The original bytes, not decoded, from the data cache or by a transfer that other requests for them share. Bytes
    /// that are no picture throw `.decoding`. `progress` is called on no particular thread, in order, the newest wins.
    public func data(
        for request: ImageRequest, progress: (@Sendable (TransferProgress) -> Void)? = nil
    ) async throws(ImageError) -> DataResult {
        try await data(for: request, in: .ordinary, progress: progress)
    }

    func data(
        for request: ImageRequest, in lane: WorkPriority.Lane, progress: (@Sendable (TransferProgress) -> Void)? = nil
    ) async throws(ImageError) -> DataResult {
        let request = AcceptedRequest(request, configuration.options, lane, transferSlots.takeTicket())
        if let refusal = refusalOfSource(of: request) { throw refusal }
        let original = try await original(for: request, PriorityRelay(request.priority)) { update in
            if let arrived = update.arrived { progress?(arrived.progress) }
        }
        guard isWorthKeeping(original.data, request) else { throw unrecognized(original.data, request) }
        return DataResult(data: original.data, origin: original.origin)
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
