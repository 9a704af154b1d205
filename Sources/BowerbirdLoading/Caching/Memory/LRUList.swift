/// Values in the order of their last use, each with a cost.
///
/// The nodes lie side by side in one array and point at each other by index, so that a use is a few writes to memory
/// that is likely near. There are no holes: what is removed is replaced by the last node.
struct LRUList<Key: Hashable, Value> {
    fileprivate struct Node {
        let key: Key
        var value: Value
        var cost: Int
        /// The node used just before this one; nil for the oldest.
        var older: Int?
        /// The node used just after this one; nil for the newest.
        var newer: Int?
    }

    private var nodes: [Node] = []
    private var indices: [Key: Int] = [:]
    private var oldest: Int?
    private var newest: Int?

    private(set) var totalCost = 0
    var count: Int { nodes.count }

    /// The value under `key`, which becomes the newest.
    mutating func use(_ key: Key) -> Value? {
        guard let index = indices[key] else { return nil }
        makeNewest(index)
        return nodes[index].value
    }

    /// Adds `value` as the newest. Returns the one that was there under `key`.
    mutating func insert(_ value: Value, for key: Key, cost: Int) -> Value? {
        totalCost += cost
        guard let index = indices[key] else {
            append(Node(key: key, value: value, cost: cost, older: nil, newer: nil))
            return nil
        }
        let replaced = nodes[index]
        totalCost -= replaced.cost
        nodes[index].value = value
        nodes[index].cost = cost
        makeNewest(index)
        return replaced.value
    }

    private mutating func append(_ node: Node) {
        let index = nodes.count
        nodes.append(node)
        indices[node.key] = index
        linkAsNewest(index)
    }

    mutating func remove(_ key: Key) -> Value? {
        indices[key].map { remove(at: $0) }
    }

    mutating func removeOldest() -> Value? {
        oldest.map { remove(at: $0) }
    }

    /// Looks at every key. Returns the values that went.
    mutating func removeAll(where isRemoved: (Key) -> Bool) -> [Value] {
        indices.keys.filter(isRemoved).compactMap { remove($0) }
    }

    private mutating func remove(at index: Int) -> Value {
        unlink(index)
        let removed = nodes[index]
        indices[removed.key] = nil
        totalCost -= removed.cost
        moveLastNode(to: index)
        return removed.value
    }

    private mutating func moveLastNode(to index: Int) {
        let last = nodes.removeLast()
        guard index < nodes.count else { return }
        nodes[index] = last
        indices[last.key] = index
        connect(last.older, index)
        connect(index, last.newer)
    }

    private mutating func makeNewest(_ index: Int) {
        guard index != newest else { return }
        unlink(index)
        linkAsNewest(index)
    }

    private mutating func unlink(_ index: Int) {
        connect(nodes[index].older, nodes[index].newer)
    }

    private mutating func linkAsNewest(_ index: Int) {
        connect(newest, index)
        connect(index, nil)
    }

    /// Makes two nodes neighbours; nil stands for what lies beyond an end.
    private mutating func connect(_ older: Int?, _ newer: Int?) {
        if let older { nodes[older].newer = newer } else { oldest = newer }
        if let newer { nodes[newer].older = older } else { newest = older }
    }
}

extension LRUList.Node: Sendable where Key: Sendable, Value: Sendable {}
extension LRUList: Sendable where Key: Sendable, Value: Sendable {}
