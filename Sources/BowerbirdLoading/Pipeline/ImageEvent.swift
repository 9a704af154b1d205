public import BowerbirdCore

/// What happens to a task. Any number of the first two, then exactly one `.finished`.
public enum ImageEvent: Sendable {
    /// More of the file has arrived. A slow reader sees only the newest.
    case progress(TransferProgress)
    /// The picture as far as it has arrived, in its final size and edited like the final one. A slow reader sees only
    /// the newest.
    case preview(DecodedImage)
    /// The end: a picture, or why there is none. `.cancelled` where somebody called `cancel()`.
    case finished(Result<ImageResponse, ImageError>)
}

/// What a job reports while it runs.
struct ImageUpdate: Mergeable {
    var progress: TransferProgress?
    var preview: DecodedImage?

    mutating func merge(newer: ImageUpdate) {
        progress = newer.progress ?? progress
        preview = newer.preview ?? preview
    }

    /// The events it stands for, in order.
    var events: [ImageEvent] {
        [progress.map(ImageEvent.progress), preview.map(ImageEvent.preview)].compactMap { $0 }
    }
}
