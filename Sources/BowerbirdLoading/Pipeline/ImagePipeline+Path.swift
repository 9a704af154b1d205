import BowerbirdCore

// One request, one way:
//
//     memory → shared work → disk → transfer ─ previews ─▶ asker
//                                      └─ all bytes ─▶ decode → process → memory → asker

extension ImagePipeline {
    /// The path of a request that memory could not answer. Runs once for all who ask for the same picture.
    func produce(
        _ request: AcceptedRequest, _ report: @escaping @Sendable (ImageUpdate) -> Void
    ) async throws(ImageError) -> ProducedImage {
        let arriving = ArrivingImage(request.request, configuration)
        let original = try await original(for: request) { update in
            report(ImageUpdate(progress: update.progress))
            if let preview = arriving.preview(of: update) { report(ImageUpdate(preview: preview)) }
        }
        let image = try await finish(arriving, original, of: request)
        remember(image, for: request)
        return ProducedImage(image: image, origin: original.origin, byteCount: original.data.count)
    }

    /// The whole file. Everybody who wants its bytes shares one look into the data cache and one transfer.
    func original(
        for request: AcceptedRequest, _ news: (OriginalUpdate) -> Void
    ) async throws(ImageError) -> Original {
        let outcome = await originals.outcome(
            of: request.transferKey, priority: PriorityRelay(), telling: news
        ) { job in
            await ImageError.catching { () async throws(ImageError) in try await self.fetch(request, job.report) }
        }
        guard let outcome else { throw .cancelled }
        return try outcome.get()
    }

    /// Decodes and edits. A file of the data cache that cannot be decoded is forgotten, so that it is fetched anew.
    private func finish(
        _ arriving: ArrivingImage, _ original: Original, of request: AcceptedRequest
    ) async throws(ImageError) -> DecodedImage {
        let ticket = decodeSlots.takeTicket()
        guard await decodeSlots.enter(ticket, priority: PriorityRelay()) else { throw .cancelled }
        defer { decodeSlots.leave(ticket) }
        do {
            return try arriving.finish(original.data)
        } catch {
            if case .decoding = error { await forget(request) }
            throw error
        }
    }

    private func forget(_ request: AcceptedRequest) async {
        guard request.request.source.isRemote else { return }
        await configuration.dataCache?.remove(for: request.diskKey)
    }

    private func remember(_ image: DecodedImage, for request: AcceptedRequest) {
        configuration.imageCache?.store(image, for: request.imageKey, cost: image.bitmap.byteCount)
    }
}

extension ImageError {
    /// What `body` returns or throws, as a value.
    static func catching<Value>(
        _ body: () async throws(ImageError) -> Value
    ) async -> Result<Value, ImageError> {
        do { return .success(try await body()) } catch { return .failure(error) }
    }
}
