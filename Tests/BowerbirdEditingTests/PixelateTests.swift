import BowerbirdCore
import BowerbirdEditing
import BowerbirdTestSupport
import Testing

@Suite
struct `Pixelating` {
    @Test func makesEachBlockItsMean() throws {
        let picture = try Picture.drawn(width: 5, height: 3) { x, y in
            Color(red: UInt8(x * 10), green: UInt8(y * 10), blue: 0)
        }
        let image = try Pixelate(blockSize: 2).process(picture)
        #expect(image.rgb(0, 0) == [5, 5, 0] && image.rgb(1, 1) == [5, 5, 0])
        #expect(image.rgb(2, 0) == [25, 5, 0] && image.rgb(3, 1) == [25, 5, 0])
        #expect(image.rgb(4, 0) == [40, 5, 0] && image.rgb(4, 2) == [40, 20, 0])
        #expect(image.rgb(0, 2) == [5, 20, 0])
    }

    @Test(arguments: [12, 13, 1000, .max])
    func withABlockLargerThanThePictureIsItsMean(blockSize: Int) throws {
        let picture = try Picture.filteringSample()
        let image = try Pixelate(blockSize: blockSize).process(picture)
        let mean = picture.meanPixel.map { UInt8($0.rounded()) }
        #expect(image.pixel(0, 0) == mean && image.pixel(11, 7) == mean)
    }

    @Test func twiceIsAsOnce() throws {
        let once = try Pixelate(blockSize: 3).process(Picture.filteringSample())
        #expect(try Pixelate(blockSize: 3).process(once).allBytes == once.allBytes)
    }

    @Test func mixesNoColourOfTransparentPixels() throws {
        let picture = try Picture.drawn(width: 2, height: 1, isOpaque: false) { x, _ in
            x == 0 ? Color(red: 200, green: 100, blue: 0) : .clear
        }
        #expect(try Pixelate(blockSize: 2).process(picture).pixel(0, 0) == [0, 50, 100, 128])
    }
}
