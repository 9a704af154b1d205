import BowerbirdCore

/// So many at once and no more; the others wait, and whoever took a ticket first is the first to go in.
///
///     let ticket = queue.takeTicket()
///     …
///     guard await queue.enter(ticket) else { throw .cancelled }
///     defer { queue.leave() }
final class WorkQueue: Sendable {
    private let state: Lock<State<CheckedContinuation<Bool, Never>>>

    init(limit: Int) {
        state = Lock(State(limit: limit))
    }

    /// How many have a place.
    var runningCount: Int { state.withLock { $0.running } }
    /// How many wait for one.
    var waitingCount: Int { state.withLock { $0.waitingCount } }

    /// A place in the order of asking, for whoever may want to enter later. Good for once; need not be used.
    func takeTicket() -> Ticket { state.withLock { $0.takeTicket() } }

    /// Waits for a place, in the order of entering.
    func enter() async -> Bool { await enter(takeTicket()) }

    /// Waits for a place. False, and no place to give back, when the task is cancelled first.
    func enter(_ ticket: Ticket) async -> Bool {
        state.withLock { $0.arrive(ticket) }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { waiter in
                let answer = state.withLock { $0.enter(ticket, waiter) }
                if let answer { waiter.resume(returning: answer) }
            }
        } onCancel: {
            state.withLock { $0.cancel(ticket) }?.resume(returning: false)
        }
    }

    /// Gives the place to the earliest ticket that waits.
    func leave() {
        state.withLock { $0.leave() }?.resume(returning: true)
    }

    typealias Ticket = UInt64

    /// Who runs and who waits, as a value.
    struct State<Waiter> {
        private let limit: Int
        private(set) var running = 0
        private var waiting: [Ticket: Waiter] = [:]
        /// Tickets whose holders are on their way in, and whether they were cancelled on it.
        private var arriving: [Ticket: Bool] = [:]
        /// Tickets of those who came in, from `head` on sorted; those of waiters who have left are skipped when their
        /// turn comes.
        private var order: [Ticket] = []
        private var head = 0
        private var lastTicket: Ticket = 0

        init(limit: Int) {
            self.limit = max(1, limit)
        }

        var waitingCount: Int { waiting.count }

        mutating func takeTicket() -> Ticket {
            lastTicket += 1
            return lastTicket
        }

        /// From now on the holder can be cancelled.
        mutating func arrive(_ ticket: Ticket) { arriving[ticket] = false }

        /// The answer, where it can be given at once; else the waiter is kept.
        mutating func enter(_ ticket: Ticket, _ waiter: Waiter) -> Bool? {
            if arriving.removeValue(forKey: ticket) == true { return false }
            if running < limit {
                running += 1
                return true
            }
            waiting[ticket] = waiter
            queue(ticket)
            return nil
        }

        /// Tickets come nearly in order, so the place is near the end.
        private mutating func queue(_ ticket: Ticket) {
            let place = order[head...].lastIndex { $0 < ticket }.map { $0 + 1 } ?? head
            order.insert(ticket, at: place)
        }

        /// The waiter to send away. One who is still on the way in is sent away on arrival; one who has a place keeps it.
        mutating func cancel(_ ticket: Ticket) -> Waiter? {
            if arriving[ticket] != nil { arriving[ticket] = true }
            return waiting.removeValue(forKey: ticket)
        }

        /// The waiter who takes the place over.
        mutating func leave() -> Waiter? {
            while head < order.count {
                let ticket = order[head]
                head += 1
                compact()
                if let waiter = waiting.removeValue(forKey: ticket) { return waiter }
            }
            running -= 1
            return nil
        }

        private mutating func compact() {
            guard head > 64, head * 2 > order.count else { return }
            order.removeFirst(head)
            head = 0
        }
    }
}
