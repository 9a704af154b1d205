import Testing

@testable import BowerbirdLoading

@Suite struct LRUListTests {
    /// Every sequence of five steps over three keys, compared with a plain array after each step.
    @Test func everyShortSequenceOfStepsDoesWhatAPlainArrayDoes() {
        for sequence in 0..<Self.power(Step.all.count, 5) {
            var list = LRUList<Int, Int>()
            var model = Model()
            var rest = sequence
            for position in 0..<5 {
                let step = Step.all[rest % Step.all.count]
                rest /= Step.all.count
                let answers = (step.apply(to: &list, value: position), step.apply(to: &model, value: position))
                guard answers.0 == answers.1, list.count == model.items.count, list.totalCost == model.totalCost else {
                    Issue.record("sequence \(sequence) differs after step \(position), \(step)")
                    return
                }
            }
            if Self.drain(&list) != model.items.map(\.value) { Issue.record("sequence \(sequence) has another order") }
        }
    }

    @Test func manyEntriesLeaveInTheOrderOfTheirLastUse() {
        var list = LRUList<Int, Int>()
        for key in 0..<1000 { _ = list.insert(key, for: key, cost: 1) }
        for key in stride(from: 0, to: 1000, by: 2) { _ = list.use(key) }
        let odd = Array(stride(from: 1, to: 1000, by: 2))
        let even = Array(stride(from: 0, to: 1000, by: 2))
        #expect(Self.drain(&list) == odd + even)
        #expect(list.totalCost == 0)
    }

    private static func drain(_ list: inout LRUList<Int, Int>) -> [Int] {
        var values: [Int] = []
        while let value = list.removeOldest() { values.append(value) }
        return values
    }

    private static func power(_ base: Int, _ exponent: Int) -> Int {
        (0..<exponent).reduce(1) { product, _ in product * base }
    }
}

private enum Step {
    case insert(Int)
    case use(Int)
    case remove(Int)
    case removeOldest

    static let all: [Step] = (0..<3).flatMap { [.insert($0), .use($0), .remove($0)] } + [.removeOldest]

    func apply(to list: inout LRUList<Int, Int>, value: Int) -> Int? {
        switch self {
        case .insert(let key): list.insert(value, for: key, cost: value + key)
        case .use(let key): list.use(key)
        case .remove(let key): list.remove(key)
        case .removeOldest: list.removeOldest()
        }
    }

    func apply(to model: inout Model, value: Int) -> Int? {
        switch self {
        case .insert(let key): model.insert(value, for: key, cost: value + key)
        case .use(let key): model.use(key)
        case .remove(let key): model.take(key)?.value
        case .removeOldest: model.items.isEmpty ? nil : model.items.removeFirst().value
        }
    }
}

/// The same thing, slow and plain: oldest first.
private struct Model {
    var items: [(key: Int, value: Int, cost: Int)] = []

    var totalCost: Int { items.map(\.cost).reduce(0, +) }

    mutating func take(_ key: Int) -> (key: Int, value: Int, cost: Int)? {
        items.firstIndex { $0.key == key }.map { items.remove(at: $0) }
    }

    mutating func insert(_ value: Int, for key: Int, cost: Int) -> Int? {
        let replaced = take(key)
        items.append((key, value, cost))
        return replaced?.value
    }

    mutating func use(_ key: Int) -> Int? {
        guard let item = take(key) else { return nil }
        items.append(item)
        return item.value
    }
}
