public import BowerbirdCore

/// What happens to a task. Any number of the first three, then exactly one `.finished`.
public enum ImageEvent: Sendable {
    /// More of the file has arrived. A slow reader sees only the newest.
    case progress(TransferProgress)
    /// The picture as far as it has arrived, in its final size and edited like the final one. A slow reader sees only
    /// the newest.
    case preview(DecodedImage)
    /// The whole picture as the caches have it, while the server is asked whether it is still right: under
    /// `CachePolicy.refreshCached`. The end brings the new one, or this one again.
    case cached(DecodedImage)
    /// The end: a picture, or why there is none. `.cancelled` where somebody called `cancel()`.
    case finished(Result<ImageResponse, ImageError>)
}

/// What a job reports while it runs.
struct ImageUpdate: Mergeable {
    var progress: TransferProgress?
    var preview: DecodedImage?
    var cached: DecodedImage?

    mutating func merge(newer: ImageUpdate) {
        progress = newer.progress ?? progress
        preview = newer.preview ?? preview
        cached = newer.cached ?? cached
    }

    /// The events it stands for, in order.
    var events: [ImageEvent] {
        [cached.map(ImageEvent.cached), progress.map(ImageEvent.progress), preview.map(ImageEvent.preview)]
            .compactMap(\.self)
    }
}
