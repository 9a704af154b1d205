import BowerbirdCore
import BowerbirdEditing
import Testing

@Suite
struct `Adjusting colours` {
    private static let brown = Color(red: 200, green: 100, blue: 50)

    /// What the documented formula makes of `brown`, computed with double precision in Python: red, green, blue.
    static let expected: [(ColorAdjust, [Double])] = [
        (ColorAdjust(brightness: 0.2), [251, 151, 101]), (ColorAdjust(brightness: -0.3), [123, 24, 0]),
        (ColorAdjust(brightness: 1), [255, 255, 255]), (ColorAdjust(brightness: -1), [0, 0, 0]),
        (ColorAdjust(contrast: 1.5), [236, 86, 11]), (ColorAdjust(contrast: 0), [128, 128, 128]),
        (ColorAdjust(saturation: 0), [118, 118, 118]), (ColorAdjust(saturation: 2), [255, 82, 0]),
        (ColorAdjust(exposure: 1), [255, 138, 71]), (ColorAdjust(exposure: -2), [106, 50, 22]),
        (ColorAdjust(hue: 90), [50, 146, 35]), (ColorAdjust(hue: 180), [35, 135, 185]),
        (ColorAdjust(hue: -540), [35, 135, 185]),
        (ColorAdjust(gamma: 0.5), [226, 160, 113]), (ColorAdjust(gamma: 2), [157, 39, 10]),
        (
            ColorAdjust(brightness: 0.1, contrast: 1.2, saturation: 1.3, exposure: 0.5, hue: 30, gamma: 1.1),
            [241, 162, 0]
        ),
    ]

    @Test(arguments: expected)
    func followsItsFormula(adjustment: ColorAdjust, expected: [Double]) throws {
        let pixel = try adjustment.process(Picture.solid(Self.brown)).pixel(3, 3)
        #expect(zip(pixel, expected.reversed() + [255]).allSatisfy { abs(Double($0) - $1) <= 1 }, "\(pixel)")
    }

    @Test(arguments: expected)
    func ofWhatIsTranslucentIsThatOfItsColour(adjustment: ColorAdjust, expected: [Double]) throws {
        let pixel = try adjustment.process(Picture.solid(Self.brown.withAlpha(200))).pixel(3, 3)
        // The premultiplied colour, with one level of the straight one lost, and contrast or saturation doubling that.
        let isNear = zip(pixel, expected.reversed()).allSatisfy { abs(Double($0) - $1 * 200 / 255) <= 3 }
        #expect(isNear && pixel[3] == 200, "\(pixel)")
    }

    @Test(arguments: [ColorAdjust(), ColorAdjust(hue: 360), ColorAdjust(hue: -720)])
    func thatChangesNothingIsTheVeryPicture(adjustment: ColorAdjust) throws {
        let picture = try Picture.colorful()
        #expect(try adjustment.process(picture).bitmap.isIdentical(to: picture.bitmap))
    }

    @Test func keepsGreysGreyWhateverTheHueAndTheSaturation() throws {
        let gray = try Picture.colored(256, 1, isOpaque: true) { x, _ in
            Color(red: UInt8(x), green: UInt8(x), blue: UInt8(x))
        }
        for adjustment in [ColorAdjust(saturation: 3), ColorAdjust(hue: 77), ColorAdjust(saturation: 0.5, hue: 200)] {
            #expect(try adjustment.process(gray).pixelBytes == gray.pixelBytes)
        }
    }

    static let extremes: [ColorAdjust] = [
        ColorAdjust(brightness: 1, contrast: 16, saturation: 16, exposure: 16, hue: 1e300, gamma: 16),
        ColorAdjust(brightness: -1, contrast: 16, saturation: 16, exposure: -16, hue: -1e300, gamma: 1 / 16),
        ColorAdjust(brightness: 1, contrast: 0, saturation: 0, exposure: -16, hue: 1, gamma: 1 / 16),
    ]

    @Test(arguments: extremes + expected.map(\.0))
    func leavesASoundPicture(adjustment: ColorAdjust) throws {
        #expect(try adjustment.process(Picture.colorful()).isValid)
        #expect(try adjustment.process(Picture.colored(5, 1) { x, _ in x < 2 ? .white : .black }).isValid)
        let nothing = try adjustment.process(Picture.solid(.clear, width: 1, height: 1))
        #expect(nothing.pixel(0, 0) == [0, 0, 0, 0])
    }

    static let senseless: [ColorAdjust] =
        [Double.nan, .infinity, -.infinity, 17, -17].flatMap { value in
            [
                ColorAdjust(brightness: value), ColorAdjust(contrast: value), ColorAdjust(saturation: value),
                ColorAdjust(exposure: value), ColorAdjust(gamma: value),
            ]
        } + [ColorAdjust(hue: .nan), ColorAdjust(hue: .infinity), ColorAdjust(gamma: 0)]

    @Test(arguments: senseless)
    func refusesWhatMakesNoSense(adjustment: ColorAdjust) throws {
        let picture = try Picture.solid(.white)
        #expect {
            try adjustment.process(picture)
        } throws: { error in
            if case .invalidParameter = error as? ProcessingError { true } else { false }
        }
    }

    @Test func refusesOtherPixelsAndEndsWhenItsTaskIsCancelled() async throws {
        let deep = try Picture.deep()
        let adjustment = ColorAdjust(contrast: 2)
        #expect(throws: ProcessingError.unsupportedPixels(.rgba16Straight)) { try adjustment.process(deep) }
        #expect(try await adjustment.endsWhenCancelled())
    }
}
