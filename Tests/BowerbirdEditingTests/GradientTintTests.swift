import BowerbirdCore
import BowerbirdEditing
import Testing

@Suite
struct `A gradient tint` {
    private let red = Color(red: 255, green: 0, blue: 0)
    private let blue = Color(red: 0, green: 0, blue: 255)

    @Test func leadsFromTheTopToTheBottom() throws {
        let image = try GradientTint([red, blue]).process(Picture.solid(.white, width: 3, height: 10))
        for row in 0..<10 {
            let share = (Double(row) + 0.5) / 10
            let expected = [255 * share, 0, 255 * (1 - share), 255]
            for column in 0..<3 {
                #expect(zip(image.pixel(column, row), expected).allSatisfy { abs(Double($0) - $1) <= 1 })
            }
        }
        #expect(image.bitmap.isOpaque)
    }

    @Test func leadsFromAnyPointToAnyOther() throws {
        let picture = try Picture.solid(.white, width: 8, height: 8)
        let sideways = try GradientTint([red, blue], from: .right, to: .left).process(picture)
        #expect(sideways.pixel(0, 0) == sideways.pixel(0, 7))
        #expect(sideways.pixel(0, 0)[0] > 230 && sideways.pixel(7, 0)[2] > 230)
        let diagonal = try GradientTint([red, blue], from: .topLeft, to: .bottomRight).process(picture)
        #expect((0..<8).allSatisfy { diagonal.pixel($0, 7 - $0) == diagonal.pixel(0, 7) })
        #expect(diagonal.pixel(0, 0)[2] > 230 && diagonal.pixel(7, 7)[0] > 230)
    }

    @Test func goesOnWithItsLastColours() throws {
        let middle = GradientTint([red, blue], from: UnitPoint(x: 0, y: 0.4), to: UnitPoint(x: 0, y: 0.6))
        let image = try middle.process(Picture.solid(.white, width: 1, height: 20))
        #expect(image.pixel(0, 0) == [0, 0, 255, 255])
        #expect(image.pixel(0, 19) == [255, 0, 0, 255])
    }

    @Test func hasAHardEdgeWhereTwoStopsMeet() throws {
        let stops: [GradientTint.Stop] = [.init(red, at: 0.5), .init(blue, at: 0.5)]
        let image = try GradientTint(stops: stops).process(Picture.solid(.white, width: 1, height: 10))
        let expected = [UInt8](repeating: 0, count: 5) + [UInt8](repeating: 255, count: 5)
        #expect((0..<10).map { image.pixel(0, $0)[0] } == expected)
    }

    @Test func fadesWithoutADarkFringe() throws {
        let stops: [GradientTint.Stop] = [.init(.white, at: 0), .init(.clear, at: 1)]
        let image = try GradientTint(stops: stops).process(Picture.solid(.white, width: 1, height: 30))
        #expect(image.pixelBytes.allSatisfy { $0 == [255, 255, 255, 255] })
    }

    @Test(arguments: BlendMode.allCases)
    func leavesASoundPicture(mode: BlendMode) throws {
        let tint = GradientTint([red.withAlpha(200), .clear, blue], to: .right, blendMode: mode)
        #expect(try tint.process(Picture.colorful()).isValid)
        #expect(try tint.process(Picture.solid(.white)).isValid)
    }

    @Test(arguments: [(1, 1), (1, 9), (9, 1)])
    func worksOnTheSmallestPictures(width: Int, height: Int) throws {
        let image = try GradientTint([red]).process(Picture.solid(.white, width: width, height: height))
        #expect(image.pixelBytes.allSatisfy { $0 == [0, 0, 255, 255] })
    }

    @Test func withoutStrengthIsTheVeryPicture() throws {
        let picture = try Picture.colorful()
        let image = try GradientTint([.clear, .white.withAlpha(0)]).process(picture)
        #expect(image.bitmap.isIdentical(to: picture.bitmap))
    }

    static let senseless: [GradientTint] = [
        GradientTint([]),
        GradientTint(stops: [.init(.white, at: 1), .init(.white, at: 0)]),
        GradientTint(stops: [.init(.white, at: .nan)]),
        GradientTint(stops: [.init(.white, at: -0.1)]),
        GradientTint(stops: [.init(.white, at: .infinity)]),
        GradientTint([.white], from: .top, to: .top),
        GradientTint([.white], from: UnitPoint(x: .nan, y: 0)),
        GradientTint([.white], to: UnitPoint(x: 0, y: .infinity)),
        GradientTint([.white], from: UnitPoint(x: 1e308, y: 0), to: UnitPoint(x: -1e308, y: 0)),
    ]

    @Test(arguments: senseless)
    func refusesWhatMakesNoSense(tint: GradientTint) throws {
        let picture = try Picture.solid(.white)
        #expect {
            try tint.process(picture)
        } throws: { error in
            if case .invalidParameter = error as? ProcessingError { true } else { false }
        }
    }

    @Test func takesPointsThatAreFarAway() throws {
        let tint = GradientTint([red, blue], from: UnitPoint(x: -1e12, y: 1e100), to: UnitPoint(x: 1e90, y: 0))
        #expect(try tint.process(Picture.solid(.white)).isValid)
    }

    @Test func refusesOtherPixelsAndEndsWhenItsTaskIsCancelled() async throws {
        let deep = try Picture.deep()
        #expect(throws: ProcessingError.unsupportedPixels(.rgba16Straight)) { try GradientTint([.white]).process(deep) }
        #expect(try await GradientTint([.white]).endsWhenCancelled())
    }
}
