extension WorkQueue {
    /// Who runs and who waits, as a value. After each step nobody waits who could run.
    struct State<Waiter: Sendable> {
        private(set) var limit: Int
        private(set) var costLimit: Int
        private(set) var isSuspended = false
        private(set) var runningCost = 0
        private var holdCount = 0
        private var running: [Ticket: Load] = [:]
        private var waiting = WaitingRoom<Waiter>()
        private var hosts = HostShares()
        private var lastTicket: Ticket = 0

        init(limit: Int, costLimit: Int = .max) {
            self.limit = max(1, limit)
            self.costLimit = costLimit
        }

        var runningCount: Int { running.count }
        var waitingCount: Int { waiting.count }

        mutating func takeTicket() -> Ticket {
            lastTicket += 1
            return lastTicket
        }

        /// True where there is room and nobody who could have a better claim to it.
        mutating func enterAtOnce(_ ticket: Ticket, _ load: Load) -> Bool {
            guard waiting.isEmpty, hasRoom(for: load) else { return false }
            start(ticket, load)
            return true
        }

        mutating func enter(
            _ ticket: Ticket, _ waiter: Waiter, _ load: Load, _ priority: WorkPriority
        ) -> Answers<Waiter> {
            hosts.change(load.host, waiting: 1)
            waiting.insert(.init(waiter: waiter, load: load, priority: priority, position: ticket), ticket)
            return admit()
        }

        mutating func setPriority(_ ticket: Ticket, _ priority: WorkPriority) -> Answers<Waiter> {
            guard waiting[ticket]?.priority != priority, var guest = waiting.remove(ticket) else { return Answers() }
            guest.priority = priority
            guest.position = takeTicket()
            waiting.insert(guest, ticket)
            return admit()
        }

        /// Sends the waiter away. One who has a place keeps it.
        mutating func cancel(_ ticket: Ticket) -> Answers<Waiter> {
            guard let guest = waiting.remove(ticket) else { return Answers() }
            hosts.change(guest.load.host, waiting: -1)
            var answers = admit()
            answers.refused = guest.waiter
            return answers
        }

        mutating func leave(_ ticket: Ticket) -> Answers<Waiter> {
            guard let load = running.removeValue(forKey: ticket) else { return Answers() }
            hosts.change(load.host, running: -1)
            runningCost -= load.cost
            return admit()
        }

        mutating func setLimit(_ limit: Int) -> Answers<Waiter> {
            self.limit = max(1, limit)
            return admit()
        }

        mutating func setCostLimit(_ limit: Int) -> Answers<Waiter> {
            costLimit = limit
            return admit()
        }

        mutating func setSuspended(_ isSuspended: Bool) -> Answers<Waiter> {
            self.isSuspended = isSuspended
            return admit()
        }

        mutating func hold() { holdCount += 1 }

        mutating func release() -> Answers<Waiter> {
            holdCount -= 1
            return admit()
        }

        /// Lets in whoever can be, in order: where the next one is too dear, nobody overtakes it.
        private mutating func admit() -> Answers<Waiter> {
            var answers = Answers<Waiter>()
            while hasPlace, let ticket = next, let load = waiting[ticket]?.load, hasRoom(for: load),
                let guest = waiting.remove(ticket)
            {
                hosts.change(load.host, waiting: -1)
                start(ticket, load)
                answers.admitted.append(guest.waiter)
            }
            return answers
        }

        private var next: Ticket? { waiting.next { hosts.isBelowShare($0, of: limit) } }

        private var hasPlace: Bool { !isSuspended && holdCount == 0 && running.count < limit }

        private func hasRoom(for load: Load) -> Bool {
            hasPlace && (running.isEmpty || load.cost <= costLimit - runningCost)
        }

        private mutating func start(_ ticket: Ticket, _ load: Load) {
            running[ticket] = load
            hosts.change(load.host, running: 1)
            runningCost += load.cost
        }
    }
}
