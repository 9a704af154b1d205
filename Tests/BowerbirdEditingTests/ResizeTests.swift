import BowerbirdCore
import BowerbirdEditing
import Testing

@Suite
struct `Resizing to a room` {
    @Test func byOneSideKeepsTheProportions() throws {
        let picture = try Picture.geometric(40, 30)
        #expect(try Resize(width: 20).process(picture).size == PixelSize(width: 20, height: 15))
        #expect(try Resize(height: 6).process(picture).size == PixelSize(width: 8, height: 6))
        #expect(try Resize(width: 1).process(picture).size == PixelSize(width: 1, height: 1))
    }

    @Test func byOneSideEnlargesOnlyWhenAsked() throws {
        let picture = try Picture.geometric(40, 30)
        #expect(try Resize(width: 80).process(picture).bitmap.isIdentical(to: picture.bitmap))
        let large = try Resize(height: 60, allowsUpscaling: true).process(picture)
        #expect(large.size == PixelSize(width: 80, height: 60))
    }

    @Test(arguments: [
        (Anchor.topLeft, 0), (.top, 1), (.topRight, 2), (.left, 0), (.center, 1), (.right, 2), (.bottomLeft, 0),
        (.bottom, 1), (.bottomRight, 2),
    ])
    func fillsItAndCutsTheRest(anchor: Anchor, third: Int) throws {
        let picture = try Picture.geometric(90, 30) { x, _ in Color(red: UInt8(x / 30), green: 0, blue: 0) }
        let image = try Resize(filling: PixelSize(width: 10, height: 10), anchor: anchor, filter: .box).process(picture)
        #expect(image.size == PixelSize(width: 10, height: 10))
        #expect((0..<10).allSatisfy { image.rgb($0, 5) == [third, 0, 0] })
        let high = try Picture.geometric(30, 90) { _, y in Color(red: UInt8(y / 30), green: 0, blue: 0) }
        let row = Anchor.allCases.firstIndex(of: anchor).map { $0 / 3 }
        let cut = try Resize(filling: PixelSize(width: 10, height: 10), anchor: anchor, filter: .box).process(high)
        #expect(cut.size == PixelSize(width: 10, height: 10) && cut.rgb(5, 5)[0] == row)
    }

    @Test func cutsWhatItMayNotEnlarge() throws {
        let picture = try Picture.geometric(40, 10)
        let room = PixelSize(width: 20, height: 20)
        #expect(try Resize(filling: room).process(picture).size == PixelSize(width: 20, height: 10))
        #expect(try Resize(filling: room, allowsUpscaling: true).process(picture).size == room)
    }

    @Test func withoutACutFillsItAndMore() throws {
        let picture = try Picture.geometric(40, 10)
        let image = try Resize(PixelSize(width: 5, height: 5), mode: .fill).process(picture)
        #expect(image.size == PixelSize(width: 20, height: 5))
    }

    @Test func leavesToTheDecoderWhatThatDoesAsWell() {
        let room = PixelSize(width: 30, height: 20)
        #expect(Resize(room).decodingTarget == DecodingTarget(room, .fit))
        #expect(Resize(filling: room, anchor: .top).decodingTarget == DecodingTarget(room, .fill))
        #expect(Resize(width: 30).decodingTarget?.size.width == 30)
        #expect(Resize(room, filter: .box).decodingTarget == nil)
        #expect(Resize(PixelSize(width: 0, height: 1)).decodingTarget == nil)
    }

    @Test(arguments: [
        PixelSize(width: 0, height: 4), PixelSize(width: .min, height: 4), PixelSize(width: 4, height: -1),
    ])
    func thatIsEmptyIsRefused(size: PixelSize) throws {
        let picture = try Picture.geometric(4, 4)
        for processor in [Resize(size), Resize(filling: size), Resize(width: -1), Resize(height: 0)] {
            #expect { try processor.process(picture) } throws: { error in
                if case ProcessingError.invalidParameter = error { true } else { false }
            }
        }
    }

    @Test func thatNoMemoryHasIsATypedError() throws {
        let picture = try Picture.geometric(4, 4)
        let huge = Resize(PixelSize(width: .max, height: .max), allowsUpscaling: true)
        #expect { try huge.process(picture) } throws: { error in
            if case ProcessingError.outOfMemory = error { true } else { false }
        }
    }

    /// Pillow 13: `resize((6, 3), filter)`, its bicubic one for Catmull-Rom. Whole pixels, for its box knows no parts.
    @Test(arguments: [
        (Resize.Filter.box, 1, [10, 25, 11, 90, 25, 75, 210, 25, 95, 50, 100, 113, 130, 175, 123, 170, 175, 142]),
        (.lanczos3, 2, [10, 24, 4, 90, 24, 70, 210, 24, 89, 49, 100, 123, 130, 176, 110, 171, 176, 143]),
        (.catmullRom, 2, [11, 27, 9, 90, 27, 75, 209, 27, 93, 49, 100, 119, 130, 173, 116, 171, 173, 138]),
    ])
    func mixesPixelsAsPillowDoes(filter: Resize.Filter, tolerance: Int, expected: [Int]) throws {
        let size = PixelSize(width: 6, height: 3)
        let image = try Resize(size, mode: .exact, filter: filter).process(Picture.measured())
        let places = [(0, 0), (2, 0), (5, 0), (1, 1), (3, 2), (4, 2)]
        #expect(isNear(places.flatMap { image.rgb($0.0, $0.1) }, expected, tolerance: tolerance))
    }

    @Test func leavesNoDarkFringe() throws {
        let picture = try Picture.geometric(40, 40, isOpaque: false) { x, y in
            Color(red: 255, green: 255, blue: 255, alpha: (x / 3 + y / 3).isMultiple(of: 2) ? 255 : 0)
        }
        let image = try Resize(width: 17).process(picture)
        #expect(image.isValid && image.pixels.allSatisfy { $0 >> 24 == $0 & 255 })
    }
}
