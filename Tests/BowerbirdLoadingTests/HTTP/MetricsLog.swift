import BowerbirdCore
import BowerbirdLoading

/// What was reported about transfers, in order.
final class MetricsLog: Sendable {
    private let reports = Lock<[TransferMetrics]>([])

    var all: [TransferMetrics] { reports.withLock { $0 } }

    /// For `DataRequest.onMetrics`.
    var report: @Sendable (TransferMetrics) -> Void {
        { metrics in self.reports.withLock { $0.append(metrics) } }
    }
}

extension HTTPLoader {
    /// The whole body, and what it cost.
    func measured(_ request: DataRequest) async throws -> (bytes: [UInt8], metrics: [TransferMetrics]) {
        let log = MetricsLog()
        var request = request
        request.onMetrics = log.report
        let bytes = try await response(for: request).body.allBytes()
        return (bytes, log.all)
    }
}
