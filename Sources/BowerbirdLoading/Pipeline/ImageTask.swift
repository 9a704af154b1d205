import BowerbirdCore

/// A request under way: its events, its answer, and the way to leave it.
///
/// It runs whether or not anybody listens, and ends with exactly one terminal event. Letting go of the task does not
/// stop it; `cancel()` does. Any thread may use it.
public final class ImageTask: Sendable {
    /// What was asked for.
    public let request: ImageRequest
    private let state: Lock<State>

    init(_ request: ImageRequest) {
        self.request = request
        state = Lock(State(start: .now))
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
        end(with: .failure(.cancelled))
    }

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
        let isWanted = state.withLock { $0.attach(membership) }
        if !isWanted { membership.leave() }
    }

    func end(with outcome: Result<ProducedImage, ImageError>) {
        guard let ending = state.withLock({ $0.end(with: outcome, at: .now) }) else { return }
        for mailbox in ending.mailboxes { mailbox.finish(ending.outcome) }
        ending.membership?.leave()
    }
}

typealias ImageOutcome = Result<ImageResponse, ImageError>

/// A finished picture before it is known how long each asker waited for it.
struct ProducedImage: Sendable {
    var image: DecodedImage
    var origin: ImageResponse.Origin
    var byteCount: Int?
}

extension ImageTask: Asker {
    func receive(_ update: ImageUpdate) {
        for mailbox in state.withLock({ $0.receive(update, at: .now) }) { mailbox.receive(update) }
    }

    func receive(older update: ImageUpdate) {
        for mailbox in state.withLock({ $0.receive(older: update, at: .now) }) { mailbox.receive(older: update) }
    }

    func finish(_ outcome: Result<ProducedImage, ImageError>) { end(with: outcome) }
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
