/// How many places each host has, of those hosts that run or wait for something.
struct HostShares {
    private struct Host {
        var running = 0
        var waiting = 0
    }

    private var hosts: [String: Host] = [:]

    mutating func change(_ name: String, running: Int = 0, waiting: Int = 0) {
        var host = hosts[name] ?? Host()
        host.running += running
        host.waiting += waiting
        hosts[name] = host.running + host.waiting > 0 ? host : nil
    }

    /// Whether a host may have one more before the others have as many: a share is an equal part of all places, rounded
    /// up.
    func isBelowShare(_ name: String, of limit: Int) -> Bool {
        let count = max(1, hosts.count)
        let share = limit / count + (limit % count > 0 ? 1 : 0)
        return (hosts[name]?.running ?? 0) < share
    }
}
