import BowerbirdCore
import BowerbirdEditing
import Testing

@Suite
struct `An overlay` {
    private let red = Color(red: 255, green: 0, blue: 0)

    /// Where on a white picture the overlay has left its red.
    private func redPlaces(_ overlay: Overlay, width: Int, height: Int) throws -> Set<[Int]> {
        let image = try overlay.process(Picture.solid(.white, width: width, height: height))
        let places = (0..<height).flatMap { y in (0..<width).map { x in [x, y] } }
        return Set(places.filter { image.pixel($0[0], $0[1]) == [0, 0, 255, 255] })
    }

    private func mark(_ placement: Overlay.Placement, width: Int = 2, height: Int = 1) throws -> Overlay {
        try Overlay(Picture.solid(red, width: width, height: height), placement: placement)
    }

    @Test func liesInTheMiddleUnlessToldOtherwise() throws {
        #expect(try redPlaces(mark(.once()), width: 6, height: 3) == [[2, 1], [3, 1]])
    }

    @Test func liesAtItsAnchorMovedByItsOffset() throws {
        let corner = try mark(.once(at: .bottomRight, offset: .init(x: -1, y: -2)))
        #expect(try redPlaces(corner, width: 6, height: 5) == [[3, 2], [4, 2]])
        let first = try mark(.once(at: .topLeft))
        #expect(try redPlaces(first, width: 6, height: 5) == [[0, 0], [1, 0]])
    }

    @Test func isCutAtTheEdges() throws {
        let left = try mark(.once(at: .topLeft, offset: .init(x: -1, y: 0)))
        #expect(try redPlaces(left, width: 6, height: 2) == [[0, 0]])
        let right = try mark(.once(at: .topRight, offset: .init(x: 1, y: 1)))
        #expect(try redPlaces(right, width: 6, height: 2) == [[5, 1]])
        let larger = try mark(.once(), width: 50, height: 50)
        #expect(try redPlaces(larger, width: 3, height: 2).count == 6)
    }

    @Test(arguments: [Int.min, -1_000_000, 1_000_000, .max])
    func canLieOutside(distance: Int) throws {
        let far = try mark(.once(offset: .init(x: distance, y: 0)))
        #expect(try redPlaces(far, width: 4, height: 4).isEmpty)
        let anchored = try mark(.once(at: UnitPoint(x: Double(distance) * 1e280, y: 0)))
        #expect(try redPlaces(anchored, width: 4, height: 4).isEmpty)
    }

    @Test func isTiledToAllSides() throws {
        let tiles = try mark(.tiled(at: .topLeft, offset: .init(x: 1, y: 1), spacing: PixelSize(width: 1, height: 2)))
        let columns = [1, 2, 4, 5, 7]
        let expected = [1, 4].flatMap { y in columns.map { x in [x, y] } }
        #expect(try redPlaces(tiles, width: 8, height: 6) == Set(expected))
        #expect(try redPlaces(mark(.tiled()), width: 7, height: 5).count == 35)
    }

    @Test func isTiledHoweverFarItsFirstTileIs() throws {
        let spacing = PixelSize(width: 1, height: 2)
        for distance in [-3_000_000, 3_000_000] {
            let tiles = try mark(.tiled(offset: .init(x: distance, y: distance), spacing: spacing))
            #expect(try redPlaces(tiles, width: 6, height: 6).count == 8)
        }
        let alone = try mark(.tiled(spacing: PixelSize(width: .max, height: .max)))
        #expect(try redPlaces(alone, width: 6, height: 6) == [[0, 0], [1, 0]])
    }

    @Test func isStretchedOverThePicture() throws {
        #expect(try redPlaces(mark(.stretched), width: 7, height: 5).count == 35)
    }

