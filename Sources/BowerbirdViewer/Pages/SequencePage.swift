import Bowerbird
import BowerbirdGTK
import GTKBridge

/// Pictures downloaded strictly one after the other: one picture, one progress bar, the number of it. A failure is
/// told and skipped.
final class SequencePage: ViewerPage {
    let kind = ViewerOptions.PageKind.sequence
    let title = "In order"
    let log: LoadLog
    let requests: [ImageRequest]
    private let box = Box(.vertical, spacing: 10)
    private let image: ImageView
    private let heading = Label()
    private let bar = ProgressBar()
    private let list = Label()
    private var lines: [String] = []

    init(_ sources: [ImageSource], _ pipeline: ImagePipeline) {
        log = LoadLog(sources, needsOnlyOne: true)
        requests = sources.map { ImageRequest($0, targetSize: Self.size) }
        image = ImageView(pipeline: pipeline)
        image.indicator = .none
        image.expandsVertically = true
        image.expandsHorizontally = true
        heading.addStyleClass("heading")
        list.addStyleClass("caption")
        list.horizontalPosition = 0
        box.addStyleClass("page")
        for widget in [heading, image, bar, list] as [Widget] { box.append(widget) }
    }

    var widget: Widget { box }

    /// In pixels.
    private static let size = PixelSize(width: 1040, height: 520)

    func start() { load(0) }

    private func load(_ index: Int) {
        guard requests.indices.contains(index) else { return finish() }
        heading.text = "\(index + 1) of \(requests.count)   \(log.entries[index].name)"
        bar.fraction = 0
        image.setImage(
            for: requests[index], placeholder: .previousImage,
            progress: { [weak self] in self?.bar.fraction = $0.fraction ?? 0 },
            completion: { [weak self] outcome in self?.advance(from: index, outcome) })
    }

    private func advance(from index: Int, _ outcome: Result<ImageResponse, ImageError>) {
        let mark =
            switch outcome {
            case .success(let response): "✓ from \(response.origin.rawValue)"
            case .failure(.loading(let error, _)): "✗ skipped: \(error)"
            case .failure(let error): "✗ skipped: \(error)"
            }
        lines.append("\(index + 1)  \(log.entries[index].name)   \(mark)")
        list.text = lines.joined(separator: "\n")
        bar.fraction = 1
        log.note(outcome, of: index)
        load(index + 1)
    }

    private func finish() {
        heading.text = "\(log.arrivedCount) of \(requests.count) arrived"
    }

    func perform(for camera: Camera) async throws {
        try await camera.take(box, "before the first")
        let marks = [2, requests.count / 2, requests.count - 1].filter { $0 > 0 }
        for count in Set(marks).sorted() {
            await log.wait { $0.finishedCount >= count }
            try await camera.take(box, "\(log.finishedCount) of \(requests.count) done, \(log.origins)")
        }
        await log.waitForAll()
        try await camera.take(box, "\(log.arrivedCount) arrived, \(requests.count - log.arrivedCount) skipped")
    }
}
