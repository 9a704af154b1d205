import BowerbirdCore
import BowerbirdEditing
import Testing

@Suite
struct `The cache keys of all processors` {
    private let all = ProcessorSamples.color + ProcessorSamples.filtering + ProcessorSamples.geometry

    @Test func areDifferentForDifferentParameters() {
        let keys = Dictionary(grouping: all.map(\.cacheKey)) { $0 }
        #expect(keys.filter { $0.value.count > 1 }.keys.sorted() == [])
        #expect(keys.count > 150)
    }

    @Test func beginWithTheNameOfTheirProcessor() {
        for processor in all {
            let name = "\(type(of: processor))"
            let first = processor.cacheKey.split(separator: " ", maxSplits: 1).first.map(String.init)
            #expect(first?.lowercased() == name.lowercased(), "\(processor.cacheKey)")
        }
    }
}
