/// Loads pictures strictly one after the other: the next begins when the one before has ended, well or not.
///
///     for await step in ImageSequenceLoader(pipeline: .shared).images(for: requests) {
///         switch step {
///         case .progress(let index, let progress): …
///         case .loaded(let index, let response): …
///         case .failed(let index, let error): …
///         }
///     }
///
/// Whoever wants no caches gives the requests `CachePolicy.networkOnly`. Under `.refreshCached` a file that has not
/// changed is a picture like any other, and no failure.
public struct ImageSequenceLoader: Sendable {
    /// What happens to the picture under way when nobody listens any more. The next ones are never begun.
    public enum OnLeave: String, Hashable, Sendable {
        /// It is loaded to its end, into the caches, and nobody hears of it.
        case finishCurrent
        /// It is cancelled.
        case cancelCurrent
    }

    /// Through which the pictures come.
    public let pipeline: ImagePipeline
    /// `.finishCurrent` by default.
    public let onLeave: OnLeave

    /// `onLeave` is settled here for all sequences.
    public init(pipeline: ImagePipeline, onLeave: OnLeave = .finishCurrent) {
        self.pipeline = pipeline
        self.onLeave = onLeave
    }

    /// The pictures from `start` on; one before the list is its beginning, one behind it gives none, and so does an empty
    /// list. Each iteration loads anew. It ends when the iterating task is cancelled, or lets go of the iterator.
    public func images(for requests: [ImageRequest], startingAt start: Int = 0) -> ImageSequence {
        ImageSequence(requests: requests, start: start, pipeline: pipeline, onLeave: onLeave)
    }

    /// All pictures that could be loaded, in the order of `requests`. Throws `.allFailed` when there was something to
    /// load and nothing came, and `.cancelled` when the task is cancelled. `news` hears of each step.
    public func collect(
        _ requests: [ImageRequest], startingAt start: Int = 0, news: (ImageSequence.Step) -> Void = { _ in }
    ) async throws(ImageError) -> [ImageResponse] {
        var collected = CollectedImages()
        for await step in images(for: requests, startingAt: start) {
            news(step)
            collected.add(step)
        }
        guard !Task.isCancelled else { throw .cancelled }
        return try collected.result.get()
    }
}
