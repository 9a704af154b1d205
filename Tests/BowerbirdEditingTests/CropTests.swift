import BowerbirdCore
import BowerbirdEditing
import Testing

@Suite
struct `Cropping` {
    @Test func keepsThePixelsOfARectangle() throws {
        let picture = try Picture.geometric(20, 10)
        let image = try Crop(PixelRect(x: 3, y: 4, size: PixelSize(width: 5, height: 2))).process(picture)
        #expect(try image.looks(like: Picture.geometric(5, 2) { x, y in Picture.numbered(x: x + 3, y: y + 4) }))
        #expect(image.bitmap.isOpaque)
    }

    @Test(arguments: [
        (Anchor.topLeft, 0, 0), (.top, 7, 0), (.topRight, 15, 0), (.left, 0, 4), (.center, 7, 4), (.right, 15, 4),
        (.bottomLeft, 0, 8), (.bottom, 7, 8), (.bottomRight, 15, 8),
    ])
    func keepsASizeAtAnAnchor(anchor: Anchor, x: Int, y: Int) throws {
        let image = try Crop(PixelSize(width: 5, height: 2), anchor: anchor).process(Picture.geometric(20, 10))
        #expect(image.size == PixelSize(width: 5, height: 2))
        #expect(image.rgb(0, 0) == [x, y, 0])
    }

    @Test func isClampedToThePicture() throws {
        let picture = try Picture.geometric(20, 10)
        let over = try Crop(PixelRect(x: -5, y: 7, size: PixelSize(width: 8, height: .max))).process(picture)
        #expect(over.size == PixelSize(width: 3, height: 3))
        #expect(over.rgb(0, 0) == [0, 7, 0])
        let high = try Crop(PixelSize(width: 4, height: .max), anchor: .right).process(picture)
        #expect(high.size == PixelSize(width: 4, height: 10))
    }

    @Test func ofACropIsACrop() throws {
        let picture = try Picture.geometric(30, 30)
        let first = try Crop(PixelRect(x: 4, y: 5, size: PixelSize(width: 20, height: 20))).process(picture)
        let second = try Crop(PixelRect(x: 6, y: 7, size: PixelSize(width: 8, height: 9))).process(first)
        let once = try Crop(PixelRect(x: 10, y: 12, size: PixelSize(width: 8, height: 9))).process(picture)
        #expect(second.looks(like: once))
    }

    @Test func ofAllIsTheSamePicture() throws {
        let picture = try Picture.geometric(20, 10)
        #expect(try Crop(PixelRect(picture.size)).process(picture).bitmap.isIdentical(to: picture.bitmap))
        let huge = PixelSize(width: .max, height: .max)
        #expect(try Crop(huge, anchor: .bottom).process(picture).bitmap.isIdentical(to: picture.bitmap))
    }

    @Test(arguments: [
        Crop(PixelRect(x: 20, y: 0, size: PixelSize(width: 5, height: 5))),
        Crop(PixelRect(x: .min, y: 0, size: PixelSize(width: 5, height: 5))),
        Crop(PixelRect(x: .max, y: .max, size: PixelSize(width: .max, height: .max))),
        Crop(PixelRect(x: 0, y: 0, size: PixelSize(width: 0, height: 5))),
        Crop(PixelSize(width: 5, height: -1)), Crop(PixelSize(width: .min, height: .min), anchor: .right),
    ])
    func toNothingIsRefused(crop: Crop) throws {
        let picture = try Picture.geometric(20, 10)
        #expect { try crop.process(picture) } throws: { error in
            if case ProcessingError.invalidParameter = error { true } else { false }
        }
    }
}
