import BowerbirdCore
import Testing

@testable import BowerbirdLoading

@Suite struct LRUTableTests {
    /// Every sequence of five steps over three keys, compared with a plain array after each step.
    @Test func everyShortSequenceOfStepsDoesWhatAPlainArrayDoes() {
        for sequence in 0..<Self.power(Step.all.count, 5) {
            var table = LRUTable<Int>()
            var model = Model()
            var rest = sequence
            for position in 0..<5 {
                let step = Step.all[rest % Step.all.count]
                rest /= Step.all.count
                let answers = (step.apply(to: &table, value: position), step.apply(to: &model, value: position))
                guard answers.0 == answers.1, table.count == model.items.count, table.totalCost == model.totalCost
                else {
                    Issue.record("sequence \(sequence) differs after step \(position), \(step)")
                    return
                }
            }
            if Self.drain(&table) != model.items.map(\.value) { Issue.record("sequence \(sequence) has another order") }
        }
    }

    @Test func manyEntriesLeaveInTheOrderOfTheirLastUse() {
        var table = LRUTable<Int>()
        let keys = (0..<1000).map { CacheKey("\($0)") }
        for (number, key) in keys.enumerated() { _ = table.insert(number, for: key, cost: 1) }
        for number in stride(from: 0, to: 1000, by: 2) { _ = table.use(keys[number]) }
        let odd = Array(stride(from: 1, to: 1000, by: 2))
        let even = Array(stride(from: 0, to: 1000, by: 2))
        #expect(Self.drain(&table) == odd + even)
        #expect(table.totalCost == 0)
    }

    /// The part of the digest that the table looks at first is the same for hardly any two keys; here it is for all.
    @Test func keysWithTheSameTagAreToldApart() {
        var index = DigestIndex()
        for number in 1..<100 { index.insert(UInt32(number), 7) }
        for number in stride(from: 1, to: 100, by: 3) { index.remove(UInt32(number), 7) }
        for number in 1..<100 {
            let found = index.first(7) { $0 == number }
            #expect((found != nil) == (number % 3 != 1))
        }
    }

    /// Homes at the end of the places, so that what is pushed on begins again at the first.
    @Test func removingClosesHolesAcrossTheEnd() {
        for removed in 1...6 {
            var index = DigestIndex()
            let tags: [UInt32] = [15, 15, 14, 15, 0, 1]
            for (position, tag) in tags.enumerated() { index.insert(UInt32(position + 1), tag) }
            index.remove(UInt32(removed), tags[removed - 1])
            for (position, tag) in tags.enumerated() {
                let found = index.first(tag) { $0 == position + 1 }
                #expect((found != nil) == (position + 1 != removed))
            }
        }
    }

    @Test func valuesAreFreedWithTheTable() {
        weak var kept: Probe?
        do {
            var table = LRUTable<Probe>()
            let probe = Probe()
            kept = probe
            for number in 0..<20 { _ = table.insert(probe, for: CacheKey("\(number)"), cost: 1) }
            for number in 0..<10 { _ = table.remove(CacheKey("\(number)")) }
            #expect(kept != nil)
        }
        #expect(kept == nil)
    }

    private final class Probe: Sendable {}

    private static func drain(_ table: inout LRUTable<Int>) -> [Int] {
        var values: [Int] = []
        while let value = table.removeOldest()?.value { values.append(value) }
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
    private static let keys = (0..<3).map { CacheKey("\($0)") }

    func apply(to table: inout LRUTable<Int>, value: Int) -> Int? {
        switch self {
        case .insert(let key): table.insert(value, for: Self.keys[key], cost: value + key)
        case .use(let key): table.use(Self.keys[key])
        case .remove(let key): table.remove(Self.keys[key])
        case .removeOldest: table.removeOldest()?.value
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
