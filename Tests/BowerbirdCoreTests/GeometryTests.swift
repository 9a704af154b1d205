import BowerbirdCore
import Testing

@Suite
struct `A target size` {
    static let picture = PixelSize(width: 4000, height: 3000)

    @Test(arguments: [
        (ScaleMode.fit, PixelSize(width: 400, height: 400), PixelSize(width: 400, height: 300)),
        (.fill, PixelSize(width: 400, height: 400), PixelSize(width: 533, height: 400)),
        (.exact, PixelSize(width: 400, height: 400), PixelSize(width: 400, height: 400)),
        (.fit, PixelSize(width: 8000, height: 8000), PixelSize(width: 4000, height: 3000)),
        (.fill, PixelSize(width: 8000, height: 100), PixelSize(width: 4000, height: 3000)),
        (.exact, PixelSize(width: 8000, height: 100), PixelSize(width: 4000, height: 100)),
        (.fit, PixelSize(width: 1, height: 1), PixelSize(width: 1, height: 1)),
    ])
    func givesTheSizeOfThePicture(mode: ScaleMode, target: PixelSize, expected: PixelSize) {
        #expect(mode.size(of: Self.picture, in: target) == expected)
    }

    @Test func enlargesOnlyWhenAsked() {
        let target = PixelSize(width: 8000, height: 8000)
        #expect(
            ScaleMode.fit.size(of: Self.picture, in: target, allowsUpscaling: true)
                == PixelSize(width: 8000, height: 6000))
        #expect(ScaleMode.exact.size(of: Self.picture, in: target, allowsUpscaling: true) == target)
    }

    /// A side that no integer can hold is the largest that one can.
    @Test func hasNoLimit() {
        let target = PixelSize(width: .max, height: .max)
        for mode in ScaleMode.allCases {
            let size = mode.size(of: Self.picture, in: target, allowsUpscaling: true)
            #expect(size.width > 1 << 60 && size.height > 1 << 60)
            #expect(mode.size(of: Self.picture, in: target) == Self.picture)
        }
    }

    @Test func neverGivesASideOfZero() {
        let thread = PixelSize(width: 10_000, height: 1)
        #expect(ScaleMode.fit.size(of: thread, in: PixelSize(width: 10, height: 10)) == PixelSize(width: 10, height: 1))
    }

    @Test func ofNothingChangesNothing() {
        #expect(ScaleMode.fit.size(of: Self.picture, in: PixelSize(width: 0, height: 9)) == Self.picture)
    }
}

@Suite
struct `A size` {
    @Test func thatOnlyAForgedHeaderClaimsDoesNotOverflow() {
        #expect(PixelSize(width: .max, height: 2).pixelCount == .max)
    }

    @Test func liesOnItsSideForFourOfTheEightOrientations() {
        let size = PixelSize(width: 4, height: 3)
        let turned = Orientation.allCases.filter { $0.displayedSize(of: size) == size.transposed }
        #expect(turned == [.leftTop, .rightTop, .rightBottom, .leftBottom])
        #expect(Orientation.allCases.allSatisfy { $0.storedSize(of: $0.displayedSize(of: size)) == size })
    }
}
