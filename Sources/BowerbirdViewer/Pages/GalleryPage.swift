import Bowerbird
import BowerbirdGTK
import GTKBridge

/// A grid of thumbnails; a click opens one large, fitted to the window.
final class GalleryPage: ViewerPage {
    let kind = ViewerOptions.PageKind.gallery
    let title = "Gallery"
    let log: LoadLog
    let requests: [ImageRequest]
    private let pipeline: ImagePipeline
    private let stack = Stack()
    private let largeView: LargeView
    private var grid: GridView<ThumbnailCell>?
    /// The pictures that have a cell.
    private var bound: Set<Int> = []

    init(_ sources: [ImageSource], _ pipeline: ImagePipeline) {
        log = LoadLog(sources)
        requests = sources.map { ImageRequest($0, targetSize: ThumbnailCell.decodedSize, scaleMode: .fill) }
        self.pipeline = pipeline
        largeView = LargeView(pipeline)
        stack.setCrossfade(milliseconds: 150)
        largeView.onClick = { [weak self] in _ = self?.goBack() }
    }

    var widget: Widget { stack }

    func start() {
        let grid = GridView<ThumbnailCell>(
            count: requests.count, columns: 2...7,
            makeCell: { [pipeline] in ThumbnailCell(pipeline) },
            bind: { [weak self] cell, index in self?.bind(cell, index) },
            unbind: { [weak self] cell, index in
                self?.bound.remove(index)
                cell.clear()
            },
            activate: { [weak self] index in self?.open(index) })
        self.grid = grid
        let scroller = ScrolledWindow(child: grid)
        scroller.scrollsHorizontally = false
        stack.add(scroller, name: "grid")
        stack.add(largeView, name: "large")
    }

    private func bind(_ cell: ThumbnailCell, _ index: Int) {
        bound.insert(index)
        cell.show(requests[index], named: log.entries[index].name) { [weak self] event in
            switch event {
            case .preview: self?.log.notePreview(of: index)
            case .finished(let outcome): self?.log.note(outcome, of: index)
            }
        }
    }

    /// The grid loads what is in view and a little more; the rest is loaded here.
    func loadAll() async {
        let rest = requests.indices.filter { log.entries[$0].outcome == nil && !bound.contains($0) }
        for (index, task) in rest.map({ ($0, pipeline.task(for: requests[$0])) }) {
            log.note(await task.outcome, of: index)
        }
        await log.waitForAll()
    }

    /// The thumbnail is shown until the large picture is there.
    func open(_ index: Int) {
        stack.visibleName = "large"
        largeView.show(requests[index].source, under: pipeline.cachedImage(for: requests[index]))
    }

    var isShowingLarge: Bool { stack.visibleName == "large" }

    func goBack() -> Bool {
        guard isShowingLarge else { return false }
        stack.visibleName = "grid"
        largeView.clear()
        return true
    }

    func perform(for camera: Camera) async throws {
        try await camera.take(stack, "placeholders")
        let rest = Task { await loadAll() }
        await log.wait { $0.previewCount > 0 || $0.isComplete }
        try await camera.take(stack, "the first previews")
        let half = requests.count / 2
        await log.wait { $0.finishedCount >= half }
        try await camera.take(stack, "half of them are there")
        await rest.value
        try await camera.take(stack, "all \(log.arrivedCount), \(log.origins)")
        guard let index = log.entries.firstIndex(where: { $0.arrived != nil }) else { return }
        open(index)
        await largeView.waitUntilShown()
        try await camera.take(stack, "one of them large, from \(largeView.origin)")
        _ = goBack()
    }
}

extension ImageTask {
    /// The answer, or why there is none.
    fileprivate nonisolated var outcome: Result<ImageResponse, ImageError> {
        get async {
            do throws(ImageError) { return .success(try await response) } catch { return .failure(error) }
        }
    }
}

extension LoadLog {
    /// Where the pictures came from: “19 from network”.
    var origins: String {
        Dictionary(grouping: entries.compactMap(\.arrived?.origin)) { $0 }
            .map { "\($0.value.count) from \($0.key.rawValue)" }.sorted().joined(separator: ", ")
    }
}
