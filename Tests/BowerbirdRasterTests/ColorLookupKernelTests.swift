import CKernels
import Testing

@Suite
struct `The kernel that looks colours up` {
    /// Some numbers that are hard to guess, the same in each run.
    private static func numbers(_ count: Int) -> [UInt32] {
        var state: UInt32 = 12345
        return (0..<count).map { _ in
            state = state &* 1_664_525 &+ 1_013_904_223
            return state >> 8
        }
    }

    private static func places(distance: Int, total: Int, side: Int) -> [BBLookupPlace] {
        (0..<256).map { value in
            let place = value * (side - 1)
            let index = min(place / 255, side - 2)
            let far = Int16((place - index * 255) * total / 255)
            return BBLookupPlace(near: Int16(total) - far, far: far, offset: UInt32(index * distance))
        }
    }

    @Test(arguments: [2, 5], [32767, 20000, 0])
    func givesTheSameWithEveryInstructionSet(side: Int, share: Int) {
        let entries = Self.numbers(12 * side * side * side + 4).map { Int16(truncatingIfNeeded: $0) }
        let limited = entries.map { max($0, -32767) }
        let places =
            Self.places(distance: side * side, total: 32767, side: side)
            + Self.places(distance: side, total: 32767, side: side)
            + Self.places(distance: 1, total: share, side: side)
        for pixelCount in [1, 2, 3, 4, 5, 1000, 1001] {
            let before = Self.numbers(4 * pixelCount).enumerated().map { index, number in
                index % 4 == 3 && number % 3 > 0 ? UInt8(255) : UInt8(truncatingIfNeeded: number)
            }
            let results = [BBInstructionSetPlain, BBInstructionSetAVX2].map { set in
                var pixels = before
                limited.withUnsafeBufferPointer { entries in
                    places.withUnsafeBufferPointer { places in
                        guard let entries = entries.baseAddress, let places = places.baseAddress else { return }
                        let rest = Int16(32767 - share)
                        var lookup = BBColorLookup(entries: entries, side: side, places: places, rest: rest)
                        bb_look_up_colors(&lookup, &pixels, pixelCount, set)
                    }
                }
                return pixels
            }
            #expect(results[0] == results[1])
        }
    }
}
