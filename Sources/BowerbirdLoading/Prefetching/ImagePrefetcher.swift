import BowerbirdCore

/// Loads pictures ahead of need, behind everything that somebody waits for.
///
///     let prefetcher = ImagePrefetcher(pipeline: .shared)
///     let prefetch = prefetcher.prefetch(requests)
///     …
///     prefetch.cancel()
///
/// Its transfers come after all ordinary ones. A view that asks for a picture on its way joins in, and brings it to the
/// front. Any thread may use it.
public final class ImagePrefetcher: Sendable {
    /// Where pictures are brought.
    public enum Destination: String, Hashable, Sendable {
        /// Decoded and edited into the image cache, the original onto the disk.
        case memory
        /// Only the original bytes, onto the disk: nothing is decoded, and the image cache is not touched. Files of this
        /// machine are there already.
        case disk
    }

    /// Whose caches are filled.
    public let pipeline: ImagePipeline
    /// Where pictures are brought.
    public let destination: Destination
    let slots: WorkQueue
    private let running = RunningPrefetches()

    /// - Parameters:
    ///   - destination: `.memory` by default.
    ///   - maximumCount: How many pictures it works on at once, in all its prefetches; 3 by default, half of what a
    ///     pipeline transfers at once.
    public init(pipeline: ImagePipeline, destination: Destination = .memory, maximumCount: Int = 3) {
        self.pipeline = pipeline
        self.destination = destination
        slots = WorkQueue(limit: maximumCount)
    }

    /// What it has begun goes on without it. Nobody could let go on what is paused.
    deinit {
        if slots.isSuspended { running.cancelAll() }
    }

    /// Whether nothing new is begun; false at first. What is under way goes on. What is paused is cancelled when nobody
    /// holds the prefetcher any more.
    public var isPaused: Bool {
        get { slots.isSuspended }
        set { slots.isSuspended = newValue }
    }

    /// Begins with these, after those of earlier calls. Calls are independent: each is cancelled by its own handle, and
    /// a picture that two of them want is loaded once and counted twice. It goes on when the handle is dropped.
    @discardableResult
    public func prefetch(_ requests: [ImageRequest]) -> Prefetch {
        let prefetch = Prefetch(count: requests.count)
        guard !requests.isEmpty else { return prefetch }
        running.add(prefetch)
        // All at once, so that the next call stands behind this one.
        let places = requests.map { (request: $0, ticket: slots.takeTicket()) }
        let load = PrefetchLoad(pipeline: pipeline, destination: destination, slots: slots, prefetch: prefetch)
        // Ends with the last request, or when the prefetch is cancelled.
        prefetch.attach(
            Task { [running] in
                await load.run(places)
                running.remove(prefetch)
                prefetch.end()
            })
        return prefetch
    }

    /// Cancels every prefetch.
    public func cancelAll() { running.cancelAll() }
}

/// The prefetches that have not ended.
private final class RunningPrefetches: Sendable {
    private let prefetches = Lock<[ObjectIdentifier: Prefetch]>([:])

    func add(_ prefetch: Prefetch) { prefetches.withLock { $0[ObjectIdentifier(prefetch)] = prefetch } }
    func remove(_ prefetch: Prefetch) { prefetches.withLock { $0[ObjectIdentifier(prefetch)] = nil } }

    func cancelAll() {
        for prefetch in prefetches.withLock({ Array($0.values) }) { prefetch.cancel() }
    }
}
