import BowerbirdCore
import Synchronization

/// Hands each kind of warning on once in each spell of trouble, however often its cause is met. A spell ends when
/// something was written again.
final class WarningReporter: Sendable {
    private let folder: String
    private let handler: @Sendable (DiskCacheWarning) -> Void
    private let reported = Lock<Set<DiskCacheWarning.Reason>>([])

    init(folder: String, handler: @escaping @Sendable (DiskCacheWarning) -> Void) {
        self.folder = folder
        self.handler = handler
    }

    /// A damaged entry is reported each time: each is another.
    func report(_ fault: DiskFault) {
        let isNew = reported.withLock { $0.insert(fault.reason).inserted }
        guard isNew || fault.reason == .damagedEntry else { return }
        handler(DiskCacheWarning(folder: folder, reason: fault.reason, detail: fault.detail))
    }

    func endSpell() { reported.withLock { $0 = [] } }
}
