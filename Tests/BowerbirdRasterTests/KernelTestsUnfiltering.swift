import CKernels
import Testing

@Suite struct KernelUnfilteringTests {
    /// What the format's specification says, word for word.
    private func unfiltered(_ row: [UInt8], below above: [UInt8], filter: UInt8, bytesPerPixel: Int) -> [UInt8] {
        var result = row
        for index in row.indices {
            let left = index < bytesPerPixel ? 0 : Int(result[index - bytesPerPixel])
            let corner = index < bytesPerPixel ? 0 : Int(above[index - bytesPerPixel])
            let up = Int(above[index])
            let estimate = left + up - corner
            let distances = [left, up, corner].map { abs(estimate - $0) }
            let nearest =
                distances[0] <= distances[1] && distances[0] <= distances[2]
                ? left : distances[1] <= distances[2] ? up : corner
            let predictions = [0, left, up, (left + up) / 2, nearest]
            result[index] = row[index] &+ UInt8(truncatingIfNeeded: predictions[Int(filter)])
        }
        return result
    }

    @Test(arguments: vectorSets + [BBInstructionSetPlain], [1, 2, 3, 4, 6, 8])
    func everyFilterIsUndoneAsTheSpecificationSays(instructionSet: BBInstructionSet, bytesPerPixel: Int) {
        for filter in 0...4 as ClosedRange<UInt8> {
            for width in [1, 2, 3, 5, 7, 16, 33, 100] {
                let count = width * bytesPerPixel
                let above = noise(count, seed: 7 &+ UInt32(width))
                let row = noise(count, seed: 1_000 &+ UInt32(width) &* UInt32(filter))
                var result = row + [0xAB]
                let isDone = bb_unfilter_row(filter, &result, above, count, bytesPerPixel, instructionSet)
                let expected = unfiltered(row, below: above, filter: filter, bytesPerPixel: bytesPerPixel)
                #expect(isDone && result == expected + [0xAB], "filter \(filter), \(width) pixels")
            }
        }
    }

    /// Nearness decides between equals by their order.
    @Test(arguments: vectorSets + [BBInstructionSetPlain])
    func predictionsAreRightWhereNeighboursAreEquallyNear(instructionSet: BBInstructionSet) {
        let values: [UInt8] = [0, 1, 2, 127, 128, 254, 255]
        for corner in values {
            for above in values {
                for left in values {
                    for bytesPerPixel in [3, 4] {
                        let previous =
                            Array(repeating: corner, count: bytesPerPixel)
                            + Array(repeating: above, count: bytesPerPixel)
                        // The first pixel becomes `left`: above it lies the corner, which is then nearest.
                        let row =
                            Array(repeating: left &- corner, count: bytesPerPixel)
                            + Array(repeating: 0, count: bytesPerPixel)
                        var result = row
                        _ = bb_unfilter_row(4, &result, previous, row.count, bytesPerPixel, instructionSet)
                        #expect(
                            result == unfiltered(row, below: previous, filter: 4, bytesPerPixel: bytesPerPixel))
                    }
                }
            }
        }
    }

    @Test func whatIsNoFilterAndNoRowIsRefused() {
        var row: [UInt8] = [1, 2, 3, 4]
        for filter in [5, 6, 255] as [UInt8] {
            #expect(!bb_unfilter_row(filter, &row, [9, 9, 9, 9], 4, 4, BBInstructionSetAVX2))
        }
        #expect(!bb_unfilter_row(1, &row, [9, 9, 9, 9], 4, 3, BBInstructionSetAVX2))
        #expect(!bb_unfilter_row(1, &row, [9, 9, 9, 9], 4, 0, BBInstructionSetAVX2))
        #expect(row == [1, 2, 3, 4])
    }
}

@Suite struct KernelExpandingTests {
    @Test(arguments: vectorSets + [BBInstructionSetPlain], [true, false])
    func threeBytesBecomeFour(instructionSet: BBInstructionSet, swaps: Bool) {
        for count in Array(0...40) + [1001] {
            let source = noise(3 * count, seed: 5)
            var result = [UInt8](repeating: 0xAB, count: 4 * count + 1)
            bb_expand_rgb(source, &result, count, swaps, instructionSet)
            let expected = (0..<count).flatMap { index -> [UInt8] in
                let pixel = Array(source[3 * index..<3 * index + 3])
                return (swaps ? pixel.reversed() : pixel) + [255]
            }
            #expect(result == expected + [0xAB])
        }
    }

    @Test func grayAndAlphaBecomeFourBytes() {
        var result = [UInt8](repeating: 0, count: 8)
        bb_expand_gray_alpha([200, 13, 7, 255], &result, 2)
        #expect(result == [200, 200, 200, 13, 7, 7, 7, 255])
    }

    @Test(arguments: [1, 2, 4, 8])
    func indicesAreReadFromTheHighestBitsDown(bits: Int) {
        let table = (0..<256).map { UInt32($0) &* 0x0101_0107 }
        let perByte = 8 / bits
        for count in [1, 2, 3, 4, 7, 8, 9, 31] {
            let source = noise((count + perByte - 1) / perByte, seed: 3)
            var result = [UInt8](repeating: 0, count: 4 * count)
            #expect(bb_look_up(source, Int32(bits), table, &result, count))
            let expected = (0..<count).flatMap { index -> [UInt8] in
                let shift = 8 - bits - index % perByte * bits
                let pixel = table[Int(source[index / perByte]) >> shift & ((1 << bits) - 1)]
                return (0..<4).map { UInt8(truncatingIfNeeded: pixel >> (8 * $0)) }
            }
            #expect(result == expected)
        }
    }

    @Test func otherBitsAreRefused() {
        var result: [UInt8] = [1, 2, 3, 4]
        for bits in [-1, 0, 3, 5, 16] as [Int32] {
            #expect(!bb_look_up([1, 1], bits, Array(repeating: 0, count: 256), &result, 1))
        }
        #expect(result == [1, 2, 3, 4])
    }

    @Test func onlyThePixelThatIsMeantIsReplaced() {
        var pixels: [UInt8] = [1, 2, 3, 255, 1, 2, 3, 254, 1, 2, 3, 255, 3, 2, 1, 255]
        bb_replace_pixel(&pixels, 4, 0xFF03_0201, 0x0003_0201)
        #expect(pixels == [1, 2, 3, 0, 1, 2, 3, 254, 1, 2, 3, 0, 3, 2, 1, 255])
    }
}

func noise(_ count: Int, seed: UInt32) -> [UInt8] {
    var state = seed
    return (0..<count).map { _ in
        state = state &* 1_664_525 &+ 1_013_904_223
        return UInt8(state >> 24)
    }
}
