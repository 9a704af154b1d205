import BowerbirdCore
import BowerbirdEditing
import Testing

/// What holds for all processors that cut, turn, scale and frame.
@Suite
struct `Every processor of the geometry` {
    @Test func isKnownByEveryParameter() {
        let keys = ProcessorSamples.geometry.map(\.cacheKey)
        #expect(Set(keys).count == keys.count)
    }

    @Test func isKnownEquallyWhenEqual() {
        #expect(Rotate(-0.0).cacheKey == Rotate(0).cacheKey)
        #expect(RoundCorners(radius: -0.0).cacheKey == RoundCorners(radius: 0).cacheKey)
        #expect(Resize(width: 9).cacheKey == Resize(PixelSize(width: 9, height: .max)).cacheKey)
        let all = RoundCorners.Corners(rawValue: 255)
        #expect(RoundCorners(radius: 1, corners: all).cacheKey == RoundCorners(radius: 1).cacheKey)
    }

    @Test(arguments: [(1, 1), (1, 9), (9, 1), (2, 3), (40, 30)], [true, false])
    func givesAValidPictureOfAnySize(sides: (Int, Int), isOpaque: Bool) throws {
        let picture = try Picture.geometric(sides.0, sides.1, isOpaque: isOpaque) { x, y in
            Color(red: 255, green: UInt8(x), blue: UInt8(y), alpha: isOpaque ? 255 : UInt8(x * 6))
        }
        for processor in ProcessorSamples.geometry {
            do {
                #expect(try processor.process(picture).isValid, "\(processor.cacheKey)")
            } catch ProcessingError.invalidParameter {
                #expect(processor is Crop, "\(processor.cacheKey)")
            }
        }
    }

    @Test func worksOnCanonicalPixelsOnly() throws {
        let picture = try Picture.deep()
        let processors: [any ImageProcessor] = [
            Crop(PixelSize(width: 2, height: 2)), Flip(.both), Rotate(90), Rotate(10), Resize(width: 3),
            RoundCorners(radius: 1), Circle(), Border(width: 1, color: .black), Background(.white),
        ]
        for processor in processors {
            #expect(throws: ProcessingError.unsupportedPixels(.rgba16Straight), "\(processor.cacheKey)") {
                try processor.process(picture)
            }
        }
    }

    @Test func endsWhenItsTaskIsCancelled() async throws {
        let picture = try Picture.solid(.clear, width: 600, height: 600)
        let processors: [any ImageProcessor] = [
            Crop(PixelSize(width: 20, height: 20)), Flip(.both), Flip(.vertical), Rotate(90), Rotate(10),
            Resize(width: 300), RoundCorners(radius: 9), Circle(), Border(width: 1, color: .black), Background(.white),
        ]
        for processor in processors { await processor.expectCancellation(of: picture) }
    }
}
