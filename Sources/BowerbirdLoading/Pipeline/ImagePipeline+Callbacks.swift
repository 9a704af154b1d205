public import FoundationEssentials

extension ImagePipeline {
    /// Loads a picture for those who do not `await`: both closures are called on the main actor, and, for a caller there,
    /// never before this returns. `completion` is called exactly once: with `.failure(.cancelled)` when it has not been
    /// called before `cancel()`, even where the picture has come by then. There is no progress after `cancel()`.
    @discardableResult
    public func loadImage(
        with request: ImageRequest, progress: (@MainActor (TransferProgress) -> Void)? = nil,
        completion: @escaping @MainActor (Result<ImageResponse, ImageError>) -> Void
    ) -> ImageTask {
        let task = task(for: request)
        deliver(task, progress, completion)
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
        _ task: ImageTask, _ progress: (@MainActor (TransferProgress) -> Void)?,
        _ completion: @escaping @MainActor (Result<ImageResponse, ImageError>) -> Void
    ) {
        Task { @MainActor in
            for await event in task.events {
                switch event {
                case .progress(let news): if !task.isLeft { progress?(news) }
                case .preview, .cached: break
                case .finished(let outcome): completion(task.isLeft ? .failure(.cancelled) : outcome)
                }
            }
        }
    }
}
