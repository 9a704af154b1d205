import BowerbirdCore
import BowerbirdEditing
import BowerbirdTestSupport
import Testing

@Suite
struct `A ThumbHash` {
    /// Of the flower in the tests of several published implementations.
    private static let flower = bytes("934a062d069256c374055867da8ab6679490510719")
    private static let withAlpha = bytes("62f8850b8446a34d807dc4f3fb2cf8a806898679847978")

    private static func bytes(_ hexadecimal: String) -> [UInt8] {
        let digits = hexadecimal.compactMap(\.hexDigitValue)
        return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
    }

    private func sampleOnNothing() throws -> DecodedImage {
        let sample = try Picture.filteringSample()
        return try Picture.drawn(width: 12, height: 8, isOpaque: false) { x, y in
            let isInside = (x - 6) * (x - 6) + (y - 4) * (y - 4) < 12
            return isInside ? sample.color(at: x, y) ?? .clear : .clear
        }
    }

    /// From thumbhash-python 1.0.1 of PyPI. A detail that is not there lies between two steps, 7 and 8, so that the last
    /// bit of its sum decides: details may be a step apart.
    @Test func ofAPictureIsThatOfOthers() throws {
        let sample = try Picture.filteringSample()
        let upright = try Picture.drawn(width: 8, height: 12) { x, y in sample.color(at: y, x) ?? .clear }
        try expect(sample, hasThe: Self.bytes("db180e1d9c6076778288778378987875f57c07c7b8"), headerByteCount: 5)
        try expect(upright, hasThe: Self.bytes("db180e1d1c32598088678867787878777c75cf0b77"), headerByteCount: 5)
        try expect(sampleOnNothing(), hasThe: Self.withAlpha, headerByteCount: 6)
    }

    private func expect(_ image: DecodedImage, hasThe expected: [UInt8], headerByteCount: Int) throws {
        let bytes = try ThumbHash(image.bitmap).bytes
        #expect(bytes.count == expected.count)
        #expect(bytes.prefix(headerByteCount) == expected.prefix(headerByteCount))
        for (byte, other) in zip(bytes, expected).dropFirst(headerByteCount) {
            let steps = [(byte & 15, other & 15), (byte >> 4, other >> 4)]
            #expect(steps.allSatisfy { abs(Int($0.0) - Int($0.1)) <= 1 }, "\(byte), not \(other)")
        }
    }

    /// From thumbhash-python 1.0.1 of PyPI, which draws straight alpha.
    @Test(
        arguments: [
            (
                flower, 23, 32, [(0, 0), (22, 0), (11, 16), (5, 30)],
                [[27, 53, 53, 255], [42, 60, 37, 255], [160, 94, 6, 255], [92, 63, 9, 255]]
            ),
            (
                withAlpha, 32, 19, [(0, 0), (16, 9), (20, 15)],
                [[0, 0, 0, 0], [128, 140, 138, 255], [166, 178, 161, 242]]
            ),
        ] as [([UInt8], Int, Int, [(Int, Int)], [[Int]])])
    func isDrawnAsOthersDrawIt(
        bytes: [UInt8], width: Int, height: Int, places: [(Int, Int)], expected: [[Int]]
    ) throws {
        let bitmap = try ThumbHash(bytes).bitmap()
        #expect(bitmap.size == PixelSize(width: width, height: height))
        for ((x, y), rgba) in zip(places, expected) {
            let color = try #require(bitmap.color(at: x, y))
            let components = [color.red, color.green, color.blue, color.alpha].map(Int.init)
            #expect(greatestDifference(components, rgba) <= 1, "\(components), not \(rgba)")
        }
    }

    /// 0.484127, 0.341270 and 0.079365, and 5 ÷ 7, as published with the flower.
    @Test func tellsTheColourAndTheShape() throws {
        let hash = try ThumbHash(Self.flower)
        #expect(hash.averageColor == Color(red: 123, green: 87, blue: 20))
        #expect(hash.aspectRatio == 5.0 / 7 && !hash.hasAlpha)
        #expect(hash.size() == PixelSize(width: 23, height: 32))
        #expect(hash.size(longestSide: -5) == PixelSize(width: 1, height: 1))
        let other = try ThumbHash(Self.withAlpha)
        #expect(other.hasAlpha && other.aspectRatio == 5.0 / 3)
        #expect(try other.bitmap().isOpaque == false)
        #expect(try hash.bitmap().isOpaque)
    }

    @Test func isPremultipliedWhenDrawn() throws {
        let bitmap = try ThumbHash(Self.withAlpha).bitmap(PixelSize(width: 9, height: 40))
        let image = DecodedImage(bitmap: bitmap, header: ImageHeader(format: .png, storedSize: bitmap.size))
        #expect(image.isValid)
    }

    @Test(arguments: [(1, 1), (1, 300), (300, 1), (400, 300)])
    func keepsAFlatColour(width: Int, height: Int) throws {
        let color = Color(red: 200, green: 100, blue: 30)
        let hash = try ThumbHash(Picture.solid(color, width: width, height: height).bitmap)
        let drawn = try #require(hash.bitmap().color(at: 0, 0))
        for (component, expected) in [(drawn.red, color.red), (drawn.green, color.green), (drawn.blue, color.blue)] {
            #expect(abs(Int(component) - Int(expected)) <= 8)
        }
        #expect(hash.bytes.count <= 25)
    }

    @Test func ofNothingIsTransparent() throws {
        let hash = try ThumbHash(Picture.solid(.clear).bitmap)
        #expect(hash.averageColor.alpha == 0)
        #expect(try hash.bitmap().color(at: 3, 3) == .clear)
    }

    @Test(
        arguments: [
            ([], PlaceholderError.wrongLength(0, expected: 5)), ([1, 2, 3, 4], .wrongLength(4, expected: 5)),
            ([0, 0, 0x80, 1, 0], .wrongLength(5, expected: 6)), ([0, 0, 0, 0, 0, 0], .invalidValue(at: 3)),
            (flower.dropLast(), .wrongLength(20, expected: 21)), (flower + [0], .wrongLength(22, expected: 21)),
        ] as [([UInt8], PlaceholderError)])
    func thatIsNoneIsRefused(bytes: [UInt8], error: PlaceholderError) {
        #expect(throws: error) { try ThumbHash(bytes) }
    }

    @Test func mayBeAnyBytes() {
        var seed: UInt32 = 1
        for count in 5..<40 {
            for _ in 0..<60 {
                let bytes = (0..<count).map { _ -> UInt8 in
                    seed = seed &* 1_664_525 &+ 1_013_904_223
                    return UInt8(seed >> 24)
                }
                guard let hash = try? ThumbHash(bytes) else { continue }
                _ = (hash.averageColor, hash.aspectRatio, try? hash.bitmap(PixelSize(width: 3, height: 3)))
            }
        }
    }

    @Test func refusesWhatMakesNoSense() throws {
        let hash = try ThumbHash(Self.flower), deep = try Picture.deep().bitmap
        #expect(throws: ProcessingError.self) { try hash.bitmap(PixelSize(width: 4, height: -1)) }
        #expect(throws: ProcessingError.unsupportedPixels(.rgba16Straight)) { try ThumbHash(deep) }
    }
}
