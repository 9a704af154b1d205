import CKernels
import Testing

@Suite struct KernelFilteringTests {
    private func filtered(
        _ row: [UInt8], below above: [UInt8], filters: UInt8, bytesPerPixel: Int
    ) -> [UInt8] {
        var scratch = [UInt8](repeating: 0, count: row.count)
        var result = [UInt8](repeating: 0xAB, count: row.count + 2)
        bb_filter_row(filters, row, above, row.count, bytesPerPixel, &scratch, &result)
        #expect(result.last == 0xAB)
        return Array(result.dropLast())
    }

    private func weight(_ bytes: some Sequence<UInt8>) -> Int {
        bytes.reduce(0) { $0 + ($1 < 128 ? Int($1) : 256 - Int($1)) }
    }

    @Test(arguments: [1, 2, 3, 4, 6, 8])
    func whatIsFilteredCanBeUndone(bytesPerPixel: Int) {
        for filter in 0...4 as ClosedRange<UInt8> {
            for width in [1, 2, 3, 9, 40] {
                let count = width * bytesPerPixel
                let (row, above) = (noise(count, seed: 3), noise(count, seed: 4))
                var result = filtered(row, below: above, filters: 1 << filter, bytesPerPixel: bytesPerPixel)
                #expect(result.removeFirst() == filter)
                _ = bb_unfilter_row(filter, &result, above, count, bytesPerPixel, BBInstructionSetPlain)
                #expect(result == row, "filter \(filter), \(width) pixels")
            }
        }
    }

    @Test func theFilterThatLeavesLeastIsTaken() {
        let slope = (0..<90).map { UInt8($0) }
        let flat = [UInt8](repeating: 0, count: 90)
        #expect(filtered(slope, below: flat, filters: 0b11111, bytesPerPixel: 1)[0] == 1)
        #expect(filtered(slope, below: slope, filters: 0b00111, bytesPerPixel: 1)[0] == 2)
        #expect(filtered(flat, below: slope, filters: 0b11111, bytesPerPixel: 1)[0] == 0)
        for seed in 1...20 as ClosedRange<UInt32> {
            let (row, above) = (noise(64, seed: seed), noise(64, seed: 99 &* seed))
            let each = (0..<5).map {
                weight(filtered(row, below: above, filters: 1 << $0, bytesPerPixel: 4).dropFirst())
            }
            let best = filtered(row, below: above, filters: 0b11111, bytesPerPixel: 4)
            #expect(weight(best.dropFirst()) == each.min() && Int(best[0]) == each.firstIndex(of: each.min() ?? 0))
        }
    }

    @Test func longRowsAreWeighedWhole() {
        let row = [UInt8](repeating: 128, count: 1 << 17) + [UInt8](repeating: 1, count: 1 << 17)
        let above = [UInt8](repeating: 0, count: 1 << 17) + [UInt8](repeating: 127, count: 1 << 17)
        #expect(filtered(row, below: above, filters: 0b00101, bytesPerPixel: 1)[0] == 0)
        #expect(filtered(row.reversed(), below: above.reversed(), filters: 0b00101, bytesPerPixel: 1)[0] == 0)
    }
}

@Suite struct KernelPackingTests {
    @Test func bytesAreKeptInTheOrderThatIsAskedFor() {
        let pixels: [UInt8] = [1, 2, 3, 4, 5, 6, 7, 8]
        for (places, expected) in [
            ([2, 1, 0], [3, 2, 1, 7, 6, 5]), ([0], [1, 5]), ([0, 3], [1, 4, 5, 8]),
            ([2, 1, 0, 3], [3, 2, 1, 4, 7, 6, 5, 8]),
        ] as [([UInt8], [UInt8])] {
            var result = [UInt8](repeating: 0, count: expected.count)
            let filled = places + [0, 0, 0]
            let kept = BBPackedBytes(count: places.count, places: (filled[0], filled[1], filled[2], filled[3]))
            bb_pack_bytes(pixels, &result, 2, kept)
            #expect(result == expected)
        }
    }

    @Test func wordsComeWithTheHigherByteFirst() {
        var result = [UInt8](repeating: 0, count: 12)
        bb_pack_words([0x0102, 0x0304, 0x0506, 0x0708, 0x1112, 0x1314, 0x1516, 0x1718], &result, 2, 3)
        #expect(result == [1, 2, 3, 4, 5, 6, 0x11, 0x12, 0x13, 0x14, 0x15, 0x16])
    }
}

@Suite struct KernelColorSurveyTests {
    /// What a survey tells of pixels, and the indices it gives them.
    private func survey(
        _ pixels: [[UInt8]], bits: Int32 = 8
    ) throws -> (isOpaque: Bool, isGray: Bool, colors: [UInt32], count: Int32, indices: [UInt8]?) {
        let survey = try #require(bb_color_survey_create())
        defer { bb_color_survey_destroy(survey) }
        for half in [pixels[..<(pixels.count / 2)], pixels[(pixels.count / 2)...]] {
            bb_color_survey_add(survey, half.flatMap(\.self), half.count)
        }
        var count: Int32 = 0
        let colors = bb_color_survey_colors(survey, &count)
        var indices = [UInt8](repeating: 0xFF, count: (pixels.count * Int(bits) + 7) / 8)
        let isIndexed = bb_color_survey_index(survey, pixels.flatMap(\.self), bits, &indices, pixels.count)
        return (
            bb_color_survey_is_opaque(survey), bb_color_survey_is_gray(survey),
            (0..<min(256, Int(count))).map { colors[$0] }, count, isIndexed ? indices : nil
        )
    }

    @Test func coloursAreCountedInTheirOrder() throws {
        let found = try survey([[1, 2, 3, 255], [1, 2, 3, 255], [9, 9, 9, 255], [1, 2, 3, 255]])
        #expect(found.isOpaque && !found.isGray && found.colors == [0xFF03_0201, 0xFF09_0909])
        #expect(found.indices == [0, 0, 1, 0])
    }

    @Test func onePixelDecides() throws {
        #expect(try survey([[5, 5, 5, 255], [6, 6, 6, 255]]).isGray)
        #expect(try !survey([[5, 5, 5, 255], [6, 6, 7, 255]]).isGray)
        #expect(try !survey([[5, 6, 6, 255]]).isGray)
        #expect(try !survey([[5, 5, 5, 255], [5, 5, 5, 254]]).isOpaque)
    }

    @Test(arguments: [1, 2, 4, 8] as [Int32])
    func indicesAreWrittenFromTheHighestBitsDown(bits: Int32) throws {
        let count = 1 << Int(bits)
        let pixels = (0..<max(9, count)).map { [UInt8($0 % count), 7, 0, 255] }
        let indices = try #require(try survey(pixels, bits: bits).indices)
        let perByte = 8 / Int(bits)
        for index in pixels.indices {
            let shift = 8 - Int(bits) * (index % perByte + 1)
            #expect(Int(indices[index / perByte]) >> shift & (count - 1) == index % count)
        }
    }

    @Test func moreThan256ColoursHaveNoIndices() throws {
        let pixels = (0..<300).map { [UInt8($0 & 0xFF), UInt8($0 >> 8), 0, 255] }
        let most = try survey(Array(pixels[..<256]))
        #expect(most.count == 256 && most.indices == (0..<256).map { UInt8($0) })
        let more = try survey(pixels)
        #expect(more.count == 257 && more.indices == nil)
        #expect(try survey(Array(pixels[..<3]), bits: 1).indices == nil)
        #expect(try survey(Array(pixels[..<3]), bits: 3).indices == nil)
    }
}
