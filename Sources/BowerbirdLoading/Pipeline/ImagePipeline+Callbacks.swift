public import FoundationEssentials

extension ImagePipeline {
    /// Loads a picture for those who do not `await`: both closures are called on the main actor, `completion` exactly
    /// once, with `.failure(.cancelled)` after `cancel()`, and never before this returns.
    @discardableResult
    public func loadImage(
        with request: ImageRequest, progress: (@MainActor (TransferProgress) -> Void)? = nil,
        completion: @escaping @MainActor (Result<ImageResponse, ImageError>) -> Void
    ) -> ImageTask {
        let task = task(for: request)
        deliver(task.events, progress, completion)
        return task
    }

    /// The same for an address that may be missing: nil and `completion` gets `.invalidURL`.
    @discardableResult
    public func loadImage(
        from url: URL?, progress: (@MainActor (TransferProgress) -> Void)? = nil,
        completion: @escaping @MainActor (Result<ImageResponse, ImageError>) -> Void
    ) -> ImageTask? {
        guard let url else {
            Task { @MainActor in completion(.failure(.invalidURL(""))) }
            return nil
        }
        return loadImage(with: ImageRequest(url: url), progress: progress, completion: completion)
    }

    /// The task ends with the image task, which the caller can cancel.
    private func deliver(
        _ events: ImageEvents, _ progress: (@MainActor (TransferProgress) -> Void)?,
        _ completion: @escaping @MainActor (Result<ImageResponse, ImageError>) -> Void
    ) {
        Task { @MainActor in
            for await event in events {
                switch event {
                case .progress(let news): progress?(news)
                case .preview, .cached: break
                case .finished(let outcome): completion(outcome)
                }
            }
        }
    }
}
