import BowerbirdCore
import BowerbirdEditing
import Testing

@Suite
struct `Grey pictures` {
    @Test func isTheLumaOfEachColour() throws {
        // 0.2126 × 200 + 0.7152 × 100 + 0.0722 × 50
        let image = try Grayscale().process(
            Picture.solid(Color(red: 200, green: 100, blue: 50), width: 1, height: 1))
        #expect(image.pixel(0, 0) == [118, 118, 118, 255])
    }

    @Test func keepsGreysAndAlpha() throws {
        let gray = try Picture.colored(256, 3) { x, y in
            Color(red: UInt8(x), green: UInt8(x), blue: UInt8(x), alpha: UInt8(y * 127))
        }
        #expect(try Grayscale().process(gray).pixelBytes == gray.pixelBytes)
    }

    @Test func isASoundPictureWithoutColour() throws {
        let image = try Grayscale().process(Picture.colorful())
        #expect(image.isValid && image.pixelBytes.allSatisfy { $0[0] == $0[1] && $0[1] == $0[2] })
    }
}

@Suite
struct `Brown pictures` {
    private let brown = Color(red: 200, green: 100, blue: 50)

    @Test func hasTheColoursOfCSS() throws {
        let full = try Sepia().process(Picture.solid(brown, width: 1, height: 1))
        #expect(full.pixel(0, 0) == [114, 147, 165, 255])
        let half = try Sepia(intensity: 0.5).process(Picture.solid(brown, width: 1, height: 1))
        #expect(half.pixel(0, 0) == [82, 123, 182, 255])
    }

    @Test func withoutIntensityIsTheVeryPicture() throws {
        let picture = try Picture.colorful()
        #expect(try Sepia(intensity: 0).process(picture).bitmap.isIdentical(to: picture.bitmap))
    }

    @Test func leavesASoundPicture() throws {
        #expect(try Sepia().process(Picture.colorful()).isValid)
        #expect(try Sepia().process(Picture.solid(.white)).isValid)
    }

    @Test(arguments: [-0.1, 1.1, .nan, .infinity] as [Double])
    func refusesAnIntensityThatMakesNoSense(intensity: Double) throws {
        let picture = try Picture.solid(.white)
        #expect(throws: ProcessingError.self) { try Sepia(intensity: intensity).process(picture) }
    }
}

@Suite
struct `A negative` {
    @Test func isWhatIsMissingToWhite() throws {
        let image = try Invert().process(Picture.solid(Color(red: 255, green: 0, blue: 100), width: 3, height: 1))
        #expect(image.pixelBytes.allSatisfy { $0 == [155, 255, 0, 255] })
        #expect(image.bitmap.isOpaque)
    }

    @Test func keepsAlpha() throws {
        let image = try Invert().process(Picture.solid(.black.withAlpha(100), width: 1, height: 1))
        #expect(image.pixel(0, 0) == [100, 100, 100, 100])
        #expect(try Invert().process(Picture.solid(.clear, width: 1, height: 1)).pixel(0, 0) == [0, 0, 0, 0])
    }

    @Test func ofANegativeIsThePicture() throws {
        let picture = try Picture.colorful()
        let negative = try Invert().process(picture)
        #expect(try negative.isValid && Invert().process(negative).pixelBytes == picture.pixelBytes)
    }
}

@Suite
struct `Effects of colour` {
    static let all: [any ImageProcessor] = [Grayscale(), Sepia(), Invert()]

    @Test(arguments: 0..<3)
    func refuseOtherPixelsAndEndWhenTheirTaskIsCancelled(index: Int) async throws {
        let (deep, effect) = try (Picture.deep(), Self.all[index])
        #expect(throws: ProcessingError.unsupportedPixels(.rgba16Straight)) { try effect.process(deep) }
        #expect(try await effect.endsWhenCancelled())
    }
}
