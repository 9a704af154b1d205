public import Bowerbird
public import GTKBridge

/// A widget that shows a picture, and loads it from a URL when it is told to.
///
///     let view = ImageView()
///     view.setImage(from: url, placeholder: .color(.black))
///
/// It takes the room that its size request and its parent give it; pictures are drawn into that, in the fast way for the
/// renderer in use. All of it belongs to the main actor, which must run on GTK's loop: see `MainContextBridge`.
@MainActor  // the default, but when inferred it is lost in other modules (Swift 6.3), and isolated deinit fails
public final class ImageView: Canvas {
    /// Who loads for this view.
    public let pipeline: ImagePipeline
    /// How pictures meet the room of the view; `.fit` by default.
    public var contentMode = ContentMode.fit { didSet { queueDraw() } }
    /// What is drawn over the picture while it loads; `.ring` by default.
    public var indicator = LoadingIndicator.ring { didSet { queueDraw() } }
    /// How long a final picture takes to replace what was there before; 0 shows it at once. The default is 200 ms. A
    /// picture from memory never fades in.
    public var transitionDuration: Duration = .milliseconds(200)
    /// Called after each change of `state`.
    public var onChange: (@MainActor (ImageViewState) -> Void)?
    /// Called when a final picture has wholly replaced what was there before, if that took any time.
    public var onFaded: (@MainActor () -> Void)? {
        get { layers.onFaded }
        set { layers.onFaded = newValue }
    }
    /// Whether a final picture is replacing what was there before.
    public var isFading: Bool { layers.isFading }

    /// What the view shows and waits for.
    public private(set) var state = ImageViewState.empty
    /// The load of which somebody is still to be told; nil once it was left.
    private var current: ImageTask?
    private var listener: Task<Void, Never>?
    private(set) lazy var layers = ImageLayers(of: self)

    /// An empty view. Views that share a pipeline share its caches, transfers and limits.
    public init(pipeline: ImagePipeline = .shared) {
        self.pipeline = pipeline
        super.init()
    }

    isolated deinit {
        leave()
    }

    /// Shows a picture that is already here, in place of everything else.
    public func setImage(_ image: DecodedImage) {
        leave()
        change(to: .shown(image), animated: false)
    }

    /// Loads and shows a picture. What was loading before is left, and never shown.
    ///
    /// - Parameters:
    ///   - placeholder: Shown until there is something better.
    ///   - progress: Told how much of the file has come.
    ///   - completion: Told once how it ended; never after the load was left, by `cancelLoad()`, by another request, or
    ///     because the view was taken out of its window or destroyed; nor when its task was cancelled.
    public func setImage(
        for request: ImageRequest, placeholder: Placeholder = .none,
        progress: (@MainActor (TransferProgress) -> Void)?,
        completion: (@MainActor (Result<ImageResponse, ImageError>) -> Void)? = nil
    ) {
        leave()
        layers.begin(with: placeholder)
        let task = pipeline.task(for: request)
        let status = task.status
        current = task
        if case .running = status { listen(to: task, progress, completion) }
        change(to: .loading(task, progress: nil, preview: nil), animated: false)
        if case .finished(let outcome) = status {
            deliver(.finished(outcome), of: task, progress, completion)
        }
    }

    /// The same, for who does not want to know of progress.
    public func setImage(
        for request: ImageRequest, placeholder: Placeholder = .none,
        completion: (@MainActor (Result<ImageResponse, ImageError>) -> Void)? = nil
    ) {
        setImage(for: request, placeholder: placeholder, progress: nil, completion: completion)
    }

    /// Stops loading. The picture that is shown stays, be it a preview or the one from before; a placeholder goes.
    public func cancelLoad() {
        guard state.task != nil else { return }
        let shown = state.image ?? layers.picture
        leave()
        change(to: shown.map(ImageViewState.shown) ?? .empty, animated: false)
    }

    /// Stops loading and shows nothing.
    public func clear() {
        leave()
        change(to: .empty, animated: false)
    }

    /// A view without a window has nobody to show anything to.
    override public func didLeaveWindow() {
        cancelLoad()
    }

    /// Nobody sees the fade, and its frames do not come any more.
    override public func didUnmap() {
        layers.endFade()
    }

    // MARK: Loading

    private func listen(
        to task: ImageTask, _ progress: (@MainActor (TransferProgress) -> Void)?,
        _ completion: (@MainActor (Result<ImageResponse, ImageError>) -> Void)?
    ) {
        let events = task.events
        // Owned by the view, which cancels it when it leaves the load.
        listener = Task { [weak self] in
            for await event in events {
                guard let self else { return }
                self.deliver(event, of: task, progress, completion)
            }
        }
    }

    /// Takes the event in and tells of it. Both may be cut short: `onChange` may leave the load.
    private func deliver(
        _ event: ImageEvent, of task: ImageTask,
        _ progress: (@MainActor (TransferProgress) -> Void)?,
        _ completion: (@MainActor (Result<ImageResponse, ImageError>) -> Void)?
    ) {
        guard current === task else { return }
        receive(event, of: task)
        guard current === task else { return }
        switch event {
        case .progress(let news): progress?(news)
        case .preview, .cached, .finished(.failure(.cancelled)): break
        case .finished(let outcome): completion?(outcome)
        }
    }

    private func receive(_ event: ImageEvent, of task: ImageTask) {
        var next = state
        if next.receive(event, of: task) { change(to: next, animated: !event.isFromMemory) }
    }

    private func leave() {
        current?.cancel()
        current = nil
        listener?.cancel()
        listener = nil
    }

    // MARK: Showing

    private func change(to next: ImageViewState, animated: Bool) {
        state = next
        switch next {
        case .empty: layers.clear()
        case .loading(let task, _, let preview?): layers.show(preview, over: .zero, size: task.finalSize(of: preview))
        case .shown(let image): layers.show(image, over: animated ? transitionDuration : .zero)
        case .failed: layers.endFade()
        case .loading: break
        }
        queueDraw()
        onChange?(next)
    }

    override public func draw(_ snapshot: Snapshot, width: Int, height: Int) {
        let room = Rectangle(x: 0, y: 0, width: Double(width), height: Double(height))
        snapshot.pushClip(room)
        layers.draw(on: snapshot, in: room, isComplete: state.isComplete) { place($0, in: room) }
        if case .loading(_, let progress, let preview) = state {
            indicator.draw(progress, hasPreview: preview != nil, on: snapshot, width: room.width, height: room.height)
        }
        snapshot.pop()
    }

    private func place(_ artist: ImageArtist, in room: Rectangle) -> Rectangle {
        contentMode.rectangle(
            for: artist.size, width: room.width, height: room.height, scale: Double(scaleFactor),
            isPlaceholder: artist.isPlaceholder)
    }
}

extension ImageTask {
    /// The size that the picture will have of which this is a preview: that of a camera's small picture is another.
    fileprivate nonisolated func finalSize(of preview: DecodedImage) -> PixelSize? {
        guard request.processors.isEmpty else { return nil }
        let options = DecodingOptions(
            targetSize: request.targetSize, scaleMode: request.scaleMode, allowsUpscaling: request.allowsUpscaling)
        return options.outputSize(of: preview.header.size)
    }
}

extension ImageEvent {
    fileprivate nonisolated var isFromMemory: Bool {
        guard case .finished(.success(let response)) = self else { return false }
        return response.origin == .memory
    }
}
