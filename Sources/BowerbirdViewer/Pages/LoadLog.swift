import Bowerbird

/// What has happened to the pictures of a page, for whoever wants to wait for it.
final class LoadLog {
    struct Entry {
        let name: String
        var previewCount = 0
        var outcome: Result<ImageResponse, ImageError>?
    }

    private(set) var entries: [Entry]
    /// Whether one picture is enough for success, as in a sequence.
    private let needsOnlyOne: Bool
    private var waiters: [(condition: (LoadLog) -> Bool, continuation: CheckedContinuation<Void, Never>)] = []

    init(_ sources: [ImageSource], needsOnlyOne: Bool = false) {
        entries = sources.map { Entry(name: $0.fileName.isEmpty ? $0.address : $0.fileName) }
        self.needsOnlyOne = needsOnlyOne
    }

    var finishedCount: Int { entries.count { $0.outcome != nil } }
    var arrivedCount: Int { entries.count { $0.arrived != nil } }
    var previewCount: Int { entries.reduce(0) { $0 + $1.previewCount } }
    var isComplete: Bool { finishedCount == entries.count }
    var isSuccess: Bool { needsOnlyOne ? arrivedCount > 0 : arrivedCount == finishedCount }

    func notePreview(of index: Int) {
        entries[index].previewCount += 1
        wakeWaiters()
    }

    func note(_ outcome: Result<ImageResponse, ImageError>, of index: Int) {
        if entries[index].outcome == nil { entries[index].outcome = outcome }
        wakeWaiters()
    }

    func waitForAll() async { await wait { $0.isComplete } }

    /// Waits until `condition` holds.
    func wait(until condition: @escaping (LoadLog) -> Bool) async {
        guard !condition(self) else { return }
        await withCheckedContinuation { waiters.append((condition, $0)) }
    }

    private func wakeWaiters() {
        let ready = waiters.filter { $0.condition(self) }
        waiters.removeAll { $0.condition(self) }
        for waiter in ready { waiter.continuation.resume() }
    }
}

extension LoadLog.Entry {
    var arrived: ImageResponse? {
        guard case .success(let response)? = outcome else { return nil }
        return response
    }

    var error: ImageError? {
        guard case .failure(let error)? = outcome else { return nil }
        return error
    }
}
