import BowerbirdCore

/// Adds up what the transfers of one redirected request cost, and reports it once: when the last of them has ended.
final class TransferTrail: Sendable {
    typealias Report = @Sendable (TransferMetrics) -> Void

    private let report: Report?
    private let sum = Lock(TransferSum())
    private let bodies = Lock<[TransferBody]>([])

    init(reportingTo report: Report?) { self.report = report }

    /// What each of the transfers reports to.
    var onMetrics: Report? {
        if report == nil { return nil }
        return { self.add($0) }
    }

    /// How many transfers there were.
    var count: Int { bodies.withLock { $0.count } }

    func enter(_ body: TransferBody) { bodies.withLock { $0.append(body) } }

    /// There will be no further one. The last may have been given up before its turn; then it reports nothing.
    func close() {
        let begun = bodies.withLock { $0.count { $0.isUnderWay } }
        deliver(sum.withLock { $0.close(after: begun) })
    }

    private func add(_ metrics: TransferMetrics) { deliver(sum.withLock { $0.add(metrics) }) }

    private func deliver(_ metrics: TransferMetrics?) {
        if let metrics { report?(metrics) }
    }
}

/// The transfers may end before it is known how many there are, and after. Each verb gives the sum when it is whole, so
/// only one of them ever does.
struct TransferSum {
    private var sum: TransferMetrics?
    private var endedCount = 0
    private var expectedCount: Int?

    mutating func add(_ metrics: TransferMetrics) -> TransferMetrics? {
        endedCount += 1
        sum = sum?.followed(by: metrics) ?? metrics
        return whole
    }

    mutating func close(after count: Int) -> TransferMetrics? {
        expectedCount = count
        return whole
    }

    private var whole: TransferMetrics? { endedCount == expectedCount ? sum : nil }
}
