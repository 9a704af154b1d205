import BowerbirdCore

/// Counts what a pipeline does: hits, bytes, time. Any thread may read it, at any time.
///
///     let statistics = PipelineStatistics()
///     configuration.observers = [statistics]
///     …
///     print(statistics.counts)
public final class PipelineStatistics: PipelineObserver {
    /// What has been counted, since the beginning or the last `reset()`.
    public struct Counts: Hashable, Sendable {
        /// Requests that were made, and how they ended.
        public internal(set) var asked = 0, succeeded = 0, failed = 0, cancelled = 0
        /// Looks into the memory that found the picture, and that did not.
        public internal(set) var memoryHits = 0, memoryMisses = 0
        /// Looks onto the disk that found the file, and that did not.
        public internal(set) var diskHits = 0, diskMisses = 0
        /// Files among them that were damaged.
        public internal(set) var damagedEntries = 0
        /// Transfers that ended, and the bytes of their bodies.
        public internal(set) var transfers = 0, receivedByteCount = 0
        /// How often each stage ended, and how long it took in all.
        public internal(set) var stages: [PipelineStage: StageCount] = [:]

        /// From 0 to 1; nil where the memory was not asked yet.
        public var memoryHitRatio: Double? { Self.ratio(memoryHits, memoryMisses) }
        /// From 0 to 1; nil where the disk was not asked yet.
        public var diskHitRatio: Double? { Self.ratio(diskHits, diskMisses) }

        private static func ratio(_ hits: Int, _ misses: Int) -> Double? {
            hits + misses == 0 ? nil : Double(hits) / Double(hits + misses)
        }
    }

    /// How often one stage ended.
    public struct StageCount: Hashable, Sendable {
        /// Ends of any kind, and those with an error among them.
        public internal(set) var ended = 0, failed = 0
        /// The sum of all of them.
        public internal(set) var duration = Duration.zero
    }

    private let state = Lock(Counts())

    /// Everything zero.
    public init() {}

    /// A snapshot.
    public var counts: Counts { state.withLock { $0 } }

    /// Begins to count anew.
    public func reset() { state.withLock { $0 = Counts() } }

    public func receive(_ event: PipelineEvent) { state.withLock { $0.count(event) } }
}

extension PipelineStatistics.Counts {
    fileprivate mutating func count(_ event: PipelineEvent) {
        switch event {
        case .asked: asked += 1
        case .memoryLookup(let isHit, _): if isHit { memoryHits += 1 } else { memoryMisses += 1 }
        case .diskLookup(let byteCount, _): if byteCount != nil { diskHits += 1 } else { diskMisses += 1 }
        case .damagedEntry: damagedEntries += 1
        case .transferred(let metrics, _):
            transfers += 1
            receivedByteCount += metrics.receivedByteCount
        case .ended(let stage, _, let duration, let error): stages[stage, default: .init()].count(duration, error)
        case .answered(_, _, let outcome): count(outcome)
        case .began, .plainHTTP: break
        }
    }

    private mutating func count(_ outcome: Result<ImageResponse, ImageError>) {
        switch outcome {
        case .success: succeeded += 1
        case .failure(.cancelled): cancelled += 1
        case .failure: failed += 1
        }
    }
}

extension PipelineStatistics.StageCount {
    fileprivate mutating func count(_ duration: Duration, _ error: ImageError?) {
        ended += 1
        if error != nil { failed += 1 }
        self.duration += duration
    }
}
