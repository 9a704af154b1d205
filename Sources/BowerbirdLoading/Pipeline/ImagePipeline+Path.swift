import BowerbirdCore

// One request, one way:
//
//     memory → shared work → memory → finished on disk → original on disk → transfer ─ previews ─▶ asker
//                                                          └─ all bytes ─▶ decode → process → keep → asker
//                                                                                              └─▶ encode → disk

extension ImagePipeline {
    /// The path of a request that memory could not answer. Runs once for all who ask for the same picture.
    func produce(_ request: AcceptedRequest, _ job: ImageJob) async throws(ImageError) -> ProducedImage {
        if request.policy.network != .always, let finished = await finished(request, job) { return finished }
        let produced =
            if let input = request.withoutLastProcessor {
                try await process(input, for: request, job)
            } else {
                try await decode(request, job)
            }
        return await keep(produced, of: request, job)
    }

    /// Memory is asked again: since the asker looked there, another job may have made this very picture.
    private func finished(_ request: AcceptedRequest, _ job: ImageJob) async -> ProducedImage? {
        if let known = remembered(request) { return known }
        return await finishedOnDisk(request, job)
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
        let damaged: EncodedImage
        do throws(UndecodableOriginal) { return try await decodeOriginal(request, job) } catch {
            guard let kept = await keptFileToReplace(after: error, request) else { throw error.error }
            damaged = kept
        }
        do throws(UndecodableOriginal) {
            return try await decodeOriginal(request, job, insteadOf: damaged)
        } catch {
            throw error.error
        }
    }

    private func decodeOriginal(
        _ request: AcceptedRequest, _ job: ImageJob, insteadOf damaged: EncodedImage? = nil
    ) async throws(UndecodableOriginal) -> ProducedImage {
        var file: Original?
        do throws(ImageError) {
            let arriving = ArrivingImage(request, configuration, known: known(request))
            let original = try await original(for: request, job.priority, insteadOf: damaged) { update in
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

    /// The damaged file that the disk had, where the source may have a good one. What came over the network and was kept
    /// is forgotten, and asked for again when its time has come.
    private func keptFileToReplace(
        after failure: UndecodableOriginal, _ request: AcceptedRequest
    ) async -> EncodedImage? {
        guard let original = failure.original, failure.error.isFaultOfFile, request.isRemote else { return nil }
        if original.origin == .disk { return original.data }
        // What begins like no picture was not kept: what the disk has is another file.
        if request.policy.disk.writes, isWorthKeeping(original.data, request) {
            await configuration.dataCache?.remove(for: request.diskKey)
        }
        note(failure.error, of: request)
        return nil
    }

    /// The whole file. Everybody who wants its bytes shares one look into the data cache and one transfer. `damaged` is
    /// what the disk has given for them before.
    func original(
        for request: AcceptedRequest, _ priority: PriorityRelay, insteadOf damaged: EncodedImage? = nil,
        _ news: (OriginalUpdate) -> Void
    ) async throws(ImageError) -> Original {
        let key = damaged == nil ? request.originalKey : CacheKey("anew " + request.originalKey.text)
        let outcome = await originals.outcome(of: key, priority: priority, telling: news) { job in
            await ImageError.catching { () async throws(ImageError) in
                try await self.fetch(request, job, insteadOf: damaged)
            }
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
