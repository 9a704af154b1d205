import CKernels
import Testing

@Suite struct KernelResamplingTests {
    struct Sizes: CustomTestStringConvertible {
        let from: (width: Int, height: Int)
        let to: (width: Int, height: Int)

        init(_ fromWidth: Int, _ fromHeight: Int, _ toWidth: Int, _ toHeight: Int) {
            from = (fromWidth, fromHeight)
            to = (toWidth, toHeight)
        }

        var testDescription: String { "\(from.width)×\(from.height) → \(to.width)×\(to.height)" }
    }

    /// Rows shorter and longer than a vector, both axes up, down and unchanged, and windows of odd and even counts.
    static let sizes = [
        Sizes(1, 1, 1, 1), Sizes(1, 1, 9, 5), Sizes(1, 7, 1, 3), Sizes(7, 1, 3, 1), Sizes(1, 7, 7, 1),
        Sizes(3, 2, 200, 1), Sizes(2, 3, 1, 200), Sizes(5, 5, 5, 5), Sizes(13, 9, 17, 31), Sizes(31, 17, 9, 13),
        Sizes(64, 1, 1, 64), Sizes(100, 3, 33, 90), Sizes(3, 100, 90, 33), Sizes(640, 480, 33, 77),
        Sizes(40, 30, 161, 121),
    ]

    @Test(arguments: sizes, allFilters)
    func everyInstructionSetGivesTheBytesOfThePlainOne(_ sizes: Sizes, _ filter: BBResampleFilter) throws {
        let source = KernelImage.noise(sizes.from.width, sizes.from.height)
        for isOpaque in [false, true] {
            var resample = KernelResampling(
                filter: filter, isOpaque: isOpaque, instructionSet: BBInstructionSetPlain)
            let plain = try #require(resample(source, to: sizes.to.width, sizes.to.height))
            for set in vectorSets {
                resample.instructionSet = set
                #expect(resample(source, to: sizes.to.width, sizes.to.height) == plain)
            }
        }
    }

    @Test(arguments: 0..<200)
    func everyInstructionSetGivesTheBytesOfThePlainOneAtRandomSizes(_ seed: UInt64) throws {
        var generator = SeededGenerator(state: seed)
        let side = { (limit: Int) in Int.random(in: 1...limit, using: &generator) }
        let source = KernelImage.noise(side(60), side(60), seed: seed)
        let (width, height) = (side(60), side(60))
        let plain = try #require(KernelResampling(instructionSet: BBInstructionSetPlain)(source, to: width, height))
        for set in vectorSets {
            #expect(KernelResampling(instructionSet: set)(source, to: width, height) == plain)
        }
    }

    @Test(arguments: sizes, allFilters)
    func aFlatColourStaysExactlyThatColour(_ sizes: Sizes, _ filter: BBResampleFilter) throws {
        let colour: [UInt8] = [17, 101, 254, 254]
        let source = KernelImage.flat(sizes.from.width, sizes.from.height, colour)
        let result = try #require(KernelResampling(filter: filter)(source, to: sizes.to.width, sizes.to.height))
        #expect(result.pixels.allSatisfy { $0 == colour })
    }

    @Test(arguments: sizes)
    func bytesBetweenRowsAreLeftAlone(_ sizes: Sizes) throws {
        let source = KernelImage.noise(sizes.from.width, sizes.from.height)
        let result = try #require(KernelResampling()(source, to: sizes.to.width, sizes.to.height))
        #expect(result.guardsAreIntact)
    }

    @Test func halvingWithTheBoxGivesTheMeanOfFourPixels() throws {
        let source = KernelImage.premultipliedNoise(64, 48)
        let result = try #require(KernelResampling(filter: BBResampleBox)(source, to: 32, 24))
        for y in 0..<24 {
            for x in 0..<32 {
                let four = [(0, 0), (1, 0), (0, 1), (1, 1)].map { source[2 * x + $0.0, 2 * y + $0.1] }
                for channel in 0..<4 {
                    let mean = four.reduce(0.0) { $0 + Double($1[channel]) } / 4
                    #expect(abs(Double(result[x, y][channel]) - mean) <= 1)
                }
            }
        }
    }

