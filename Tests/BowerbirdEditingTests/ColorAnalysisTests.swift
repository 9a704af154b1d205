import BowerbirdCore
import BowerbirdEditing
import BowerbirdTestSupport
import Testing

@Suite
struct `The average colour` {
    @Test func isTheMeanOfAllPixels() throws {
        let picture = try Picture.drawn(width: 4, height: 2) { x, y in
            Color(red: UInt8(x * 40), green: UInt8(y * 100), blue: 7)
        }
        #expect(try picture.averageColor == Color(red: 60, green: 50, blue: 7))
    }

    @Test func takesNoColourFromTransparentPixels() throws {
        let red = Color(red: 200, green: 0, blue: 0)
        let picture = try Picture.drawn(width: 4, height: 1, isOpaque: false) { x, _ in x == 0 ? red : .clear }
        #expect(try picture.averageColor == red.withAlpha(64))
        #expect(try Picture.solid(.clear).averageColor == .clear)
    }

    @Test func isOfCanonicalPixels() throws {
        let deep = try Picture.deep()
        #expect(throws: ProcessingError.unsupportedPixels(.rgba16Straight)) { try deep.averageColor }
    }
}

@Suite
struct `The colour at a point` {
    @Test func isStraight() throws {
        let color = Color(red: 200, green: 100, blue: 0, alpha: 51)
        let image = try Picture.solid(color)
        #expect(image.color(at: 39, 29) == color)
        #expect(try Picture.solid(.clear).color(at: 0, 0) == .clear)
    }

    @Test(arguments: [(-1, 0), (0, -1), (40, 0), (0, 30), (.max, .max), (.min, 0)] as [(Int, Int)])
    func isNilOutside(x: Int, y: Int) throws {
        #expect(try Picture.solid(.white).color(at: x, y) == nil)
    }

    @Test func isKnownOfEveryKindOfPixels() throws {
        var straight = try PixelBuffer.make(1, 1, format: .rgba8Straight)
        straight.withRow(0) { $0.storeBytes(of: SIMD4<UInt8>(1, 2, 3, 4), toByteOffset: 0, as: SIMD4<UInt8>.self) }
        #expect(straight.freeze().color(at: 0, 0) == Color(red: 1, green: 2, blue: 3, alpha: 4))
        var deep = try PixelBuffer.make(1, 1, format: .rgba16Straight)
        let words = SIMD4<UInt16>(0, 257, 0x8080, 0xFFFF)
        deep.withRow(0) { $0.storeBytes(of: words, toByteOffset: 0, as: SIMD4<UInt16>.self) }
        #expect(deep.freeze().color(at: 0, 0) == Color(red: 0, green: 1, blue: 128))
    }
}

@Suite
struct `Dominant colours` {
    private static let red = Color(red: 250, green: 10, blue: 10)
    private static let blue = Color(red: 10, green: 10, blue: 240)

    private func flag() throws -> DecodedImage {
        try Picture.drawn(width: 100, height: 50) { x, y in x < 60 ? Self.red : y < 25 ? Self.blue : .white }
    }

    @Test func areThoseOfMostPixelsFirst() throws {
        let colors = try flag().dominantColors(count: 3)
        #expect(Set(colors.map(\.color)) == [Self.red, Self.blue, .white])
        #expect(colors[0].color == Self.red)
        #expect(zip(colors, [0.6, 0.2, 0.2]).allSatisfy { abs($0.share - $1) < 1e-9 })
    }

    @Test func areNoMoreThanThePictureHas() throws {
        #expect(try flag().dominantColors(count: 256).count == 3)
        #expect(try Picture.solid(.clear).dominantColors(count: 4).isEmpty)
        let one = try Picture.solid(Color(red: 1, green: 2, blue: 3), width: 1, height: 1)
        #expect(try one.dominantColors(count: 5) == [DominantColor(color: Color(red: 1, green: 2, blue: 3), share: 1)])
    }

    @Test(arguments: [1, 2, 5, 16, 256])
    func addUpToThePictureAndAreAlwaysTheSame(count: Int) throws {
        let picture = try Picture.drawn(width: 300, height: 211) { x, y in
            Color(red: UInt8(x * 255 / 300), green: UInt8(y), blue: UInt8((x ^ y) & 255))
        }
        let colors = try picture.dominantColors(count: count)
        #expect(colors.count == count)
        #expect(abs(colors.reduce(0) { $0 + $1.share } - 1) < 1e-9)
        #expect(zip(colors, colors.dropFirst()).allSatisfy { $0.share >= $1.share })
        #expect(try picture.dominantColors(count: count) == colors)
    }

    @Test func doNotCountTransparentPixels() throws {
        let picture = try Picture.drawn(width: 10, height: 1, isOpaque: false) { x, _ in x < 2 ? Self.red : .clear }
        #expect(try picture.dominantColors(count: 2) == [DominantColor(color: Self.red, share: 1)])
    }

    @Test(arguments: [0, -1, 257, .max, .min])
    func ofACountThatMakesNoSenseAreRefused(count: Int) throws {
        let picture = try flag()
        #expect(throws: ProcessingError.self) { try picture.dominantColors(count: count) }
    }

    @Test func areOfCanonicalPixels() throws {
        let deep = try Picture.deep()
        #expect(throws: ProcessingError.unsupportedPixels(.rgba16Straight)) { try deep.dominantColors(count: 2) }
    }
}
