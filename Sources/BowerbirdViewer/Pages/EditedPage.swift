import Bowerbird
import BowerbirdGTK
import GTKBridge

/// A large photograph on a slow connection, with rounded corners, a border and a tint: every preview is already edited.
final class EditedPage: ViewerPage {
    let kind = ViewerOptions.PageKind.edited
    let title = "Edited while it arrives"
    let log: LoadLog
    let requests: [ImageRequest]
    private let box = Box(.vertical, spacing: 10)
    private let image: ImageView
    private let label = Label("waiting for the first bytes")

    init(_ source: ImageSource, _ pipeline: ImagePipeline) {
        log = LoadLog([source])
        requests = [ImageRequest(source, processors: Self.edits, targetSize: Self.size)]
        image = ImageView(pipeline: pipeline)
        image.indicator = .bar
        image.setSizeRequest(width: Self.size.width, height: Self.size.height)
        image.expandsVertically = true
        label.addStyleClass("caption")
        box.addStyleClass("page")
        box.append(image)
        box.append(label)
    }

    var widget: Widget { box }

    /// In pixels; the photograph is decoded straight to it.
    private static let size = PixelSize(width: 1040, height: 640)
    private static let edits: [any ImageProcessor] = [
        Tint(Color(red: 0xFF, green: 0x8C, blue: 0x1A, alpha: 56)),
        RoundCorners(radius: 56, border: .init(width: 10, color: Color(red: 0xF6, green: 0xE8, blue: 0xC8))),
    ]

    func start() {
        image.onChange = { [weak self] state in
            if case .loading(_, _, _?) = state { self?.log.notePreview(of: 0) }
        }
        image.setImage(
            for: requests[0],
            progress: { [weak self] in self?.label.text = $0.text },
            completion: { [weak self] in self?.finish($0) })
    }

    private func finish(_ outcome: Result<ImageResponse, ImageError>) {
        switch outcome {
        case .success(let response): label.text = "\(log.entries[0].name) — from \(response.origin.rawValue)"
        case .failure(let error): label.text = error.description
        }
        log.note(outcome, of: 0)
    }

    func perform(for camera: Camera) async throws {
        try await camera.take(box, "placeholder")
        var shown: Bitmap?
        while !log.isComplete {
            await log.wait { [weak self] log in log.isComplete || self?.isNewer(than: shown) == true }
            guard !log.isComplete else { break }
            shown = image.state.image?.bitmap
            try await camera.take(box, "edited preview, from the network")
        }
        try await camera.take(box, "final, \(log.origins)")
    }

    private func isNewer(than shown: Bitmap?) -> Bool {
        guard let current = image.state.image?.bitmap else { return false }
        return shown.map { !$0.isIdentical(to: current) } ?? true
    }
}

extension TransferProgress {
    /// “1.2 of 6.7 MB”.
    nonisolated var text: String {
        guard let total else { return "\(received.megabytes) MB" }
        return "\(received.megabytes) of \(total.megabytes) MB"
    }
}
