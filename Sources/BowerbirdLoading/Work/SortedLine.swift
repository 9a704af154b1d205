/// A line that stays sorted. Elements come nearly in order and leave mostly from the front, so both are cheap however
/// long it is.
struct SortedLine<Element: Comparable> {
    /// Sorted from `head` on; what is before has left.
    private var elements: [Element] = []
    private var head = 0

    var isEmpty: Bool { head == elements.count }
    var first: Element? { isEmpty ? nil : elements[head] }

    func first(where isWanted: (Element) -> Bool) -> Element? { elements[head...].first(where: isWanted) }

    mutating func insert(_ element: Element) { elements.insert(element, at: index(of: element)) }

    /// Nothing happens where it is not there.
    mutating func remove(_ element: Element) {
        let index = index(of: element)
        guard index < elements.count, elements[index] == element else { return }
        if index == head { removeFirst() } else { elements.remove(at: index) }
    }

    private mutating func removeFirst() {
        head += 1
        guard head * 2 > elements.count else { return }
        elements.removeFirst(head)
        head = 0
    }

    /// Where `element` is, or belongs.
    private func index(of element: Element) -> Int {
        guard let last = elements.last, element <= last else { return elements.count }
        var (low, high) = (head, elements.count)
        while low < high {
            let middle = (low + high) / 2
            if elements[middle] < element { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
