import BowerbirdCore
import BowerbirdEditing
import Testing

@Suite
struct `Looking colours up` {
    /// A table of `side` × `side` × `side` colours, as a `.cube` file.
    private static func cube(
        _ side: Int, header: String = "", _ color: (_ red: Double, _ green: Double, _ blue: Double) -> [Double]
    ) throws -> LookupTable {
        var text = "LUT_3D_SIZE \(side)\n\(header)\n"
        let steps = (0..<side).map { Double($0) / Double(side - 1) }
        for blue in steps {
            for green in steps {
                for red in steps { text += color(red, green, blue).map { "\($0)" }.joined(separator: " ") + "\n" }
            }
        }
        return try LookupTable(cube: text)
    }

    private static func identity(_ side: Int, header: String = "") throws -> LookupTable {
        try cube(side, header: header) { [$0, $1, $2] }
    }

    private static func film() throws -> LookupTable {
        try cube(4) { red, green, blue in [red * red, 1 - green, (red + blue) / 2] }
    }

    /// Red, green, blue, and what `ImageFilter.Color3DLUT` of Pillow 12 makes of them with the table `film`.
    static let pillow: [([UInt8], [UInt8])] = [
        ([0, 0, 0], [0, 255, 0]), ([255, 255, 255], [255, 0, 255]), ([10, 200, 77], [3, 55, 43]),
        ([128, 64, 32], [71, 191, 80]), ([85, 170, 255], [28, 85, 170]), ([1, 2, 3], [0, 253, 2]),
        ([250, 130, 90], [247, 125, 170]), ([42, 43, 212], [14, 212, 127]),
    ]

    @Test(arguments: pillow)
    func isWhatPillowDoesWithinOneLevel(color: [UInt8], expected: [UInt8]) throws {
        let picture = try Picture.solid(Color(red: color[0], green: color[1], blue: color[2]), width: 3, height: 2)
        let pixel = try ColorLookup(Self.film()).process(picture).pixel(2, 1)
        #expect(zip(pixel, expected.reversed() + [255]).allSatisfy { abs(Int($0) - Int($1)) <= 1 }, "\(pixel)")
    }

    @Test(arguments: [2, 3, 16, 17, 33])
    func inATableWhereNothingChangesChangesNothing(side: Int) throws {
        let picture = try Picture.colorful()
        let opaque = try Picture.colored(256, 4, isOpaque: true) { x, y in
            Color(red: UInt8(x), green: UInt8(255 - x), blue: UInt8(x ^ (y * 85)))
        }
        for intensity in [0.3, 1] {
            let lookup = try ColorLookup(Self.identity(side), intensity: intensity)
            #expect(try lookup.process(picture).pixelBytes == picture.pixelBytes)
            #expect(try lookup.process(opaque).pixelBytes == opaque.pixelBytes)
        }
    }

    @Test func isMixedInByItsIntensity() throws {
        let picture = try Picture.solid(Color(red: 200, green: 100, blue: 50), width: 1, height: 1)
        let negative = try Self.cube(2) { [1 - $0, 1 - $1, 1 - $2] }
        let pixel = try ColorLookup(negative, intensity: 0.25).process(picture).pixel(0, 0)
        // 50 × ¾ + 205 ÷ 4, 100 × ¾ + 155 ÷ 4, 200 × ¾ + 55 ÷ 4
        #expect(pixel == [89, 114, 164, 255])
        let none = try ColorLookup(negative, intensity: 0).process(picture)
        #expect(none.bitmap.isIdentical(to: picture.bitmap))
    }

    @Test func ofWhatIsTranslucentIsThatOfItsColour() throws {
        let negative = try Self.cube(2) { [1 - $0, 1 - $1, 1 - $2] }
        let picture = try Picture.solid(.black.withAlpha(100), width: 1, height: 1)
        #expect(try ColorLookup(negative).process(picture).pixel(0, 0) == [100, 100, 100, 100])
        let nothing = try Picture.solid(.clear, width: 1, height: 1)
        #expect(try ColorLookup(negative).process(nothing).pixel(0, 0) == [0, 0, 0, 0])
    }

    @Test func cutsColoursBeyondBlackAndWhiteAtTheEnd() throws {
        let wild = try Self.cube(2) { [3 * $0 - 1, 9e9 * $1, -9e9 * $2] }
        let image = try ColorLookup(wild).process(Picture.colorful())
        #expect(image.isValid)
        let middle = try Picture.solid(Color(red: 153, green: 255, blue: 255), width: 1, height: 1)
        // 3 × 0.6 − 1, white and black
        #expect(try ColorLookup(wild).process(middle).pixel(0, 0) == [0, 255, 204, 255])
    }

