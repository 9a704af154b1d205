import Bowerbird
import BowerbirdGTK
import GTKBridge

/// One picture as large as the window allows.
final class LargeView: GTKBridge.Overlay {
    var onClick: (@MainActor () -> Void)?
    /// Where the picture came from.
    private(set) var origin = "nowhere"
    private let image: ImageView
    private let label = Label()
    private var waiters: [CheckedContinuation<Void, Never>] = []

    init(_ pipeline: ImagePipeline) {
        image = ImageView(pipeline: pipeline)
        super.init(child: image)
        image.indicator = .bar
        image.expandsHorizontally = true
        image.expandsVertically = true
        label.verticalAlignment = .end
        label.setMargins(12)
        label.addStyleClass("caption")
        addOverlay(label)
        image.onFaded = { [weak self] in self?.tellWaiters() }
        image.addController(ClickGesture(onReleased: { [weak self] _ in self?.onClick?() }))
    }

    /// Loads the picture in the size of the window; `thumbnail` is shown until it is there.
    func show(_ source: ImageSource, under thumbnail: DecodedImage?) {
        label.text = source.address
        let request = ImageRequest(source, targetSize: image.pixelSize ?? Self.usualSize)
        image.setImage(for: request, placeholder: thumbnail.map(Placeholder.image) ?? .none) { [weak self] outcome in
            self?.finish(outcome)
        }
    }

    /// Whoever waits for the picture waits no longer.
    func clear() {
        image.clear()
        tellWaiters()
    }

    /// Waits until the picture is there and has replaced the thumbnail.
    func waitUntilShown() async {
        guard image.state.task != nil || image.isFading else { return }
        await withCheckedContinuation { waiters.append($0) }
    }

    /// Before the view was given a size for the first time.
    private static let usualSize = PixelSize(width: 1180, height: 780)

    private func finish(_ outcome: Result<ImageResponse, ImageError>) {
        switch outcome {
        case .success(let response): origin = response.origin.rawValue
        case .failure(let error): label.text = error.description
        }
        if !image.isFading { tellWaiters() }
    }

    private func tellWaiters() {
        for waiter in waiters { waiter.resume() }
        waiters = []
    }
}
