import Glibc

/// The design of Nuke's and BBWebImage's memory caches, to compare with: a `Dictionary` with `String` keys, a doubly linked
/// list of class instances, the oldest evicted first, and a pthread mutex around it.
///
/// Invariant of the `@unchecked Sendable`: everything is read and written between lock and unlock.
final class PeerMemoryCache<Value: Sendable>: @unchecked Sendable {
    private var nodes: [String: Node] = [:]
    private var oldest: Node?
    private var newest: Node?
    private var totalCost = 0
    private let costLimit: Int
    private let countLimit: Int
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>

    private final class Node {
        let key: String
        var value: Value
        var cost: Int
        unowned(unsafe) var older: Node?
        var newer: Node?

        init(_ key: String, _ value: Value, _ cost: Int) {
            self.key = key
            self.value = value
            self.cost = cost
        }
    }

    init(costLimit: Int = .max, countLimit: Int = .max) {
        self.costLimit = costLimit
        self.countLimit = countLimit
        mutex = .allocate(capacity: 1)
        pthread_mutex_init(mutex, nil)
    }

    deinit {
        removeAll()
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }

    func value(for key: String) -> Value? {
        lock()
        defer { unlock() }
        guard let node = nodes[key] else { return nil }
        unlink(node)
        append(node)
        return node.value
    }

    func store(_ value: Value, for key: String, cost: Int) {
        lock()
        defer { unlock() }
        if let node = nodes[key] { drop(node) }
        let node = Node(key, value, cost)
        nodes[key] = node
        append(node)
        totalCost += cost
        while totalCost > costLimit || nodes.count > countLimit, let oldest { drop(oldest) }
    }

    func remove(for key: String) {
        lock()
        defer { unlock() }
        if let node = nodes[key] { drop(node) }
    }

    /// One by one: a chain that is freed by its head is freed recursively.
    func removeAll() {
        lock()
        defer { unlock() }
        while let oldest { drop(oldest) }
    }

    private func lock() { pthread_mutex_lock(mutex) }
    private func unlock() { pthread_mutex_unlock(mutex) }

    private func drop(_ node: Node) {
        nodes[node.key] = nil
        unlink(node)
        totalCost -= node.cost
    }

    private func append(_ node: Node) {
        node.older = newest
        if let newest { newest.newer = node } else { oldest = node }
        newest = node
    }

    private func unlink(_ node: Node) {
        if let older = node.older { older.newer = node.newer } else { oldest = node.newer }
        if let newer = node.newer { newer.older = node.older } else { newest = node.older }
        node.older = nil
        node.newer = nil
    }
}