    @Test func goesOnlyAsFarAsTheDomain() throws {
        let table = try Self.identity(3, header: "DOMAIN_MIN 0.2 0.2 0.2\nDOMAIN_MAX 0.6 0.6 0.6")
        let color = Color(red: 0, green: 102, blue: 255)
        let pixel = try ColorLookup(table).process(Picture.solid(color, width: 1, height: 1)).pixel(0, 0)
        // (0.4 − 0.2) ÷ (0.6 − 0.2)
        #expect(pixel == [255, 128, 0, 255] || pixel == [255, 127, 0, 255])
    }

    @Test(arguments: ["DOMAIN_MIN -1e308 0 0\nDOMAIN_MAX 1e308 1 1", "DOMAIN_MAX 1e-320 1 1", "DOMAIN_MIN 0 0.9999 0"])
    func takesAnyDomain(header: String) throws {
        #expect(try ColorLookup(Self.identity(2, header: header)).process(Picture.colorful()).isValid)
    }

    @Test func takesCurves() throws {
        let table = try LookupTable(cube: "LUT_1D_SIZE 3\n1 0 0\n0.5 0.25 0.5\n0 1 1\n")
        let picture = try Picture.solid(Color(red: 200, green: 51, blue: 130), width: 1, height: 1)
        // Red is inverted, green × ½ below the middle, blue as it was.
        #expect(try ColorLookup(table).process(picture).pixel(0, 0) == [130, 26, 55, 255])
        #expect(try ColorLookup(table, intensity: 0.5).process(picture).pixel(0, 0) == [130, 38, 128, 255])
        let translucent = try ColorLookup(table).process(Picture.colorful())
        #expect(translucent.isValid)
    }

    /// A lookup image where nothing changes, as GPUImage has it.
    private static func lookupImage(tiles: Int, isNegative: Bool = false) throws -> DecodedImage {
        let side = tiles * tiles
        return try Picture.colored(tiles * side, tiles * side, isOpaque: true) { x, y in
            let place = [x % side, y % side, y / side * tiles + x / side]
            let levels = place.map { UInt8(min(255, (Double($0) * 255 / Double(side - 1)).rounded())) }
            let color = Color(red: levels[0], green: levels[1], blue: levels[2])
            return isNegative ? Color(red: 255 - color.red, green: 255 - color.green, blue: 255 - color.blue) : color
        }
    }

    @Test(arguments: [2, 3, 4, 8])
    func takesLookupImages(tiles: Int) throws {
        let picture = try Picture.colorful()
        let same = try ColorLookup(LookupTable(Self.lookupImage(tiles: tiles))).process(picture)
        for (one, other) in zip(same.pixelBytes.joined(), picture.pixelBytes.joined()) {
            #expect(abs(Int(one) - Int(other)) <= 1)
        }
        let color = try Picture.solid(Color(red: 200, green: 100, blue: 50), width: 1, height: 1)
        let table = try LookupTable(Self.lookupImage(tiles: tiles, isNegative: true))
        let negative = try ColorLookup(table).process(color).pixel(0, 0)
        #expect(zip(negative, [205, 155, 55, 255]).allSatisfy { abs(Int($0) - $1) <= 1 }, "\(negative)")
    }

    @Test(arguments: [(1, 1), (9, 9), (64, 63), (512, 64), (511, 511)])
    func refusesPicturesThatAreNoLookupImages(width: Int, height: Int) throws {
        let image = try Picture.solid(.white, width: width, height: height)
        #expect(throws: LookupTableError.invalidLayout(image.size)) { try LookupTable(image) }
        let deep = try Picture.deep()
        #expect(throws: LookupTableError.unsupportedPixels(.rgba16Straight)) { try LookupTable(deep) }
    }

    @Test(arguments: [-0.1, 1.1, .nan, .infinity] as [Double])
    func refusesAnIntensityThatMakesNoSense(intensity: Double) throws {
        let (picture, table) = try (Picture.solid(.white), Self.identity(2))
        #expect(throws: ProcessingError.self) { try ColorLookup(table, intensity: intensity).process(picture) }
    }

    @Test func refusesOtherPixelsAndEndsWhenItsTaskIsCancelled() async throws {
        let (deep, lookup) = try (Picture.deep(), ColorLookup(Self.identity(2)))
        #expect(throws: ProcessingError.unsupportedPixels(.rgba16Straight)) { try lookup.process(deep) }
        #expect(try await lookup.endsWhenCancelled())
    }
}
