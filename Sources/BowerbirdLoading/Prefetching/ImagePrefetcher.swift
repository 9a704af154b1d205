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
        /// Only the original bytes, onto the disk: nothing is decoded.
        case disk
    }

    /// Whose caches are filled.
    public let pipeline: ImagePipeline
    /// Where pictures are brought.
    public let destination: Destination
    private let slots: WorkQueue
    private let running = Lock<[ObjectIdentifier: Prefetch]>([:])

    /// - Parameters:
    ///   - destination: `.memory` by default.
    ///   - maximumCount: How many pictures it works on at once, in all its prefetches; 3 by default, half of what a
    ///     pipeline transfers at once.
    public init(pipeline: ImagePipeline, destination: Destination = .memory, maximumCount: Int = 3) {
        self.pipeline = pipeline
        self.destination = destination
        slots = WorkQueue(limit: maximumCount)
    }

    /// Whether nothing new is begun; false at first. What is under way goes on.
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
        let id = ObjectIdentifier(prefetch)
        running.withLock { $0[id] = prefetch }
        // Ends with the last request, or when the prefetch is cancelled.
        prefetch.attach(
            Task { [self] in
                await load(requests, prefetch)
                running.withLock { $0[id] = nil }
                prefetch.end()
            })
        return prefetch
    }

    /// Cancels every prefetch.
    public func cancelAll() {
        for prefetch in running.withLock({ Array($0.values) }) { prefetch.cancel() }
    }

    private func load(_ requests: [ImageRequest], _ prefetch: Prefetch) async {
        await withDiscardingTaskGroup { group in
            for request in requests {
                let place = slots.takeTicket()
                guard await slots.enter(place, priority: PriorityRelay()) else { return }
                group.addTask { [self] in
                    prefetch.note(await outcome(of: request))
                    slots.leave(place)
                }
            }
        }
    }

    /// Nil where the prefetch was cancelled.
    private func outcome(of request: ImageRequest) async -> Prefetch.Outcome? {
        if await isThere(request) { return .skipped }
        do throws(ImageError) {
            switch destination {
            case .memory: _ = try await pipeline.task(for: request, in: .prefetch).response
            case .disk: _ = try await pipeline.data(for: request, in: .prefetch)
            }
            return .completed
        } catch {
            return error == .cancelled ? nil : .failed
        }
    }

    private func isThere(_ request: ImageRequest) async -> Bool {
        switch destination {
        case .memory: pipeline.cachedImage(for: request) != nil
        case .disk: await pipeline.locations(of: request).contains(.disk)
        }
    }
}
