import Bowerbird
import GTKBridge

/// One tab of the window.
protocol ViewerPage: AnyObject {
    var kind: ViewerOptions.PageKind { get }
    var title: String { get }
    var widget: Widget { get }
    /// What has been loaded so far.
    var log: LoadLog { get }
    /// What it loads, to load it again for the report.
    var requests: [ImageRequest] { get }

    /// Begins to load.
    func start()
    /// Returns when everything is loaded, also what nobody looks at.
    func loadAll() async
    /// Leaves the large picture; false where there is none.
    func goBack() -> Bool
    /// Lets the camera see everything that the page can show.
    func perform(for camera: Camera) async throws
}

extension ViewerPage {
    func loadAll() async { await log.waitForAll() }
    func goBack() -> Bool { false }
}
