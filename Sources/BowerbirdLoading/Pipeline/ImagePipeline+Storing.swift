public import BowerbirdCore
import FoundationEssentials

// What did not come by a request, and is kept as if it had.

extension ImagePipeline {
    /// Keeps a file as if it had been loaded for `request`: in the data cache, whatever the request's policy says.
    /// Everything else of the request's source is forgotten: pictures that were made of an older file, and that it
    /// failed. Only what comes over a network has a file to be kept; for another source this only forgets.
    public func store(_ data: EncodedImage, for request: ImageRequest) async {
        let accepted = AcceptedRequest(request, configuration.options)
        await forgetOnDisk(accepted)
        if accepted.isRemote {
            let entry = entry(data, data.format, accepted)
            await configuration.dataCache?.store(entry, for: accepted.diskKey)
        }
        // After the disk: a picture of the old file may have been made of it until now.
        forget(accepted)
    }

    /// Keeps a picture as the answer to `request`, whatever the request's policy says: in memory, and on the disk,
    /// written off the caller's thread in `format`, with its frames and its colours.
    ///
    /// For a request without a size and edits it is from then on the file from which every size and edit is made, and all
    /// that was made of an older one is forgotten. For another request it is one of the finished pictures, which the disk
    /// keeps where the request's `DiskContent` says so; the file stays what it was. What comes over no network, or has to
    /// be transformed first, is kept in memory alone.
    ///
    /// - Parameters:
    ///   - locations: Where it is kept; both by default.
    ///   - format: That of the file; by default the one that `DiskContent` names, or one that suits the picture.
    /// - Throws: What the format's encoder throws; nothing is kept then.
    public func store(
        _ image: DecodedImage, for request: ImageRequest, in locations: CacheLocations = [.memory, .disk],
        as format: ImageFormat? = .automatic
    ) async throws(EncodingError) {
        let accepted = AcceptedRequest(request, configuration.options)
        if locations.contains(.disk) { try await storeOnDisk(image, accepted, format) }
        guard locations.contains(.memory) else { return }
        let kept = CachedImage(image, storedAt: configuration.now(), expiry: accepted.options.expiry)
        configuration.imageCache?.store(kept, for: accepted.imageKey)
    }

    private func storeOnDisk(
        _ image: DecodedImage, _ request: AcceptedRequest, _ format: ImageFormat?
    ) async throws(EncodingError) {
        guard request.isRemote, let cache = configuration.dataCache else { return }
        if request.isOfFile {
            await store(try await encoded(image, as: format).data, for: request.request)
        } else if let key = request.resultKey {
            let file = try await encoded(image, as: format ?? request.options.diskContent.processedFormat)
            await pendingStores.drop(source: request.source)
            await cache.store(entry(file.data, file.format, request), for: key)
        }
    }

    private func entry(_ data: EncodedImage, _ format: ImageFormat?, _ request: AcceptedRequest) -> CacheEntry {
        CacheEntry(
            data: data, url: request.request.source.url?.absoluteString ?? request.source,
            mediaType: format?.mediaType, storedAt: configuration.now(), expiry: request.options.expiry,
            tags: request.options.tags)
    }

    /// Where pictures are encoded: it takes as long as decoding, and the caller may be the main actor.
    private func encoded(_ image: DecodedImage, as format: ImageFormat?) async throws(EncodingError) -> PictureFile {
        try await withTaskExecutorPreference(WorkExecutor.decoding()) { () async throws(EncodingError) in
            try await encodedElsewhere(image, as: format)
        }
    }

    @concurrent
    private func encodedElsewhere(
        _ image: DecodedImage, as format: ImageFormat?
    ) async throws(EncodingError) -> PictureFile {
        try configuration.codecs.file(of: image, as: format)
    }
}

extension AcceptedRequest {
    /// Whether its picture is all that the file has.
    fileprivate var isOfFile: Bool { !isChanged && !request.firstFrameOnly && options.transform == nil }
}