    @Test func isAsStrongAsItsOpacity() throws {
        let picture = try Picture.solid(.white, width: 2, height: 2)
        let image = try Overlay(picture, opacity: 0.5).process(Picture.solid(.black, width: 2, height: 2))
        #expect(image.pixelBytes.allSatisfy { $0 == [128, 128, 128, 255] })
        let color = try Overlay(.white, opacity: 0.5).process(Picture.solid(.black, width: 2, height: 2))
        #expect(color.pixelBytes == image.pixelBytes)
    }

    @Test func changesOnlyWhatLiesUnderIt() throws {
        let image = try Overlay(Picture.solid(.clear, width: 1, height: 1), blendMode: .source)
            .process(Picture.solid(.white, width: 3, height: 1))
        #expect(image.pixelBytes == [[255, 255, 255, 255], [0, 0, 0, 0], [255, 255, 255, 255]])
        #expect(!image.bitmap.isOpaque)
    }

    @Test(arguments: BlendMode.allCases)
    func leavesASoundPicture(mode: BlendMode) throws {
        let layers = try [Picture.colorful(width: 11, height: 7), Picture.solid(red, width: 90, height: 70)]
        for layer in layers {
            for placement in [.once(), .tiled(), .stretched] as [Overlay.Placement] {
                let overlay = Overlay(layer, blendMode: mode, opacity: 0.7, placement: placement)
                #expect(try overlay.process(Picture.colorful()).isValid)
                #expect(try overlay.process(Picture.solid(.white)).isValid)
            }
        }
    }

    @Test func makesAPictureOpaqueThatItCovers() throws {
        let picture = try Picture.colorful()
        #expect(try mark(.tiled()).process(picture).bitmap.isOpaque)
        #expect(try mark(.stretched).process(picture).bitmap.isOpaque)
        #expect(try mark(.once(), width: 99, height: 99).process(picture).bitmap.isOpaque)
        #expect(try !mark(.once()).process(picture).bitmap.isOpaque)
    }

    @Test func thatIsInvisibleIsTheVeryPicture() throws {
        let picture = try Picture.colorful()
        #expect(try Overlay(picture, opacity: 0).process(picture).bitmap.isIdentical(to: picture.bitmap))
        #expect(try Overlay(.white, opacity: 0).process(picture).bitmap.isIdentical(to: picture.bitmap))
    }

    @Test(arguments: [-0.1, 1.1, .nan, .infinity] as [Double])
    func refusesAnOpacityThatMakesNoSense(opacity: Double) throws {
        let picture = try Picture.solid(.white)
        #expect(throws: ProcessingError.self) { try Overlay(.white, opacity: opacity).process(picture) }
    }

    static let senseless: [Overlay.Placement] = [
        .once(at: UnitPoint(x: .nan, y: 0)), .tiled(at: UnitPoint(x: 0, y: .infinity)),
        .tiled(spacing: PixelSize(width: -1, height: 0)), .tiled(spacing: PixelSize(width: 0, height: .min)),
    ]

    @Test(arguments: senseless)
    func refusesAPlaceThatMakesNoSense(placement: Overlay.Placement) throws {
        let picture = try Picture.solid(.white)
        #expect(throws: ProcessingError.self) { try mark(placement).process(picture) }
    }

    @Test func refusesOtherPixelsAndEndsWhenItsTaskIsCancelled() async throws {
        let (deep, picture) = try (Picture.deep(), Picture.solid(.white))
        #expect(throws: ProcessingError.unsupportedPixels(.rgba16Straight)) { try Overlay(deep).process(picture) }
        #expect(throws: ProcessingError.unsupportedPixels(.rgba16Straight)) { try Overlay(picture).process(deep) }
        #expect(try await Overlay(picture).endsWhenCancelled())
    }

    @Test func isKnownByThePixelsOfItsPicture() throws {
        let (one, other) = try (Overlay(Picture.colorful()), Overlay(Picture.colorful()))
        #expect(one == other && one.cacheKey == other.cacheKey && Set([one, other]).count == 1)
        let changed = try Overlay(Picture.colored(37, 23) { _, _ in .clear })
        #expect(one != changed && one.cacheKey != changed.cacheKey)
    }
}
