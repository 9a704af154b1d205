/// Sees what a pipeline does: for logs, figures and tests.
public protocol PipelineObserver: Sendable {
    /// Called on whichever thread does the work, and holds it up: return at once.
    func receive(_ event: PipelineEvent)
}

/// Something that happened in a pipeline. `address` says of which file or URL, as messages call it.
public enum PipelineEvent: Sendable {
    /// Somebody asked for a picture; the task has this identity. Calls of `ImagePipeline.data(for:progress:)` have no
    /// task: of those only the stages are told.
    case asked(ImageTask.ID, address: String)
    /// The memory was asked before any work, and had the picture or had it not.
    case memoryLookup(isHit: Bool, address: String)
    /// A stage began, once for all who wait for it.
    case began(PipelineStage, address: String)
    /// A stage ended, so long after it began; without an error where it did what it should.
    case ended(PipelineStage, address: String, duration: Duration, error: ImageError?)
    /// The disk was asked and had the file, of so many bytes, or had it not (nil). Where it has the finished picture, the
    /// file is not asked for.
    case diskLookup(byteCount: Int?, address: String)
    /// What the disk had, of so many bytes, was no picture or a damaged one. It was dropped, where the request may write,
    /// and the picture is made anew, without a word to whoever waits for it.
    case damagedEntry(byteCount: Int, address: String)
    /// A transfer ended, well or not.
    case transferred(TransferMetrics, address: String)
    /// An address without encryption is loaded, the first of its host. See `PlainHTTPPolicy.warn`.
    case plainHTTP(host: String)
    /// A task ended; told before whoever waits for it hears of it.
    case answered(ImageTask.ID, address: String, Result<ImageResponse, ImageError>)
}

/// A part of the way of a request.
public enum PipelineStage: String, Hashable, Sendable, CaseIterable {
    /// Looking for the original bytes on the disk, or for the finished picture; the wait for a place included.
    case disk
    /// Loading them from a server: the wait for a place included, and every try.
    case transfer
    /// Decoding; the wait for a place included, as in the next.
    case decode
    /// One processor.
    case process
    /// Encoding a finished picture for the disk, behind its answer.
    case encode
}
