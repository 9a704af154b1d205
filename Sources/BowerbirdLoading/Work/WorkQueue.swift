import BowerbirdCore

/// So many at once and no more; the others wait. The most urgent goes in first, and of those who are equally urgent
/// whoever took a ticket first.
///
///     let ticket = queue.takeTicket()
///     …
///     guard await queue.enter(ticket, priority: priority, host: "host.example") else { throw .cancelled }
///     defer { queue.leave(ticket) }
///
/// One host may have all places while no other waits. When another does, the next place goes to the first whose host
/// has less than its share: `limit`, divided by the number of hosts that run or wait, rounded up.
final class WorkQueue: Sendable {
    typealias Ticket = UInt64
    private typealias Waiter = CheckedContinuation<Bool, Never>

    private let state: Lock<State<Waiter>>

    /// - Parameters:
    ///   - limit: How many may have a place; at least 1.
    ///   - costLimit: What those who have a place may cost together.
    init(limit: Int, costLimit: Int = .max) {
        state = Lock(State(limit: limit, costLimit: costLimit))
    }

    /// How many may have a place; at least 1. Raising it lets in at once who waits; lowering it sends nobody away.
    var limit: Int {
        get { state.withLock { $0.limit } }
        set { decide { $0.setLimit(newValue) } }
    }

    /// What those who have a place may cost together. One that costs more has a place when no other has.
    var costLimit: Int {
        get { state.withLock { $0.costLimit } }
        set { decide { $0.setCostLimit(newValue) } }
    }

    /// While it is, nobody goes in. Who has a place keeps it.
    var isSuspended: Bool {
        get { state.withLock { $0.isSuspended } }
        set { decide { $0.setSuspended(newValue) } }
    }

    /// Lets nobody in while `body` runs, whoever leaves meanwhile.
    func hold(while body: () -> Void) {
        state.withLock { $0.hold() }
        body()
        decide { $0.release() }
    }

    /// How many have a place.
    var runningCount: Int { state.withLock { $0.runningCount } }
    /// What they cost together.
    var runningCost: Int { state.withLock { $0.runningCost } }
    /// How many wait for one.
    var waitingCount: Int { state.withLock { $0.waitingCount } }

    /// A place in the order of asking, for whoever may want to enter later. Good for once; need not be used.
    func takeTicket() -> Ticket { state.withLock { $0.takeTicket() } }

    /// Waits for a place, which `leave` gives back. False, and no place, when the task is cancelled first.
    ///
    /// When `priority` changes meanwhile, the ticket goes to the end of those who are as urgent as it is then.
    func enter(_ ticket: Ticket, priority: PriorityRelay, host: String = "", cost: Int = 0) async -> Bool {
        guard !Task.isCancelled else { return false }
        let load = Load(host: host, cost: max(0, cost))
        if state.withLock({ $0.enterAtOnce(ticket, load) }) { return true }
        return await wait(ticket, priority, load)
    }

    /// Takes a place where one is free and nobody waits; false, and no place, else. For work that is not worth waiting for.
    func enterAtOnce(_ ticket: Ticket) -> Bool { state.withLock { $0.enterAtOnce(ticket, Load()) } }

    /// Gives the place back. Nothing happens where the ticket has none.
    func leave(_ ticket: Ticket) {
        decide { $0.leave(ticket) }
    }

    /// Whether the task is cancelled, and how urgent it is, is looked up under the lock: it cannot change unnoticed
    /// between that and the moment from which the handlers find the waiter.
    private func wait(_ ticket: Ticket, _ priority: PriorityRelay, _ load: Load) async -> Bool {
        let subscription = priority.subscribe { [self] in decide { $0.setPriority(ticket, priority.current) } }
        defer { subscription.cancel() }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { waiter in
                decide { state in
                    if Task.isCancelled { return Answers(refused: waiter) }
                    return state.enter(ticket, waiter, load, priority.current)
                }
            }
        } onCancel: {
            decide { $0.cancel(ticket) }
        }
    }

    private func decide(_ change: (inout State<Waiter>) -> Answers<Waiter>) {
        let answers = state.withLock { change(&$0) }
        answers.refused?.resume(returning: false)
        for waiter in answers.admitted { waiter.resume(returning: true) }
    }

    /// What somebody with a place weighs on.
    struct Load: Sendable {
        var host = ""
        var cost = 0
    }

    /// Who is to be told, outside the lock.
    struct Answers<Waiter: Sendable>: Sendable {
        var admitted: [Waiter] = []
        var refused: Waiter?
    }
}
