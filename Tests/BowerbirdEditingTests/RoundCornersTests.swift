import BowerbirdCore
import BowerbirdEditing
import Testing

@Suite
struct `Some rounded corners` {
    private static let expectedAlphas: [(RoundCorners.Corners, [UInt8])] = [
        (.topLeft, [0, 255, 255, 255]), (.topRight, [255, 0, 255, 255]), (.bottomLeft, [255, 255, 0, 255]),
        (.bottomRight, [255, 255, 255, 0]), (.top, [0, 0, 255, 255]), (.bottom, [255, 255, 0, 0]),
        (.left, [0, 255, 0, 255]), (.right, [255, 0, 255, 0]), (.all, [0, 0, 0, 0]), ([], [255, 255, 255, 255]),
    ]

    @Test(arguments: expectedAlphas)
    func leaveTheOthersSquare(corners: RoundCorners.Corners, alphas: [UInt8]) throws {
        let image = try RoundCorners(radius: 8, corners: corners).process(Picture.solid(.white))
        #expect([(0, 0), (39, 0), (0, 29), (39, 29)].map { image.pixel($0.0, $0.1)[3] } == alphas)
        #expect(image.bitmap.isOpaque == corners.isEmpty)
    }

    @Test(arguments: [(0.5, 15.0), (0.25, 7.5), (7, 15)])
    func areMeasuredByTheShorterSide(fraction: Double, radius: Double) throws {
        let picture = try Picture.solid(.white)
        let image = try RoundCorners(radius: .fraction(fraction)).process(picture)
        #expect(try image.looks(like: RoundCorners(radius: radius).process(picture)))
        #expect(try image.looks(like: RoundCorners(radius: .pixels(radius)).process(picture.turned().turned())))
    }

