import BowerbirdCore
import BowerbirdEditing
import BowerbirdTestSupport
import Testing

@Suite
struct `A blur` {
    /// From Pillow 13: `ImageFilter.GaussianBlur(radius)`, which rounds to bytes after each of its six passes.
    @Test(
        arguments: [
            (0.5, [[3, 6, 0], [115, 123, 105], [250, 55, 68], [250, 6, 9], [138, 55, 85]]),
            (2, [[24, 43, 8], [115, 115, 94], [229, 132, 130], [229, 43, 66], [138, 132, 145]]),
            (6.5, [[80, 72, 46], [122, 74, 64], [173, 77, 87], [173, 72, 71], [131, 77, 75]]),
        ] as [(Double, [[Int]])])
    func isWithinThreeLevelsOfPillows(radius: Double, expected: [[Int]]) throws {
        let image = try Blur(radius: radius).process(Picture.filteringSample())
        for ((x, y), pixel) in zip([(0, 0), (5, 3), (11, 7), (11, 0), (6, 7)], expected) {
            #expect(greatestDifference(image.rgb(x, y), pixel) <= 3, "\(x), \(y): \(image.rgb(x, y)), not \(pixel)")
        }
    }

    /// The density of the normal distribution, times 255.
    @Test func ofALineIsTheBellCurve() throws {
        let picture = try Picture.drawn(width: 61, height: 3) { x, _ in x == 30 ? .white : .black }
        let image = try Blur(radius: 2).process(picture)
        let expected = [51, 45, 31, 17, 7, 2, 1, 0]
        #expect(greatestDifference((0..<8).map { image.rgb(30 + $0, 1)[0] }, expected) <= 2)
        #expect((0..<8).allSatisfy { image.pixel(30 + $0, 1) == image.pixel(30 - $0, 1) })
    }

    @Test(arguments: [0.1, 0.7, 1, 3, 20, 1000, 1e5, 1e300] as [Double])
    func keepsAFlatColourExactly(radius: Double) throws {
        let picture = try Picture.solid(Color(red: 10, green: 200, blue: 77, alpha: 201))
        #expect(try Blur(radius: radius).process(picture).allBytes == picture.allBytes)
    }

    @Test(arguments: [0.3, 1, 2.5, 5, 9] as [Double])
    func keepsTheMean(radius: Double) throws {
        var seed: UInt32 = 7
        let picture = try Picture.drawn(width: 90, height: 80) { x, y in
            seed = seed &* 1_664_525 &+ 1_013_904_223
            let isInside = (30..<60).contains(x) && (30..<50).contains(y)
            return isInside ? Color(red: UInt8(seed >> 24), green: UInt8(seed >> 16 & 255), blue: 9) : .black
        }
        let image = try Blur(radius: radius).process(picture)
        for (before, after) in zip(picture.meanPixel, image.meanPixel) { #expect(abs(before - after) < 0.5) }
    }

    @Test(arguments: [30, 500, 1e5] as [Double])
    func mayBeLargerThanThePicture(radius: Double) throws {
        let picture = try Picture.drawn(width: 9, height: 5) { x, _ in x < 4 ? .black : .white }
        let image = try Blur(radius: radius).process(picture)
        #expect((0..<9).allSatisfy { abs(image.rgb($0, 2)[0] - 127) < 20 })
    }

    @Test func spreadsBothWaysAlike() throws {
        let picture = try Picture.drawn(width: 41, height: 41) { x, y in x == 20 && y == 20 ? .white : .black }
        let image = try Blur(radius: 1.4).process(picture)
        for y in 0..<41 {
            for x in 0..<41 { #expect(greatestDifference(image.rgb(x, y), image.rgb(y, x)) <= 1) }
        }
    }

    @Test func withoutSaturationIsGrey() throws {
        let image = try Blur(radius: 0, saturation: 0).process(Picture.filteringSample())
        #expect((0..<12).allSatisfy { Set(image.rgb($0, 3)).count == 1 })
    }

    @Test func withMoreSaturationKeepsGreyAndMovesColours() throws {
        let gray = try Picture.solid(Color(red: 90, green: 90, blue: 90))
        #expect(try Blur(radius: 2, saturation: 1.8).process(gray).rgb(3, 3) == [90, 90, 90])
        let red = try Picture.solid(Color(red: 150, green: 100, blue: 100))
        // The grey is (54 × 150 + 202 × 100) ÷ 256 = 111.
        #expect(try Blur(radius: 2, saturation: 2).process(red).rgb(3, 3) == [189, 89, 89])
    }

    @Test func laysTheTintWithinTheShape() throws {
        let half = try Blur(radius: 2, tint: .white.withAlpha(51)).process(Picture.solid(.black.withAlpha(100)))
        #expect(half.pixel(3, 3) == [20, 20, 20, 100])
        let none = try Blur.dark.process(Picture.solid(.clear))
        #expect(none.pixel(3, 3) == [0, 0, 0, 0])
    }

    @Test func hasPresetsOfAKnownStrength() throws {
        let picture = try Picture.solid(.black)
        #expect(try Blur.soft.process(picture).rgb(3, 3) == [77, 77, 77])
        #expect(try Blur.light.process(picture).rgb(3, 3) == [77, 77, 77])
        #expect(try Blur.extraLight.process(picture).rgb(3, 3) == [202, 202, 202])
        #expect(try Blur.dark.process(picture).rgb(3, 3) == [20, 20, 20])
        #expect(try Blur.tinted(.white).process(picture).rgb(3, 3) == [153, 153, 153])
    }
}
