import BowerbirdCore

/// A request under way: its events, its answer, and the way to leave it.
///
/// It runs whether or not anybody listens, and ends with exactly one terminal event. Letting go of the task does not
/// stop it; `cancel()` does. Any thread may use it.
public final class ImageTask: Sendable {
    /// What was asked for.
    public let request: ImageRequest
    private let state: Lock<State>
    /// Tells the tasks of one pipeline apart: later ones have higher numbers.
    public let id: ID
    private let hooks: Hooks

    /// See `ImageTask.id`.
    public typealias ID = UInt64

    /// What the pipeline wants to know of the end.
    struct Hooks: Sendable {
        /// There is a picture; before anybody hears of it.
        var onPicture: @Sendable (ProducedImage) -> Void = { _ in }
        /// There is an end; before anybody hears of it, so that whoever does finds it in all figures.
        var onEnd: (@Sendable (ImageOutcome) -> Void)?
    }

    init(_ request: ImageRequest, id: ID, _ priority: WorkPriority, _ hooks: Hooks) {
        self.request = request
        self.id = id
        self.hooks = hooks
        state = Lock(State(start: .now, priority: priority))
    }

    /// Before whom it is served. Setting it has an effect at once, on everything that still waits for a place; work that
    /// several wait for has the highest of their priorities.
    public var priority: RequestPriority {
        get { state.withLock { $0.priority.level } }
        set {
            let change = state.withLock { $0.setPriority(newValue) }
            change.membership?.setPriority(change.priority)
        }
    }

    /// What happens, from when the iteration begins: the newest progress and preview first where there are some, and the
    /// end for whoever comes late. May be iterated by several tasks, each of which hears everything. When the listening
    /// task is cancelled the iteration ends; the image task goes on.
    public var events: ImageEvents { ImageEvents(task: self) }

    fileprivate func subscribe() -> Mailbox<ImageUpdate, ImageOutcome> {
        let mailbox = Mailbox<ImageUpdate, ImageOutcome>()
        let (latest, outcome) = state.withLock { $0.subscribe(mailbox) }
        mailbox.receive(older: latest)
        if let outcome { mailbox.finish(outcome) }
        return mailbox
    }

    /// The answer. Throws `.cancelled` when `cancel()` is called, and also when the waiting task is cancelled: the image
    /// task is then cancelled too.
    public var response: ImageResponse {
        get async throws(ImageError) {
            let outcome = await withTaskCancellationHandler {
                await finalOutcome()
            } onCancel: {
                cancel()
            }
            return try outcome.get()
        }
    }

    /// Leaves. The terminal event is `.cancelled` where there was none yet; the work stops if nobody else wants it.
    /// Takes no time and may be called again.
    public func cancel() {
        state.withLock { $0.isLeft = true }
        end(with: .failure(.cancelled))
    }

    /// Whether somebody has called `cancel()`, be it after the end.
    var isLeft: Bool { state.withLock { $0.isLeft } }

    /// Where the task is. A snapshot: it may have moved on already.
    public var status: Status { state.withLock { $0.status } }

    /// Where a task is.
    public enum Status: Sendable {
        /// It waits or works.
        case running
        /// It has ended, and nothing more will come.
        case finished(Result<ImageResponse, ImageError>)
    }

    private func finalOutcome() async -> ImageOutcome {
        for await event in events {
            if case .finished(let outcome) = event { return outcome }
        }
        return .failure(.cancelled)
    }

    /// Ties the task to its place in the shared work. Where it has ended meanwhile, the place is given up at once.
    func attach(_ membership: Membership) {
        let (isWanted, priority) = state.withLock { ($0.attach(membership), $0.priority) }
        if isWanted { membership.setPriority(priority) } else { membership.leave() }
    }

    private func end(with outcome: Result<ProducedImage, ImageError>) {
        let ofPicture = (try? outcome.get())?.scaleFactor ?? request.source.scaleFactor
        let scaleFactor = max(1, request.scaleFactor ?? ofPicture)
        guard let ending = state.withLock({ $0.end(with: outcome, scaleFactor, at: .now) }) else { return }
        ending.membership?.leave()
        // Before anybody else hears of it, be it one who asks just now.
        hooks.onEnd?(ending.outcome)
        for mailbox in state.withLock({ $0.publish(ending.outcome) }) { mailbox.finish(ending.outcome) }
    }
}

typealias ImageOutcome = Result<ImageResponse, ImageError>

extension ImageTask: Asker {
    func receive(_ update: ImageUpdate) {
        for mailbox in state.withLock({ $0.receive(update, at: .now) }) { mailbox.receive(update) }
    }

    func receive(older update: ImageUpdate) {
        for mailbox in state.withLock({ $0.receive(older: update, at: .now) }) { mailbox.receive(older: update) }
    }

    func finish(_ outcome: Result<ProducedImage, ImageError>) {
        if case .success(let produced) = outcome { hooks.onPicture(produced) }
        end(with: outcome)
    }
}

/// The events of one task.
public struct ImageEvents: AsyncSequence, Sendable {
    fileprivate let task: ImageTask

    public func makeAsyncIterator() -> Iterator { Iterator(mailbox: task.subscribe()) }

    public struct Iterator: AsyncIteratorProtocol {
        fileprivate let mailbox: Mailbox<ImageUpdate, ImageOutcome>
        private var waiting: [ImageEvent] = []

        fileprivate init(mailbox: Mailbox<ImageUpdate, ImageOutcome>) {
            self.mailbox = mailbox
        }

        public mutating func next() async -> ImageEvent? {
            while waiting.isEmpty {
                switch await mailbox.next() {
                case .update(let update): waiting = update.events
                case .finished(let outcome): waiting = [.finished(outcome)]
                case nil: return nil
                }
            }
            return waiting.removeFirst()
        }
    }
}
