import BowerbirdCore
import BowerbirdEditing
import Testing

@Suite
struct `Keys of processors of colour` {
    @Test func areDifferentForDifferentParameters() {
        let keys = ProcessorSamples.color.map(\.cacheKey)
        let twice = Dictionary(grouping: keys) { $0 }.filter { $0.value.count > 1 }
        #expect(twice.isEmpty && keys.count > 80)
    }

    @Test func areTheSameForBothZeros() {
        let (zero, negative) = (UnitPoint(x: 0, y: 0), UnitPoint(x: -0.0, y: -0.0))
        #expect(GradientTint([.white], from: zero) == GradientTint([.white], from: negative))
        #expect(GradientTint([.white], from: zero).cacheKey == GradientTint([.white], from: negative).cacheKey)
    }
}