    @Test func theBoxCountsPixelsByTheAreaThatIsCovered() throws {
        var source = KernelImage.flat(3, 1, [0, 0, 0, 255])
        source[1, 0] = [255, 255, 255, 255]
        let result = try #require(KernelResampling(filter: BBResampleBox)(source, to: 2, 1))
        // Each half covers one black pixel and half the white one.
        #expect(result.pixels == [[85, 85, 85, 255], [85, 85, 85, 255]])
    }

    @Test func enlargingWithTheBoxRepeatsPixels() throws {
        let source = KernelImage.premultipliedNoise(7, 5)
        let result = try #require(KernelResampling(filter: BBResampleBox)(source, to: 21, 15))
        for y in 0..<15 {
            for x in 0..<21 { #expect(result[x, y] == source[x / 3, y / 3]) }
        }
    }

    @Test(arguments: allFilters)
    func theSameSizeGivesTheSamePixels(_ filter: BBResampleFilter) {
        let source = KernelImage.premultipliedNoise(37, 23)
        #expect(KernelResampling(filter: filter)(source, to: 37, 23) == source)
    }

    /// The expected values come from the textbook formulas in double precision, clamped to a byte.
    @Test(arguments: [
        (BBResampleCatmullRom, [0, 0, 0, 0, 0, 21, 88, 167, 234, 255, 255, 255, 255, 255]),
        (BBResampleLanczos3, [5, 0, 0, 0, 0, 23, 89, 166, 232, 255, 255, 255, 255, 250]),
    ])
    func anEnlargedEdgeFollowsTheCurveOfItsFilter(_ filter: BBResampleFilter, _ expected: [Int]) throws {
        var source = KernelImage.flat(16, 1, [0, 0, 0, 255])
        for x in 8..<16 { source[x, 0] = [255, 255, 255, 255] }
        let result = try #require(KernelResampling(filter: filter, isOpaque: true)(source, to: 64, 1))
        #expect((25..<39).map { Int(result[$0, 0][0]) } == expected)
    }

    @Test func windowsOfMoreSamplesThanCoefficientStepsStillCountThemAll() throws {
        var source = KernelImage.flat(1 << 17, 1, [0, 0, 0, 255])
        for x in 0..<1 << 16 { source[x, 0] = [200, 200, 200, 255] }
        let result = try #require(KernelResampling(filter: BBResampleBox, isOpaque: true)(source, to: 1, 1))
        #expect(result.pixels == [[100, 100, 100, 255]])
    }

    @Test(arguments: sizes, allFilters)
    func colourNeverExceedsAlpha(_ sizes: Sizes, _ filter: BBResampleFilter) throws {
        let source = KernelImage.premultipliedNoise(sizes.from.width, sizes.from.height)
        for set in vectorSets + [BBInstructionSetPlain] {
            let resample = KernelResampling(filter: filter, instructionSet: set)
            let result = try #require(resample(source, to: sizes.to.width, sizes.to.height))
            #expect(result.pixels.allSatisfy { max($0[0], $0[1], $0[2]) <= $0[3] })
        }
    }

    @Test func anOpaqueSourceStaysOpaqueWhateverItsFourthByte() throws {
        let source = KernelImage.flat(10, 10, [200, 100, 50, 3])
        let result = try #require(KernelResampling(isOpaque: true)(source, to: 7, 13))
        #expect(result.pixels.allSatisfy { $0 == [200, 100, 50, 255] })
    }

    @Test(arguments: sizes, [1, 2, 7])
    func bandsEqualTheWhole(_ sizes: Sizes, _ bandHeight: Int) throws {
        let source = KernelImage.premultipliedNoise(sizes.from.width, sizes.from.height)
        let whole = try #require(KernelResampling()(source, to: sizes.to.width, sizes.to.height))
        let banded = KernelResampling(bandHeight: bandHeight)(source, to: sizes.to.width, sizes.to.height)
        #expect(banded == whole)
    }

    @Test func aBandTouchesItsOwnRowsOnly() throws {
        let source = KernelImage.flat(8, 8, [9, 9, 9, 9])
        var result = KernelImage(4, 6)
        let untouched = result[0, 0]
        let resampler = try #require(
            bb_resampler_create(source.size, result.size, BBResampleLanczos3, false, bb_best_instruction_set()))
        defer { bb_resampler_destroy(resampler) }
        #expect(
            bb_resampler_run(resampler, source.bytes, source.bytesPerRow, &result.bytes, result.bytesPerRow, 2, 3))
        #expect((0..<6).map { result[3, $0] == untouched } == [true, true, false, false, false, true])
    }
}
