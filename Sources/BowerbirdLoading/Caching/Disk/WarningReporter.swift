import BowerbirdCore
import Synchronization

/// Hands each kind of warning on once, however often its cause comes back.
final class WarningReporter: Sendable {
    private let folder: String
    private let handler: @Sendable (DiskCacheWarning) -> Void
    private let reported = Lock<Set<DiskCacheWarning.Reason>>([])

    init(folder: String, handler: @escaping @Sendable (DiskCacheWarning) -> Void) {
        self.folder = folder
        self.handler = handler
    }

    func report(_ fault: DiskFault) {
        let isNew = reported.withLock { $0.insert(fault.reason).inserted }
        guard isNew else { return }
        handler(DiskCacheWarning(folder: folder, reason: fault.reason, detail: fault.detail))
    }
}
