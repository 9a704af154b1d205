import BowerbirdCore
import BowerbirdEditing
import Testing

@Suite
struct `A frame` {
    @Test func insideTheEdgeLiesOverThePicture() throws {
        let picture = try Picture.geometric(20, 12)
        let image = try Border(width: 3, color: .white).process(picture)
        #expect(image.size == picture.size && image.bitmap.isOpaque)
        for y in 0..<12 {
            for x in 0..<20 {
                let isFrame = x < 3 || y < 3 || x >= 17 || y >= 9
                #expect(image.rgb(x, y) == (isFrame ? [255, 255, 255] : picture.rgb(x, y)))
            }
        }
    }

    @Test func insideTheEdgeLetsThePictureShineThrough() throws {
        let color = Color(red: 255, green: 0, blue: 0, alpha: 102)
        let clear = try Border(width: 1, color: color).process(Picture.solid(.clear))
        #expect(clear.pixel(0, 5) == [0, 0, 102, 102] && clear.pixel(1, 1) == [0, 0, 0, 0])
        let white = try Border(width: 1, color: color).process(Picture.solid(.white))
        #expect(white.pixel(0, 5) == [153, 153, 255, 255] && white.isValid)
    }

    @Test func outsideTheEdgeLetsThePictureGrow() throws {
        let picture = try Picture.geometric(20, 12)
        let image = try Border(width: 3, color: .white, placement: .outset).process(picture)
        #expect(image.size == PixelSize(width: 26, height: 18) && image.bitmap.isOpaque)
        #expect(image.rgb(2, 9) == [255, 255, 255] && image.rgb(23, 17) == [255, 255, 255])
        #expect(try Crop(picture.size).process(image).looks(like: picture))
        let half = try Border(width: 1, color: .white.withAlpha(100), placement: .outset).process(picture)
        #expect(half.pixel(0, 0) == [100, 100, 100, 100] && !half.bitmap.isOpaque)
    }

    @Test(arguments: [(6, 3), (3, 6), (1, 1), (5, 5)])
    func widerThanThePictureCoversIt(width: Int, height: Int) throws {
        let picture = try Picture.solid(.white, width: width, height: height)
        for line in [3, 100, .max] {
            let image = try Border(width: line, color: .black).process(picture)
            #expect(image.pixels.allSatisfy { $0 == 0xFF00_0000 })
        }
    }

    @Test func leavesTheMiddlePixel() throws {
        let image = try Border(width: 2, color: .black).process(Picture.solid(.white, width: 5, height: 5))
        #expect(image.pixels.indices.filter { image.pixels[$0] == 0xFFFF_FFFF } == [12])
    }

    @Test func withoutWidthOrColourIsTheSamePicture() throws {
        let picture = try Picture.solid(.white)
        for placement in Border.Placement.allCases {
            let image = try Border(width: 0, color: .black, placement: placement).process(picture)
            #expect(image.bitmap.isIdentical(to: picture.bitmap))
        }
        #expect(try Border(width: 3, color: .clear).process(picture).bitmap.isIdentical(to: picture.bitmap))
        let grown = try Border(width: 3, color: .clear, placement: .outset).process(picture)
        #expect(grown.size == PixelSize(width: 46, height: 36) && !grown.bitmap.isOpaque)
    }

    @Test func ofNegativeOrEndlessWidthIsATypedError() throws {
        let picture = try Picture.solid(.white)
        #expect(throws: ProcessingError.invalidParameter("a border cannot be -1 pixels wide")) {
            try Border(width: -1, color: .black).process(picture)
        }
        for width in [Int.max, .max / 2, 1 << 40] {
            #expect { try Border(width: width, color: .black, placement: .outset).process(picture) } throws: { error in
                if case ProcessingError.outOfMemory = error { true } else { false }
            }
        }
    }
}

@Suite
struct `A background` {
    @Test func isSeenWhereThePictureIsTransparent() throws {
        let picture = try Picture.geometric(3, 1, isOpaque: false) { x, _ in
            Color(red: 255, green: 255, blue: 255, alpha: [0, 102, 255][x])
        }
        let image = try Background(Color(red: 200, green: 100, blue: 0)).process(picture)
        #expect(image.rgb(0, 0) == [200, 100, 0] && image.rgb(1, 0) == [222, 162, 102])
        #expect(image.rgb(2, 0) == [255, 255, 255])
        #expect(image.bitmap.isOpaque && image.isValid)
    }

    @Test func mayBeTransparentItself() throws {
        let image = try Background(.white.withAlpha(100)).process(Picture.solid(.clear))
        #expect(image.pixel(3, 3) == [100, 100, 100, 100] && !image.bitmap.isOpaque)
    }

    @Test func isExactForAllAlphas() throws {
        for alpha in stride(from: UInt8(0), through: 255, by: 5) {
            let picture = try Picture.geometric(256, 1, isOpaque: false) { x, _ in Color.black.withAlpha(UInt8(x)) }
            let image = try Background(.white.withAlpha(alpha)).process(picture)
            for x in 0..<256 {
                let behind = (Double(alpha) * Double(255 - x) / 255).rounded()
                #expect(image.pixel(x, 0)[0] == UInt8(behind) && image.pixel(x, 0)[3] == UInt8(behind) + UInt8(x))
            }
        }
    }

    @Test func thatCannotBeSeenIsTheSamePicture() throws {
        let (opaque, clear) = (try Picture.solid(.white), try Picture.solid(.clear))
        #expect(try Background(.black).process(opaque).bitmap.isIdentical(to: opaque.bitmap))
        #expect(try Background(.clear).process(clear).bitmap.isIdentical(to: clear.bitmap))
    }
}
