import BowerbirdCore
import FoundationEssentials

// Finished pictures on the disk; see `DiskContent`.

extension ImagePipeline {
    /// The finished picture that the disk has, or is about to have; nil where there is none that is good.
    func finishedOnDisk(_ request: AcceptedRequest, _ job: ImageJob) async -> ProducedImage? {
        guard let key = request.resultKey, request.policy.disk.reads else { return nil }
        if let pending = pendingStores.picture(for: key), isUsable(pending.freshness, pending.storedAt, request) {
            return rememberedFromDisk(pending, request)
        }
        guard let entry = await read(key, request, job.priority),
            isUsable(entry.freshness, entry.storedAt, request)
        else { return nil }
        tell(.diskLookup(byteCount: entry.data.count, address: request.request.source.address))
        do throws(ImageError) {
            let image = try await computed(.decode, of: pixelByteCount(ofFinished: entry.data), request, job) {
                () throws(ImageError) in try decodeFinished(entry.data, request)
            }
            return rememberedFromDisk(ProducedImage(image, of: Original(entry)), request)
        } catch {
            if error.isFaultOfFile { await dropDamaged(entry, key, request) }
            return nil
        }
    }

    private func rememberedFromDisk(_ finished: ProducedImage, _ request: AcceptedRequest) -> ProducedImage {
        var finished = finished
        finished.origin = .disk
        finished.staleness = nil
        remember(finished, for: request)
        return finished.remembered(request)
    }

    /// Where the server is not asked, or is asked anyway, it may be stale.
    private func isUsable(_ freshness: Freshness?, _ storedAt: Date?, _ request: AcceptedRequest) -> Bool {
        guard request.policy.network == .whenMissing else { return mayBeShown(freshness, request) }
        return decision(on: freshness, storedAt: storedAt, request) == .use
    }

    private func pixelByteCount(ofFinished data: EncodedImage) -> Int {
        let header = data.withBytes { bytes in try? configuration.codecs.header(of: bytes) }
        return header.map { $0.size.pixelCount * 4 } ?? 0
    }

    private func decodeFinished(_ data: EncodedImage, _ request: AcceptedRequest) throws(ImageError) -> DecodedImage {
        let options = DecodingOptions(limits: request.options.limits)
        let codecs = configuration.codecs
        do throws(DecodingError) {
            let image = try data.withBytes { bytes throws(DecodingError) in try codecs.decode(bytes, options) }
            return image.withFrames(of: data, codecs, options)
        } catch {
            throw ImageError(error, request.request.source)
        }
    }

    /// Where the request says so, a finished picture is written down behind the answer, which only waits where many
    /// pictures are still to be written.
    func keepOnDisk(_ produced: ProducedImage, of request: AcceptedRequest, _ priority: PriorityRelay) async {
        guard let key = request.resultKey, request.isRemote, request.policy.disk.writes,
            isStorable(produced.freshness, request), let cache = configuration.dataCache,
            let room = await pendingStores.reserve(produced.image.bitmap.byteCount, priority: priority)
        else { return }
        let steps = PendingStores.Steps { [self] in
            await encoded(produced, of: request)
        } store: { entry in
            await cache.store(entry, for: key)
        }
        pendingStores.add(produced, for: key, room, steps)
    }

    /// Nil where its format cannot have it.
    private func encoded(_ produced: ProducedImage, of request: AcceptedRequest) async -> CacheEntry? {
        let file = try? await observed(.encode, request) { () throws(ImageError) in
            guard !Task.isCancelled else { throw .cancelled }
            return try? configuration.codecs.file(of: produced.image, as: request.options.diskContent.processedFormat)
        }
        guard let file = file ?? nil else { return nil }
        return CacheEntry(
            data: file.data, url: request.source, mediaType: file.format.mediaType,
            storedAt: produced.storedAt ?? configuration.now(), freshness: produced.freshness,
            expiry: request.options.expiry ?? produced.expiry, tags: produced.tags.union(request.options.tags))
    }
}
