import BowerbirdCore

extension ImagePipeline {
    /// Work that computes: so much of it at once as there are cores, and so many bytes of pixels as the budget has.
    func computed<Value>(
        _ stage: PipelineStage, of byteCount: Int, _ request: AcceptedRequest, _ job: ImageJob,
        _ work: () throws(ImageError) -> Value
    ) async throws(ImageError) -> Value {
        try await observed(stage, request) { () async throws(ImageError) in
            let place = decodeSlots.takeTicket()
            guard await decodeSlots.enter(place, priority: job.priority) else { throw .cancelled }
            defer { decodeSlots.leave(place) }
            let budget = configuration.memoryBudget
            guard let share = await budget.enter(byteCount: byteCount, priority: job.priority) else { throw .cancelled }
            defer { budget.leave(share) }
            return try work()
        }
    }

    /// Tells what is known of a picture that is on its way.
    func news(of update: OriginalUpdate, _ arriving: ArrivingImage, _ job: ImageJob) {
        if let kept = update.kept, let image = arriving.picture(of: kept) { job.report(ImageUpdate(cached: image)) }
        guard let arrived = update.arrived else { return }
        job.report(ImageUpdate(progress: arrived.progress))
        if let preview = preview(of: arrived, arriving) { job.report(ImageUpdate(preview: preview)) }
    }

    /// Made where a place is free, and else left out: the next one is better anyway.
    private func preview(of arrived: ArrivedBytes, _ arriving: ArrivingImage) -> DecodedImage? {
        let place = decodeSlots.takeTicket()
        guard decodeSlots.enterAtOnce(place) else { return nil }
        defer { decodeSlots.leave(place) }
        return arriving.preview(of: arrived)
    }

    /// What the pixels of a file will take, by its header. One that cannot be read costs nothing: it will fail.
    func pixelByteCount(of data: EncodedImage, _ request: AcceptedRequest) -> Int {
        let header = data.withBytes { bytes in try? configuration.codecs.header(of: bytes) }
        guard let header else { return 0 }
        return request.decodingOptions.outputSize(of: header.size).pixelCount * 4
    }
}
