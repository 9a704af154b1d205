import BowerbirdCore
import BowerbirdEditing
import Testing

@Suite
struct `A chain` {
    private let first = Invert()
    private let second = Sepia(intensity: 0.5)
    private let third = RoundCorners(radius: 4)

    @Test func doesOneAfterTheOther() throws {
        let picture = try Picture.colorful()
        let expected = try third.process(second.process(first.process(picture)))
        #expect(try Chain([first, second, third]).process(picture).pixelBytes == expected.pixelBytes)
    }

    @Test func ofNothingIsTheVeryPicture() throws {
        let picture = try Picture.colorful()
        #expect(try Chain([]).process(picture).bitmap.isIdentical(to: picture.bitmap))
    }

    @Test func takesTheProcessorsOfChainsInIt() {
        let nested = Chain([Chain([first, Chain([second])]), third, Chain([])])
        #expect(nested.processors.map(\.cacheKey) == [first.cacheKey, second.cacheKey, third.cacheKey])
        #expect(nested == Chain([first, second, third]))
    }

    @Test func hasAllShorterChainsThatBeginItAsPrefixes() {
        #expect(Chain([first, second, third]).prefixes == [Chain([first]), Chain([first, second])])
        #expect(Chain([first]).prefixes.isEmpty && Chain([]).prefixes.isEmpty)
    }

    @Test func isKnownByItsProcessorsAndTheirOrder() {
        let chains = [
            Chain([]), Chain([first]), Chain([first, first]), Chain([first, second]), Chain([second, first]),
            Chain([custom("a b")]), Chain([custom("a"), custom("b")]), Chain([custom("a 8:custom b")]),
            Chain([custom("a 8:custom"), custom("b")]),
        ]
        #expect(Set(chains.map(\.cacheKey)).count == chains.count && Set(chains).count == chains.count)
    }

    @Test func endsWithTheErrorOfTheFirstThatFails() throws {
        let picture = try Picture.solid(.white)
        let chain = Chain([first, Sepia(intensity: 2), custom("never reached")])
        #expect(throws: ProcessingError.self) { try chain.process(picture) }
    }

    @Test func endsBetweenTwoWhenItsTaskIsCancelled() async throws {
        #expect(try await Chain([custom("does not look")]).endsWhenCancelled())
    }

    private func custom(_ key: String) -> Custom {
        Custom(key: key) { image throws(ProcessingError) in image }
    }
}

@Suite
struct `A processor of the caller's own` {
    @Test func doesWhatItsClosureDoes() throws {
        let picture = try Picture.colorful()
        let custom = Custom(key: "negative") { image throws(ProcessingError) in try Invert().process(image) }
        #expect(try custom.process(picture).pixelBytes == Invert().process(picture).pixelBytes)
        let failing = Custom(key: "failing") { _ throws(ProcessingError) in throw .invalidParameter("never") }
        #expect(throws: ProcessingError.invalidParameter("never")) { try failing.process(picture) }
    }

    @Test func isKnownByItsKey() {
        let one = Custom(key: "a") { image throws(ProcessingError) in image }
        let same = Custom(key: "a") { _ throws(ProcessingError) in throw .cancelled }
        let other = Custom(key: "b") { image throws(ProcessingError) in image }
        #expect(one == same && one.cacheKey == same.cacheKey && Set([one, same, other]).count == 2)
        #expect(one != other && one.cacheKey != other.cacheKey)
    }
}
