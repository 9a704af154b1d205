import BowerbirdCore
import BowerbirdEditing
import Testing

@Suite
struct `Blend modes` {
    private static let sources = [
        Color(red: 200, green: 100, blue: 50), Color(red: 240, green: 20, blue: 128, alpha: 153),
        Color(red: 10, green: 90, blue: 250, alpha: 102),
    ]
    private static let destinations = [
        Color(red: 30, green: 220, blue: 120), Color(red: 60, green: 200, blue: 90, alpha: 204),
        Color(red: 250, green: 128, blue: 5, alpha: 51),
    ]

    /// What cairo 1.16 makes of these pairs: blue, green, red and alpha, premultiplied.
    static let cairo: [(BlendMode, [[UInt8]])] = [
        (.clear, [[0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]]),
        (.source, [[50, 100, 200, 255], [77, 12, 144, 153], [100, 36, 4, 102]]),
        (.destination, [[120, 220, 30, 255], [72, 160, 48, 204], [1, 26, 50, 51]]),
        (.sourceOver, [[50, 100, 200, 255], [106, 76, 163, 235], [101, 52, 34, 133]]),
        (.destinationOver, [[120, 220, 30, 255], [87, 162, 77, 235], [81, 55, 53, 133]]),
        (.sourceIn, [[50, 100, 200, 255], [62, 10, 115, 122], [20, 7, 1, 20]]),
        (.destinationIn, [[120, 220, 30, 255], [43, 96, 29, 122], [0, 10, 20, 20]]),
        (.sourceOut, [[0, 0, 0, 0], [15, 2, 29, 31], [80, 29, 3, 82]]),
        (.destinationOut, [[0, 0, 0, 0], [29, 64, 19, 82], [1, 16, 30, 31]]),
        (.sourceAtop, [[50, 100, 200, 255], [91, 74, 134, 204], [21, 23, 31, 51]]),
        (.destinationAtop, [[120, 220, 30, 255], [58, 98, 58, 153], [80, 39, 23, 102]]),
        (.xor, [[0, 0, 0, 0], [44, 66, 48, 113], [81, 45, 33, 113]]),
        (.plus, [[170, 255, 230, 255], [149, 172, 192, 255], [101, 62, 54, 153]]),
        (.multiply, [[24, 86, 24, 255], [66, 74, 75, 235], [81, 49, 34, 133]]),
        (.screen, [[146, 234, 206, 255], [127, 164, 165, 235], [101, 58, 53, 133]]),
        (.overlay, [[47, 212, 47, 255], [88, 140, 102, 235], [81, 52, 53, 133]]),
        (.darken, [[50, 100, 30, 255], [87, 76, 77, 235], [81, 52, 34, 133]]),
        (.lighten, [[120, 220, 200, 255], [106, 162, 163, 235], [101, 55, 53, 133]]),
        (.colorDodge, [[149, 255, 139, 255], [131, 171, 171, 235], [101, 60, 53, 133]]),
        (.colorBurn, [[0, 166, 0, 255], [44, 66, 71, 235], [80, 44, 43, 133]]),
        (.hardLight, [[47, 173, 158, 255], [88, 81, 159, 235], [100, 52, 35, 133]]),
        (.softLight, [[81, 214, 61, 255], [87, 145, 104, 235], [82, 53, 53, 133]]),
        (.difference, [[70, 120, 170, 255], [63, 153, 134, 235], [100, 48, 52, 133]]),
        (.exclusion, [[123, 147, 183, 255], [106, 157, 138, 235], [100, 55, 52, 133]]),
    ]

    @Test(arguments: cairo)
    func areWhatCairoDoesWithinOneLevel(mode: BlendMode, expected: [[UInt8]]) throws {
        for index in expected.indices {
            let layer = try Picture.solid(Self.sources[index], width: 3, height: 1)
            let picture = try Picture.solid(Self.destinations[index], width: 3, height: 1)
            let pixel = try Overlay(layer, blendMode: mode).process(picture).pixel(1, 0)
            let isNear = zip(pixel, expected[index]).allSatisfy { abs(Int($0) - Int($1)) <= 1 }
            #expect(isNear, "\(pixel), not \(expected[index])")
        }
    }

    @Test func areAllCompared() {
        #expect(Self.cairo.map(\.0) == BlendMode.allCases)
    }
}
