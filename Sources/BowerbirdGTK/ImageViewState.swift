public import Bowerbird

/// What a view shows, and what it waits for. A value: everything that can happen to a view is a function here.
public nonisolated enum ImageViewState: Sendable {
    /// Nothing, and nothing is on its way.
    case empty
    /// The picture is on its way; so much of it has come, and this is the newest preview.
    case loading(ImageTask, progress: TransferProgress?, preview: DecodedImage?)
    /// The final picture.
    case shown(DecodedImage)
    /// The load ended without a picture. A preview or a placeholder picture stays on the screen.
    case failed(ImageError)
}

nonisolated extension ImageViewState {
    /// The picture on the screen, be it final or a preview.
    public var image: DecodedImage? {
        switch self {
        case .shown(let image): image
        case .loading(_, _, let preview): preview
        case .empty, .failed: nil
        }
    }

    /// The load under way.
    public var task: ImageTask? {
        guard case .loading(let task, _, _) = self else { return nil }
        return task
    }

    /// Whether nothing better is to come that a placeholder would stand for.
    var isComplete: Bool {
        switch self {
        case .empty, .shown: true
        case .loading, .failed: false
        }
    }

    /// Takes an event of `task` in. False, and nothing changes, where the view has gone on to something else since: a
    /// late answer never replaces what is newer.
    mutating func receive(_ event: ImageEvent, of task: ImageTask) -> Bool {
        guard case .loading(let current, let progress, let preview) = self, current === task else { return false }
        switch event {
        case .progress(let progress): self = .loading(task, progress: progress, preview: preview)
        case .preview(let preview), .cached(let preview): self = .loading(task, progress: progress, preview: preview)
        case .finished(let outcome): self = ImageViewState(outcome)
        }
        return true
    }

    /// How a view is left by a load that ended.
    init(_ outcome: Result<ImageResponse, ImageError>) {
        switch outcome {
        case .success(let response): self = .shown(response.image)
        case .failure(.cancelled): self = .empty
        case .failure(let error): self = .failed(error)
        }
    }
}
