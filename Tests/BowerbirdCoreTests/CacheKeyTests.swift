import BowerbirdCore
import Testing

@Suite
struct `The source of a cache key` {
    @Test func isItsTextUnlessAnotherIsGiven() {
        #expect(CacheKey("picture").source == "picture")
        #expect(CacheKey("picture 10x10", source: "picture").source == "picture")
        #expect(CacheKey("picture", source: "").source.isEmpty)
    }

    @Test func hasNoPartInEquality() {
        let plain = CacheKey("picture 10x10")
        let sourced = CacheKey("picture 10x10", source: "picture")
        #expect(plain == sourced)
        #expect(plain.hashValue == sourced.hashValue)
        #expect(CacheKey("a", source: "picture") != CacheKey("b", source: "picture"))
        #expect([plain: 1][sourced] == 1)
    }
}
