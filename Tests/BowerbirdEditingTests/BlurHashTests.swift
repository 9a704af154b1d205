import BowerbirdCore
import BowerbirdEditing
import BowerbirdTestSupport
import Testing

@Suite
struct `A BlurHash` {
    private static let known = "LEHV6nWB2yk8pyo0adR*.7kCMdnj"

    /// From blurhash 1.1.5 of PyPI, which is written in Python.
    @Test(arguments: [
        (4, 3, "LzHxWg2+sPt3vNR*jwjKdse@fTe-"), (1, 1, "00HxWg"), (3, 2, "BzHxWg2+sPvNR*jw"),
    ])
    func ofAPictureIsThatOfOthers(columns: Int, rows: Int, text: String) throws {
        let hash = try BlurHash(Picture.filteringSample().bitmap, columns: columns, rows: rows)
        #expect(hash.text == text)
        #expect(hash.columns == columns && hash.rows == rows)
    }

    /// From blurhash 1.1.5 of PyPI, at 32 × 20 pixels.
    @Test func isDrawnAsOthersDrawIt() throws {
        let bitmap = try BlurHash(Self.known).bitmap(PixelSize(width: 32, height: 20))
        let expected = [[135, 164, 177], [137, 166, 181], [158, 125, 108], [141, 144, 143], [132, 142, 147]]
        for ((x, y), rgb) in zip([(0, 0), (31, 0), (16, 10), (5, 17), (31, 19)], expected) {
            let color = try #require(bitmap.color(at: x, y))
            let components = [color.red, color.green, color.blue].map(Int.init)
            #expect(greatestDifference(components, rgb) <= 1, "\(components), not \(rgb)")
        }
        #expect(bitmap.isOpaque)
    }

    @Test func tellsItsAverageColour() throws {
        let color = Color(red: 200, green: 100, blue: 30)
        let hash = try BlurHash(Picture.solid(color).bitmap)
        #expect(hash.averageColor == color)
        #expect(try BlurHash(BlurHash(Picture.solid(.white).bitmap, columns: 1, rows: 1).text).averageColor == .white)
    }

    @Test func countsTransparentPixelsAsItsAverage() throws {
        let disc = try BlurHash(Picture.redDisc().bitmap)
        #expect(disc.averageColor.red.distance(to: 200).magnitude <= 1 && disc.averageColor.green == 0)
        #expect(try BlurHash(Picture.solid(.clear).bitmap).averageColor == .black)
    }

    @Test func ofALargePictureIsThatOfItsReducedOne() throws {
        let large = try Picture.drawn(width: 400, height: 300) { x, y in
            Color(red: UInt8(x / 2), green: UInt8(y / 2), blue: 60)
        }
        let bitmap = try BlurHash(large.bitmap).bitmap(PixelSize(width: 40, height: 30))
        for (x, y) in [(4, 4), (20, 15), (35, 25)] {
            let color = try #require(bitmap.color(at: x, y)), original = try #require(large.color(at: x * 10, y * 10))
            #expect(abs(Int(color.red) - Int(original.red)) < 40 && abs(Int(color.green) - Int(original.green)) < 40)
        }
    }

    @Test func withMorePunchHasMoreContrast() throws {
        let hash = try BlurHash(Self.known), size = PixelSize(width: 8, height: 8)
        let flat = try hash.bitmap(size, punch: 0)
        #expect(flat.color(at: 0, 0) == hash.averageColor && flat.color(at: 7, 7) == hash.averageColor)
        let strong = try hash.bitmap(size, punch: 2).color(at: 4, 4), plain = try hash.bitmap(size).color(at: 4, 4)
        #expect(strong?.red ?? 0 > plain?.red ?? 255)
    }

    @Test(
        arguments: [
            ("", PlaceholderError.wrongLength(0, expected: 6)), ("LEHV6", .wrongLength(5, expected: 6)),
            ("LEHV6nWB", .wrongLength(8, expected: 28)), (known + "0", .wrongLength(29, expected: 28)),
            ("LE\"V6nWB2yk8pyo0adR*.7kCMdnj", .unknownCharacter(at: 2)), ("LEÄV6nWB2yk8", .unknownCharacter(at: 2)),
            ("~00000", .invalidValue(at: 0)), ("00~~~~", .invalidValue(at: 2)),
            ("10000" + "0~~", .invalidValue(at: 6)), (String(repeating: "~", count: 100_000), .invalidValue(at: 0)),
        ] as [(String, PlaceholderError)])
    func thatIsNoneIsRefused(text: String, error: PlaceholderError) {
        #expect(throws: error) { try BlurHash(text) }
    }

    @Test func mayBeAnyText() {
        var seed: UInt32 = 1
        for _ in 0..<2000 {
            let bytes = (0..<28).map { _ -> UInt8 in
                seed = seed &* 1_664_525 &+ 1_013_904_223
                return UInt8(33 + (seed >> 16) % 94)
            }
            let hash = try? BlurHash("L" + String(decoding: bytes.dropFirst(), as: UTF8.self))
            _ = try? hash?.bitmap(PixelSize(width: 3, height: 3))
        }
    }

    @Test func refusesWhatMakesNoSense() throws {
        let hash = try BlurHash(Self.known), size = PixelSize(width: 4, height: 4)
        #expect(throws: ProcessingError.self) { try hash.bitmap(PixelSize(width: 0, height: 4)) }
        for punch in [-1, .nan, .infinity] as [Double] {
            #expect(throws: ProcessingError.self) { try hash.bitmap(size, punch: punch) }
        }
        let bitmap = try Picture.solid(.white).bitmap, deep = try Picture.deep().bitmap
        for (columns, rows) in [(0, 3), (10, 3), (3, 0), (3, 10)] {
            #expect(throws: ProcessingError.self) { try BlurHash(bitmap, columns: columns, rows: rows) }
        }
        #expect(throws: ProcessingError.unsupportedPixels(.rgba16Straight)) { try BlurHash(deep) }
    }
}
