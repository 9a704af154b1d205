import BowerbirdCore

extension ImageTask {
    typealias Listener = Mailbox<ImageUpdate, ImageOutcome>

    /// What a task knows, as a value. It ends once; what comes later is dropped.
    struct State {
        private let start: ContinuousClock.Instant
        private var firstPreview: Duration?
        private var latest = ImageUpdate()
        private var listeners: [Listener] = []
        private var membership: Membership?
        private var hasEnded = false
        /// Known when it has ended and that was published.
        private var outcome: ImageOutcome?
        private(set) var priority: WorkPriority
        /// Whether somebody has called `cancel()`, be it after the end.
        var isLeft = false

        init(start: ContinuousClock.Instant, priority: WorkPriority) {
            self.start = start
            self.priority = priority
        }

        var status: Status { outcome.map(Status.finished) ?? .running }

        mutating func subscribe(_ listener: Listener) -> (latest: ImageUpdate, outcome: ImageOutcome?) {
            if outcome == nil { listeners.append(listener) }
            return (latest, outcome)
        }

        /// False when the task has ended, so that the place is not wanted any more.
        mutating func attach(_ membership: Membership) -> Bool {
            guard !hasEnded else { return false }
            self.membership = membership
            return true
        }

        /// The lane stays: a prefetched picture is asked for anew by whoever wants to see it.
        mutating func setPriority(_ level: RequestPriority) -> (membership: Membership?, priority: WorkPriority) {
            priority.level = level
            return (membership, priority)
        }

        mutating func receive(_ update: ImageUpdate, at now: ContinuousClock.Instant) -> [Listener] {
            guard !hasEnded else { return [] }
            note(update, at: now)
            latest.merge(newer: update)
            return listeners
        }

        mutating func receive(older update: ImageUpdate, at now: ContinuousClock.Instant) -> [Listener] {
            guard !hasEnded else { return [] }
            note(update, at: now)
            var merged = update
            merged.merge(newer: latest)
            latest = merged
            return listeners
        }

        /// What is to be published, and the place to give up; nil when the task has ended before.
        mutating func end(
            with result: Result<ProducedImage, ImageError>, _ scaleFactor: Double, at now: ContinuousClock.Instant
        ) -> (outcome: ImageOutcome, membership: Membership?)? {
            guard !hasEnded else { return nil }
            hasEnded = true
            defer { membership = nil }
            return (result.map { response($0, scaleFactor, total: now - start) }, membership)
        }

        /// Whom to tell. Whoever subscribes later finds the outcome.
        mutating func publish(_ outcome: ImageOutcome) -> [Listener] {
            self.outcome = outcome
            defer { listeners = [] }
            return listeners
        }

        private mutating func note(_ update: ImageUpdate, at now: ContinuousClock.Instant) {
            if update.preview != nil, firstPreview == nil { firstPreview = now - start }
        }

        private func response(
            _ produced: ProducedImage, _ scaleFactor: Double, total: Duration
        ) -> ImageResponse {
            ImageResponse(
                image: produced.image, origin: produced.origin, byteCount: produced.byteCount,
                scaleFactor: scaleFactor, staleness: produced.staleness,
                timings: ImageResponse.Timings(firstPreview: firstPreview, total: total))
        }
    }
}