    @Test func withoutAnythingToDoAreTheSamePicture() throws {
        let picture = try Picture.solid(.white)
        let idle = [
            RoundCorners(radius: 0), RoundCorners(radius: 5, corners: []), RoundCorners(radius: 0, background: .black),
            RoundCorners(radius: 0, border: .init(width: 0, color: .black)),
            RoundCorners(radius: 0, border: .init(width: 3, color: .clear)),
        ]
        for processor in idle { #expect(try processor.process(picture).bitmap.isIdentical(to: picture.bitmap)) }
    }

    @Test func showTheBackground() throws {
        let red = Color(red: 255, green: 0, blue: 0)
        let image = try RoundCorners(radius: 10, background: red).process(Picture.solid(.white))
        #expect(image.rgb(0, 0) == [255, 0, 0] && image.rgb(39, 29) == [255, 0, 0] && image.rgb(20, 15)[1] == 255)
        #expect(image.bitmap.isOpaque && image.isValid)
        let half = try RoundCorners(radius: 10, background: red.withAlpha(100)).process(Picture.solid(.white))
        #expect(half.pixel(0, 0) == [0, 0, 100, 100] && !half.bitmap.isOpaque && half.isValid)
    }

    /// The area of a circle; the same in all four quarters, and after a quarter turn of the picture.
    @Test(arguments: [10.0, 15, 23.5, 50])
    func haveTheAreaOfTheirShape(radius: Double) throws {
        let picture = try Picture.solid(.white, width: 101, height: 100)
        let image = try RoundCorners(radius: radius).process(picture)
        let area = image.pixels.reduce(0.0) { $0 + Double($1 >> 24) / 255 }
        #expect(abs(area - (10_100 - (4 - Double.pi) * radius * radius)) < 2)
        #expect(try Flip(.both).process(image).looks(like: image))
        #expect(try RoundCorners(radius: radius).process(picture.turned()).looks(like: image.turned()))
    }

    /// Each pixel by itself, from its distance to the outline: what drawing row by row must equal.
    @Test(arguments: [0.0, 0.4, 3, 7.3, 15], [0.0, 0.3, 1, 2.5, 6, 14, 40])
    func areWhatEachPixelForItselfWouldBe(radius: Double, width: Double) throws {
        let size = PixelSize(width: 37, height: 30)
        let border = RoundCorners.Border(width: width, color: .black)
        let picture = try Picture.solid(.white, width: size.width, height: size.height)
        let image = try RoundCorners(radius: radius, border: border).process(picture)
        for y in 0..<size.height {
            for x in 0..<size.width {
                let depth = depth(x, y, of: size, radius: radius)
                let coverage = min(1, max(0, 0.5 + depth))
                let line = 1 - min(1, max(0, 0.5 + depth - width))
                let alpha = Int((255 * coverage).rounded())
                let white = Int((255 * coverage * (width > 0 ? 1 - line : 1)).rounded())
                let pixel = image.pixel(x, y).map(Int.init)
                guard isNear(pixel, [white, white, white, alpha], tolerance: 1) else {
                    Issue.record("\(pixel) at \(x), \(y), not \(white) of \(alpha)")
                    return
                }
            }
        }
    }

    private func depth(_ x: Int, _ y: Int, of size: PixelSize, radius: Double) -> Double {
        let dx = radius - min(Double(x) + 0.5, Double(size.width - x) - 0.5)
        let dy = radius - min(Double(y) + 0.5, Double(size.height - y) - 0.5)
        return dx > 0 && dy > 0 ? radius - (dx * dx + dy * dy).squareRoot() : radius - max(dx, dy)
    }

    @Test func haveABorderThatLetsThePictureShineThrough() throws {
        let border = RoundCorners.Border(width: 4, color: .black.withAlpha(128))
        let image = try RoundCorners(radius: 6, border: border).process(Picture.solid(.white))
        #expect(image.rgb(20, 1) == [127, 127, 127] && image.rgb(20, 4) == [255, 255, 255] && image.isValid)
    }

    @Test(arguments: [-1, .nan, .infinity] as [Double])
    func withNumbersThatMakeNoSenseAreRefused(value: Double) throws {
        let picture = try Picture.solid(.white)
        let border = RoundCorners.Border(width: value, color: .black)
        let processors: [any ImageProcessor] = [
            RoundCorners(radius: .fraction(value)), RoundCorners(radius: .pixels(value), corners: []),
            RoundCorners(radius: 1, border: border), Circle(border: border),
        ]
        for processor in processors {
            #expect { try processor.process(picture) } throws: { error in
                if case ProcessingError.invalidParameter = error { true } else { false }
            }
        }
    }
}

extension DecodedImage {
    fileprivate func turned() throws -> DecodedImage { try Rotate(90).process(self) }
}

@Suite
struct `A circle` {
    @Test(arguments: [(41, 30), (30, 41), (30, 30), (1, 5), (1, 1)])
    func isCutOutOfTheMiddle(width: Int, height: Int) throws {
        let picture = try Picture.geometric(width, height)
        let image = try Circle().process(picture)
        let side = min(width, height)
        #expect(image.size == PixelSize(width: side, height: side) && !image.bitmap.isOpaque)
        #expect(image.rgb(side / 2, side / 2) == [(width - side) / 2 + side / 2, (height - side) / 2 + side / 2, 0])
        if side > 9 { #expect(image.pixel(0, 0) == [0, 0, 0, 0] && image.pixel(side - 1, 3)[3] == 0) }
    }

    @Test func isACropWithRoundedCorners() throws {
        let picture = try Picture.geometric(60, 41)
        let square = try Crop(PixelSize(width: 41, height: 41)).process(picture)
        let border = RoundCorners.Border(width: 3, color: .white)
        let round = try RoundCorners(radius: .fraction(0.5), border: border, background: .black).process(square)
        #expect(try Circle(border: border, background: .black).process(picture).looks(like: round))
        #expect(round.bitmap.isOpaque)
    }
}
