import BowerbirdCore

/// News of which only the newest matters, so that a slow reader never makes a queue grow.
protocol Mergeable: Sendable {
    mutating func merge(newer: Self)
}

/// Whether a reader of news wants more.
enum Appetite {
    case hungry
    /// It leaves.
    case satisfied
}

/// Somebody who asked `SharedWork` for something.
protocol Asker<Update, Outcome>: AnyObject, Sendable {
    associatedtype Update
    associatedtype Outcome
    /// News, newer than all before.
    func receive(_ update: Update)
    /// News from before the asker joined; may come after newer ones.
    func receive(older update: Update)
    /// The end. Called once.
    func finish(_ outcome: Outcome)
}

/// Where one reader waits for the news of a job and for its outcome.
final class Mailbox<Update: Mergeable, Outcome: Sendable>: Asker {
    enum Delivery: Sendable {
        case update(Update)
        case finished(Outcome)
    }

    private let state = Lock(State<CheckedContinuation<Delivery?, Never>>())

    func receive(_ update: Update) { deliver { $0.receive(update) } }
    func receive(older update: Update) { deliver { $0.receive(older: update) } }
    func finish(_ outcome: Outcome) { deliver { $0.outcome = outcome } }

    /// Waits for the next news; after the outcome, or when the task is cancelled, nil. One reader at a time.
    func next() async -> Delivery? {
        await withTaskCancellationHandler {
            await withCheckedContinuation { reader in
                deliver { $0.reader = reader }
            }
        } onCancel: {
            deliver { $0.isClosed = true }
        }
    }

    /// Hands on all news up to the outcome; nil when the task is cancelled before it.
    func outcome(telling news: (Update) -> Void) async -> Outcome? {
        await outcome(whileHungry: { update in
            news(update)
            return .hungry
        })
    }

    /// The same for a reader of news who may leave before the outcome; nil then too.
    func outcome(whileHungry news: (Update) -> Appetite) async -> Outcome? {
        while let delivery = await next() {
            switch delivery {
            case .update(let update): if news(update) == .satisfied { return nil }
            case .finished(let outcome): return outcome
            }
        }
        return nil
    }

    private func deliver(_ change: (inout State<CheckedContinuation<Delivery?, Never>>) -> Void) {
        let handover = state.withLock { state in
            change(&state)
            return state.takeHandover()
        }
        handover?.reader.resume(returning: handover?.delivery)
    }

    /// What has come and who waits for it, as a value.
    struct State<Reader> {
        private var update: Update?
        var outcome: Outcome?
        var isClosed = false
        var reader: Reader?

        mutating func receive(_ newer: Update) {
            if update == nil { update = newer } else { update?.merge(newer: newer) }
        }

        mutating func receive(older: Update) {
            var merged = older
            if let update { merged.merge(newer: update) }
            update = merged
        }

        /// The waiting reader with what it is to be given, where there are both.
        mutating func takeHandover() -> (reader: Reader, delivery: Delivery?)? {
            guard let waiting = reader, let delivery = takeDelivery() else { return nil }
            reader = nil
            return (waiting, delivery)
        }

        private mutating func takeDelivery() -> Delivery?? {
            if isClosed { return .some(nil) }
            if let news = update {
                update = nil
                return .update(news)
            }
            guard let outcome else { return nil }
            isClosed = true
            return .finished(outcome)
        }
    }
}
