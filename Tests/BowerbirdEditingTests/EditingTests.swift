import BowerbirdCore
import BowerbirdEditing
import BowerbirdTestSupport
import Testing

@Suite
struct `Rounded corners` {
    @Test func areTransparentAndTheMiddleIsUntouched() throws {
        let image = try RoundCorners(radius: 10).process(Picture.solid(.white))
        for (x, y) in [(0, 0), (39, 0), (0, 29), (39, 29)] { #expect(image.pixel(x, y) == [0, 0, 0, 0]) }
        for (x, y) in [(20, 0), (20, 29), (0, 15), (39, 15), (20, 15), (4, 4)] {
            #expect(image.pixel(x, y) == [255, 255, 255, 255])
        }
        #expect(!image.bitmap.isOpaque)
    }

    @Test func haveASmoothEdgeThatIsTheSameInAllFour() throws {
        let image = try RoundCorners(radius: 10).process(Picture.solid(.white))
        let edge = (0..<10).map { image.pixel($0, 1)[3] }
        #expect(edge.contains { $0 > 0 && $0 < 255 })
        #expect(edge == (0..<10).map { image.pixel(39 - $0, 1)[3] })
        #expect(edge == (0..<10).map { image.pixel($0, 28)[3] })
    }

    @Test func haveTheBorderInsideTheEdge() throws {
        let border = RoundCorners.Border(width: 3, color: Color(red: 255, green: 0, blue: 0))
        let image = try RoundCorners(radius: 10, border: border).process(Picture.solid(.white))
        for (x, y) in [(20, 0), (20, 2), (0, 15), (2, 15), (39, 15), (20, 29)] {
            #expect(image.pixel(x, y) == [0, 0, 255, 255])
        }
        for (x, y) in [(20, 3), (3, 15), (20, 15)] { #expect(image.pixel(x, y) == [255, 255, 255, 255]) }
        #expect(image.pixel(0, 0) == [0, 0, 0, 0])
    }

    @Test func withAnEndlessRadiusMakeACircle() throws {
        let image = try RoundCorners(radius: 1e9).process(Picture.solid(.white, width: 21, height: 21))
        #expect(image.pixel(10, 0)[3] > 200)
        #expect(image.pixel(2, 2)[3] == 0)
        #expect(image.pixel(10, 10) == [255, 255, 255, 255])
    }

    @Test(arguments: [-1, .nan, .infinity] as [Double])
    func withARadiusThatMakesNoSenseAreRefused(radius: Double) throws {
        let image = try Picture.solid(.white)
        #expect(throws: ProcessingError.self) { try RoundCorners(radius: radius).process(image) }
    }

    @Test(arguments: [(1, 1), (1, 9), (9, 1), (2, 2)])
    func workOnTheSmallestPictures(width: Int, height: Int) throws {
        let border = RoundCorners.Border(width: 4, color: .black)
        let image = try RoundCorners(radius: 3, border: border).process(
            Picture.solid(.white, width: width, height: height))
        #expect(image.size == PixelSize(width: width, height: height))
    }

    @Test func areKnownByEveryParameter() {
        let keys = [
            RoundCorners(radius: 10), RoundCorners(radius: 11),
            RoundCorners(radius: 10, border: .init(width: 1, color: .black)),
            RoundCorners(radius: 10, border: .init(width: 2, color: .black)),
            RoundCorners(radius: 10, border: .init(width: 1, color: .white)),
        ].map(\.cacheKey)
        #expect(Set(keys).count == keys.count)
    }
}

@Suite
struct `A tint` {
    @Test func mixesTheColourInByItsAlpha() throws {
        let image = try Tint(Color(red: 255, green: 0, blue: 0, alpha: 128)).process(Picture.solid(.white))
        #expect(image.pixel(5, 5) == [127, 127, 255, 255])
    }

    @Test func keepsTheShape() throws {
        let half = try Tint(Color(red: 255, green: 0, blue: 0)).process(Picture.solid(.white.withAlpha(100)))
        #expect(half.pixel(0, 0) == [0, 0, 100, 100])
        let none = try Tint(.black).process(Picture.solid(.clear))
        #expect(none.pixel(0, 0) == [0, 0, 0, 0])
    }

    @Test func withoutStrengthChangesNothing() throws {
        let picture = try Picture.solid(Color(red: 10, green: 200, blue: 77, alpha: 200))
        let image = try Tint(Color(red: 255, green: 0, blue: 0, alpha: 0)).process(picture)
        #expect(image.pixel(3, 3) == picture.pixel(3, 3))
    }

    @Test func neverMakesColourExceedAlpha() throws {
        for alpha in stride(from: 0, through: 255, by: 15) {
            let picture = try Picture.solid(.white.withAlpha(UInt8(alpha)), width: 1, height: 1)
            for strength in stride(from: 0, through: 255, by: 15) {
                let pixel = try Tint(.white.withAlpha(UInt8(strength))).process(picture).pixel(0, 0)
                #expect(pixel[0] <= pixel[3] && pixel[3] == UInt8(alpha))
            }
        }
    }

    @Test func worksOnCanonicalPixelsOnly() throws {
        let size = PixelSize(width: 1, height: 1)
        let deep = try PixelBuffer.make(1, 1, format: .rgba16Straight).freeze()
        let image = DecodedImage(bitmap: deep, header: ImageHeader(format: .png, storedSize: size))
        #expect(throws: ProcessingError.unsupportedPixels(.rgba16Straight)) { try Tint(.black).process(image) }
    }
}

@Suite
struct `Resizing` {
    @Test(arguments: Resize.Filter.allCases)
    func keepsAFlatColourExactly(filter: Resize.Filter) throws {
        let picture = try Picture.solid(Color(red: 10, green: 200, blue: 77, alpha: 200), width: 64, height: 48)
        let image = try Resize(PixelSize(width: 10, height: 10), filter: filter).process(picture)
        #expect(image.size == PixelSize(width: 10, height: 8))
        #expect(image.pixel(4, 4) == picture.pixel(0, 0))
        #expect(image.header.size == PixelSize(width: 64, height: 48))
    }

    @Test func enlargesOnlyWhenAsked() throws {
        let picture = try Picture.solid(.white, width: 4, height: 4)
        let room = PixelSize(width: 8, height: 8)
        #expect(try Resize(room).process(picture).bitmap.isIdentical(to: picture.bitmap))
        #expect(try Resize(room, allowsUpscaling: true).process(picture).size == room)
    }

    @Test func refusesASizeThatMakesNoSense() throws {
        let picture = try Picture.solid(.white)
        #expect(throws: ProcessingError.self) { try Resize(PixelSize(width: 0, height: 5)).process(picture) }
    }

    @Test func isKnownByEveryParameter() {
        let size = PixelSize(width: 8, height: 8)
        let keys = [
            Resize(size), Resize(PixelSize(width: 9, height: 8)), Resize(size, mode: .fill),
            Resize(size, allowsUpscaling: true), Resize(size, filter: .box),
        ].map(\.cacheKey)
        #expect(Set(keys).count == keys.count)
    }
}
