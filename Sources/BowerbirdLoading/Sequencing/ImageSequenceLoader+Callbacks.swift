import BowerbirdCore

extension ImageSequenceLoader {
    /// Loads pictures one after the other for those who do not `await`. All closures are called on the main actor, and
    /// not before this returns.
    ///
    /// When nobody holds `owner` any more, or the task that is returned is cancelled, nothing more is called, neither
    /// for a success nor for a failure, and no further picture is begun. `onLeave` says what becomes of the one under
    /// way; that the owner is gone is seen when the next news comes.
    ///
    /// - Parameters:
    ///   - owner: Held weakly. What the closures capture is theirs: let them capture it weakly too.
    ///   - progress: How much of the picture with this index has arrived.
    ///   - image: The picture with this index, or why there is none; each once, in order.
    ///   - completion: Called once at the end: with all pictures that came, in order, or `.allFailed` where there was
    ///     something to load and nothing came.
    @MainActor
    @discardableResult
    public func load(
        _ requests: [ImageRequest], startingAt start: Int = 0, for owner: some AnyObject,
        progress: (@MainActor (Int, TransferProgress) -> Void)? = nil,
        image: (@MainActor (Int, Result<ImageResponse, ImageError>) -> Void)? = nil,
        completion: @escaping @MainActor (Result<[ImageResponse], ImageError>) -> Void
    ) -> Task<Void, Never> {
        let images = images(for: requests, startingAt: start)
        // Ends with the last picture, or with the first news after its owner has gone. The caller can cancel it.
        return Task { [weak owner] in
            var collected = CollectedImages()
            for await step in images {
                guard owner != nil, !Task.isCancelled else { return }
                collected.add(step)
                switch step {
                case .progress(let index, let news): progress?(index, news)
                case .loaded(let index, let response): image?(index, .success(response))
                case .failed(let index, let error): image?(index, .failure(error))
                }
            }
            guard owner != nil, !Task.isCancelled else { return }
            completion(collected.result)
        }
    }
}
