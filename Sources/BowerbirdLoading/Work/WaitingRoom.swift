/// Those who wait, by priority, and inside a priority by their place in the order of asking. Nothing here takes longer
/// because many wait for one host.
struct WaitingRoom<Waiter> {
    typealias Ticket = UInt64

    struct Guest {
        var waiter: Waiter
        var load: WorkQueue.Load
        var priority: WorkPriority
        /// The number of the ticket, or a later one where the priority has changed since.
        var position: Ticket
    }

    private var guests: [Ticket: Guest] = [:]
    private var levels = [Level](repeating: Level(), count: WorkPriority.all.count)

    var count: Int { guests.count }
    var isEmpty: Bool { guests.isEmpty }

    subscript(_ ticket: Ticket) -> Guest? { guests[ticket] }

    mutating func insert(_ guest: Guest, _ ticket: Ticket) {
        guests[ticket] = guest
        levels[guest.priority.rank].insert(place(of: guest, ticket))
    }

    mutating func remove(_ ticket: Ticket) -> Guest? {
        guard let guest = guests.removeValue(forKey: ticket) else { return nil }
        levels[guest.priority.rank].remove(place(of: guest, ticket))
        return guest
    }

    /// Of those with the highest priority the first one whose host is preferred, or else the first one.
    func next(preferring isPreferred: (_ host: String) -> Bool) -> Ticket? {
        guard let level = levels.lastIndex(where: { !$0.isEmpty }) else { return nil }
        return levels[level].next(preferring: isPreferred)
    }

    private func place(of guest: Guest, _ ticket: Ticket) -> Place {
        Place(position: guest.position, ticket: ticket, host: guest.load.host)
    }

    private struct Place: Comparable {
        let position: Ticket
        let ticket: Ticket
        let host: String

        static func == (left: Place, right: Place) -> Bool { left.position == right.position }
        static func < (left: Place, right: Place) -> Bool { left.position < right.position }
    }

    /// Those of one priority: a line for each host, and a line of those who are the first in theirs.
    private struct Level {
        private var lines: [String: SortedLine<Place>] = [:]
        private var fronts = SortedLine<Place>()

        var isEmpty: Bool { fronts.isEmpty }

        func next(preferring isPreferred: (_ host: String) -> Bool) -> Ticket? {
            (fronts.first { isPreferred($0.host) } ?? fronts.first)?.ticket
        }

        mutating func insert(_ place: Place) { change(place.host) { $0.insert(place) } }
        mutating func remove(_ place: Place) { change(place.host) { $0.remove(place) } }

        private mutating func change(_ host: String, _ body: (inout SortedLine<Place>) -> Void) {
            let before = lines[host]?.first
            body(&lines[host, default: SortedLine()])
            let after = lines[host]?.first
            if after == nil { lines[host] = nil }
            guard before != after else { return }
            if let before { fronts.remove(before) }
            if let after { fronts.insert(after) }
        }
    }
}
