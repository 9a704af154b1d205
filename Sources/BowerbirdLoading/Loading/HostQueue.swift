/// Which requests may run: a number to each host, the others in the order in which they came. A value.
///
/// libcurl has such a queue too, but in 7.88 it now and then forgets a request until the connect time-out wakes it.
struct HostQueue<Order> {
    private let limit: Int
    private var hosts: [TransferHost: Line] = [:]

    private struct Line {
        var runningCount = 0
        var waiting: [Order] = []
    }

    init(limit: Int) { self.limit = max(1, limit) }

    /// True: it may run now, and `leave` is due when it has. Else `leave` gives it back when it is its turn.
    mutating func enter(_ order: Order, _ host: TransferHost) -> Bool {
        var line = hosts[host] ?? Line()
        defer { hosts[host] = line }
        guard line.runningCount < limit else {
            line.waiting.append(order)
            return false
        }
        line.runningCount += 1
        return true
    }

    /// One that ran has ended; the answer is the one that may run in its place.
    mutating func leave(_ host: TransferHost) -> Order? {
        guard let line = hosts[host] else { return nil }
        if !line.waiting.isEmpty { return hosts[host]?.waiting.removeFirst() }
        hosts[host] = line.runningCount > 1 ? Line(runningCount: line.runningCount - 1) : nil
        return nil
    }
}
