import Bowerbird
import BowerbirdGTK
import GTKBridge
import Glibc

/// The program: one window, its pages, and what the command line wants done with them.
final class Viewer {
    private let options: ViewerOptions
    private let application: Application
    private let dataCache: DiskCache
    private let pipeline: ImagePipeline
    let window = Window(title: "Bowerbird", width: 1180, height: 780)
    private let stack = Stack()
    private(set) var pages: [any ViewerPage] = []
    private var script: Task<Void, Never>?
    /// What the process ends with.
    private(set) var status: Int32 = 0

    init(_ options: ViewerOptions, _ application: Application) {
        self.options = options
        self.application = application
        dataCache = Self.makeDataCache(options.cacheFolder)
        pipeline = ImagePipeline(.standard(dataCache: dataCache))
    }

    func start() {
        StyleSheet.install(Style.sheet)
        CallbackMeter.start()
        pages = options.pages.map(makePage)
        fillWindow()
        window.present()
        for page in pages { page.start() }
        // Ends with the window, whose closing ends the program.
        script = Task { await follow() }
    }

    private func fillWindow() {
        for page in pages { stack.add(page.widget, name: page.kind.rawValue, title: page.title) }
        if pages.count > 1 {
            let header = HeaderBar()
            header.titleWidget = StackSwitcher(for: stack)
            window.setTitleBar(header)
        }
        window.child = stack
        window.onKeyPressed { [weak self] press in self?.handle(press) ?? false }
        window.onClosed { [weak self] in self?.end() }
    }

    private func makePage(_ kind: ViewerOptions.PageKind) -> any ViewerPage {
        switch kind {
        case .gallery: GalleryPage(options.sources, pipeline)
        case .edited: EditedPage(options.sources[0], pipeline)
        case .sequence: SequencePage(options.sources, pipeline)
        }
    }

    private func handle(_ press: KeyPress) -> Bool {
        guard press.key == .escape else { return false }
        return pages.first { $0.widget === stack.visiblePage }?.goBack() ?? false
    }

    /// Does what the command line asks for beyond showing the window.
    private func follow() async {
        do {
            if let folder = options.recordFolder { try await record(in: folder) }
            if let path = options.screenshotPath { try await takeScreenshot(path) }
            if options.printsReport { await report() }
        } catch {
            Console.complain("\(error)")
            status = 1
        }
        if pages.contains(where: { !$0.log.isSuccess }) { status = 1 }
        if options.endsByItself { window.destroy() }
    }

    private func record(in folder: String) async throws {
        for page in pages {
            stack.visibleName = page.kind.rawValue
            let camera = Camera(folder: folder, name: page.kind.rawValue, title: page.title)
            try await page.perform(for: camera)
            Console.say(try camera.writeStrip())
        }
        if options.writesIndex { for path in try ContactSheet(folder: folder).write() { Console.say(path) } }
    }

    private func takeScreenshot(_ path: String) async throws {
        for page in pages { await page.loadAll() }
        try await stack.screenshotOfNextFrame().writePNG(to: path)
        Console.say(path)
    }

    private func report() async {
        for page in pages {
            await page.loadAll()
            let report = LoadReport(page: page.title, log: page.log, requests: page.requests)
            Console.say(await report.text(pipeline, restarted: ImagePipeline(.standard(dataCache: dataCache))))
        }
        guard let longest = CallbackMeter.longest else { return }
        Console.say(
            "longest callback of ours on the main thread: \(longest.duration.milliseconds) ms (\(longest.kind))")
    }

    private func end() {
        script?.cancel()
        Task {
            await dataCache.flush()
            application.quit()
        }
    }

    private static func makeDataCache(_ folder: String?) -> DiskCache {
        DiskCache(folder: folder ?? DiskCache.defaultFolder()) { warning in
            Console.write("bowerbird-viewer: \(warning)", to: STDERR_FILENO)
        }
    }
}

nonisolated extension ViewerOptions {
    /// Whether nobody is expected to close the window.
    var endsByItself: Bool { recordFolder != nil || screenshotPath != nil }
}
