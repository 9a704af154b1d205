import BowerbirdCore
import BowerbirdEditing
import Testing

@Suite
struct `Rotating` {
    @Test func byAQuarterTurnGoesClockwise() throws {
        let picture = try Picture.geometric(70, 41)
        let image = try Rotate(90).process(picture)
        #expect(image.size == picture.size.transposed)
        #expect(try image.looks(like: Picture.geometric(41, 70) { x, y in Picture.numbered(x: y, y: 40 - x) }))
        #expect(image.bitmap.isOpaque)
    }

    @Test(arguments: [90.0, -90, 270, 450, 180, -180])
    func byFourQuarterTurnsIsThePicture(angle: Double) throws {
        let picture = try Picture.geometric(37, 20)
        let rotate = Rotate(angle)
        let image = try rotate.process(rotate.process(rotate.process(rotate.process(picture))))
        #expect(image.looks(like: picture))
    }

    @Test(arguments: [0.0, -0.0, 360, -720])
    func byWholeTurnsIsTheSamePicture(angle: Double) throws {
        let picture = try Picture.geometric(37, 20)
        #expect(try Rotate(angle, canvas: .stays).process(picture).bitmap.isIdentical(to: picture.bitmap))
    }

    @Test(arguments: [(90.0, -270.0), (180, -180), (30, 390), (-45, 315)])
    func byEqualAnglesIsEqual(angle: Double, other: Double) throws {
        let picture = try Picture.measured()
        #expect(try Rotate(angle).process(picture).looks(like: Rotate(other).process(picture)))
    }

    /// Pillow 13: `rotate(-angle, Image.BILINEAR)`. Outside, Pillow has hard edges: these pixels are inside.
    @Test(arguments: [
        (30, [101, 106, 185, 118, 93, 199, 94, 140, 141, 125, 59, 164, 81, 62, 92, 138, 137, 77]),
        (-45, [102, 91, 166, 117, 108, 147, 74, 91, 123, 145, 108, 151, 131, 55, 170, 88, 144, 166]),
        (10, [100, 102, 179, 119, 97, 208, 83, 131, 201, 136, 68, 196, 93, 52, 98, 126, 147, 76]),
    ])
    func mixesPixelsAsPillowDoes(angle: Int, expected: [Int]) throws {
        let image = try Rotate(Double(angle), canvas: .stays).process(Picture.measured())
        let places = [(5, 4), (6, 4), (4, 5), (7, 3), (5, 2), (6, 6)]
        #expect(isNear(places.flatMap { image.rgb($0.0, $0.1) }, expected, tolerance: 2))
    }

    @Test(arguments: [(45.0, 142, 142), (30, 137, 137), (1, 102, 102), (-90.0001, 101, 101)])
    func growsTheCanvasAsFarAsNeeded(angle: Double, width: Int, height: Int) throws {
        let picture = try Picture.solid(.white, width: 100, height: 100)
        #expect(try Rotate(angle).process(picture).size == PixelSize(width: width, height: height))
        #expect(try Rotate(angle, canvas: .stays).process(picture).size == picture.size)
    }

    @Test func keepsAFlatColourFlatAndItsEdgesSmooth() throws {
        let color = Color(red: 200, green: 100, blue: 50)
        let image = try Rotate(20).process(Picture.solid(color, width: 60, height: 60))
        #expect(!image.bitmap.isOpaque)
        var seen = Set<UInt8>()
        for y in 0..<image.size.height {
            for x in 0..<image.size.width {
                let pixel = image.pixel(x, y)
                seen.insert(pixel[3])
                // Premultiplied, so that the edge has the colour of the picture and no dark fringe.
                let expected = [50, 100, 200].map { ($0 * Int(pixel[3]) + 127) / 255 }
                guard isNear(pixel[..<3].map(Int.init), expected, tolerance: 1) else {
                    Issue.record("\(pixel) at \(x), \(y)")
                    return
                }
            }
        }
        #expect(seen.contains(0) && seen.contains(255) && seen.count > 20)
    }

    /// As nearly as a row of samples can measure a slanted edge: a tenth of a pixel along it.
    @Test func keepsTheAreaOfWhatItTurns() throws {
        let picture = try Picture.solid(.white, width: 50, height: 40)
        for angle in [7.0, 33, 45, 80, 123] {
            let alpha = try Rotate(angle).process(picture).pixels.reduce(0.0) { $0 + Double($1 >> 24) / 255 }
            #expect(abs(alpha - 2000) < 18, "\(angle)° covers \(alpha)")
        }
    }

    @Test func showsTheBackgroundWhereItDoesNotReach() throws {
        let picture = try Picture.solid(.white, width: 40, height: 40)
        let image = try Rotate(45, background: .black).process(picture)
        #expect(image.rgb(0, 0) == [0, 0, 0] && image.rgb(28, 28) == [255, 255, 255])
        #expect(image.bitmap.isOpaque)
        let white = try Picture.solid(.white, width: 9, height: 4)
        let wide = try Rotate(90, canvas: .stays, background: .black).process(white)
        #expect(wide.size == PixelSize(width: 9, height: 4) && wide.bitmap.isOpaque)
        #expect((0..<9).map { wide.rgb($0, 2)[0] } == [0, 0, 255, 255, 255, 255, 0, 0, 0])
    }

    @Test func aQuarterTurnOnACanvasThatStaysIsExact() throws {
        let image = try Rotate(90, canvas: .stays).process(Picture.geometric(10, 4))
        #expect(!image.bitmap.isOpaque)
        #expect(image.pixel(2, 0) == [0, 0, 0, 0] && image.pixel(7, 3) == [0, 0, 0, 0])
        #expect(image.rgb(3, 0) == [3, 3, 0] && image.rgb(6, 3) == [6, 0, 0])
    }

    @Test(arguments: [Double.nan, .infinity, -.infinity])
    func byNoAngleIsRefused(angle: Double) throws {
        let picture = try Picture.solid(.white)
        #expect { try Rotate(angle).process(picture) } throws: { error in
            if case ProcessingError.invalidParameter = error { true } else { false }
        }
    }

    @Test(arguments: [1e300, -1e17, 1e-300, 0.001])
    func takesAnyAngle(angle: Double) throws {
        #expect(try Rotate(angle).process(Picture.geometric(3, 50)).isValid)
    }
}
