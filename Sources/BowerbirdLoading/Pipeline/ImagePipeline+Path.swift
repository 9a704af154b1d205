import BowerbirdCore

// One request, one way:
//
//     memory → shared work → finished on disk → original on disk → transfer ─ previews ─▶ asker
//                                                                      └─ all bytes ─▶ decode → process → keep → asker

extension ImagePipeline {
    /// The path of a request that memory could not answer. Runs once for all who ask for the same picture.
    func produce(_ request: AcceptedRequest, _ job: ImageJob) async throws(ImageError) -> ProducedImage {
        if request.policy.network != .always, let finished = await finishedOnDisk(request, job) { return finished }
        let produced =
            if let input = request.withoutLastProcessor {
                try await process(input, for: request, job)
            } else {
                try await decode(request, job)
            }
        return await keep(produced, of: request, job)
    }

    /// The picture before its last edit, which other requests may be waiting for too, and then that edit.
    private func process(
        _ input: AcceptedRequest, for request: AcceptedRequest, _ job: ImageJob
    ) async throws(ImageError) -> ProducedImage {
        guard let processor = request.request.processors.last else { return try await decode(request, job) }
        let edit = EditedImage(processor, of: request.request.source, known: known(request))
        var produced = try await picture(for: input, job) { update in job.report(edit.news(of: update)) }
        let input = produced
        produced.image = try await computed(.process, of: input.image.bitmap.byteCount, request, job) {
            () throws(ImageError) in try edit.finish(input)
        }
        return produced
    }

    /// The picture that an edit begins with: from memory, or by a job that everybody shares who wants it.
    func picture(
        for request: AcceptedRequest, _ job: ImageJob, _ news: (ImageUpdate) -> Void
    ) async throws(ImageError) -> ProducedImage {
        if request.policy.network != .always, let cached = remembered(request) { return cached }
        let outcome = await pictures.outcome(of: request.workKey, priority: job.priority, telling: news) { job in
            await ImageError.catching { () async throws(ImageError) in try await self.produceOrKeep(request, job) }
        }
        guard let outcome else { throw .cancelled }
        return try outcome.get()
    }

    /// The picture as the file has it. A kept file that is no good is forgotten, and the source asked once more.
    private func decode(_ request: AcceptedRequest, _ job: ImageJob) async throws(ImageError) -> ProducedImage {
        do throws(UndecodableOriginal) {
            return try await decodeOriginal(request, job)
        } catch {
            guard await isWorthAskingAgain(error, request) else { throw error.error }
        }
        let again = request.policy.disk.writes ? request : request.withoutDisk
        do throws(UndecodableOriginal) { return try await decodeOriginal(again, job) } catch { throw error.error }
    }

    private func decodeOriginal(
        _ request: AcceptedRequest, _ job: ImageJob
    ) async throws(UndecodableOriginal) -> ProducedImage {
        var file: Original?
        do throws(ImageError) {
            let arriving = ArrivingImage(request, configuration, known: known(request))
            let original = try await original(for: request, job.priority) { update in
                news(of: update, arriving, job)
            }
            file = original
            let image = try await computed(.decode, of: pixelByteCount(of: original.data, request), request, job) {
                () throws(ImageError) in try arriving.finish(original.data)
            }
            return ProducedImage(image, of: original)
        } catch {
            throw UndecodableOriginal(error: error, original: file)
        }
    }

    private func isWorthAskingAgain(_ failure: UndecodableOriginal, _ request: AcceptedRequest) async -> Bool {
        guard let original = failure.original, failure.error.isFaultOfFile, request.isRemote else { return false }
        // What begins like no picture was not kept: what the disk has is another file.
        if request.policy.disk.writes, original.origin == .disk || isWorthKeeping(original.data, request) {
            await configuration.dataCache?.remove(for: request.diskKey)
        }
        if original.origin == .network { note(failure.error, of: request) }
        return original.origin == .disk
    }

    /// The whole file. Everybody who wants its bytes shares one look into the data cache and one transfer.
    func original(
        for request: AcceptedRequest, _ priority: PriorityRelay, _ news: (OriginalUpdate) -> Void
    ) async throws(ImageError) -> Original {
        let outcome = await originals.outcome(of: request.originalKey, priority: priority, telling: news) { job in
            await ImageError.catching { () async throws(ImageError) in try await self.fetch(request, job) }
        }
        guard let outcome else { throw .cancelled }
        return try outcome.get()
    }
}

/// Why there is no picture, and the file; nil where there are not even bytes.
private struct UndecodableOriginal: Error {
    let error: ImageError
    let original: Original?
}
