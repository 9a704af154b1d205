import CKernels
import Testing

@Suite struct KernelRefusingTests {
    static let allowed = BBPixelSize(width: 4, height: 4)

    @Test(arguments: [(0, 4), (4, 0), (1 << 24 + 1, 4), (4, 1 << 24 + 1), (-1, 4), (4, Int.max)])
    func aSideOfNothingOrTooMuchIsRefused(_ width: Int, _ height: Int) {
        let size = BBPixelSize(width: width, height: height)
        for (source, destination) in [(size, Self.allowed), (Self.allowed, size)] {
            let resampler = bb_resampler_create(source, destination, BBResampleBox, false, BBInstructionSetPlain)
            #expect(resampler == nil)
            bb_resampler_destroy(resampler)
        }
    }

    @Test func theLongestSideIsTaken() throws {
        let source = KernelImage(1 << 24, 1)
        let result = try #require(KernelResampling(filter: BBResampleBox)(source, to: 1, 1))
        #expect(result.pixels == [[UInt8](repeating: KernelImage.guardByte, count: 4)])
    }

    @Test func anUnknownFilterIsRefused() {
        let filter = BBResampleFilter(rawValue: 3)
        #expect(bb_resampler_create(Self.allowed, Self.allowed, filter, false, BBInstructionSetPlain) == nil)
    }

    @Test func anInstructionSetTheMachineLacksIsReplaced() {
        let source = KernelImage.noise(20, 20)
        let beyondAll = KernelResampling(instructionSet: BBInstructionSet(rawValue: 99))
        let result = beyondAll(source, to: 9, 9)
        #expect(result != nil)
        #expect(result == KernelResampling()(source, to: 9, 9))
    }

    @Test(arguments: [(0, 5), (5, 0), (4, 1), (1, Int.max), (Int.max, 1), (-1, 2)])
    func rowsOutsideTheDestinationAreRefused(_ firstRow: Int, _ rowCount: Int) throws {
        #expect(try !runs(firstRow: firstRow, rowCount: rowCount))
    }

    @Test(arguments: [0, 15, Int.max, Int.max / 2, -16])
    func rowsTooShortOrTooLongForMemoryAreRefused(_ bytesPerRow: Int) throws {
        #expect(try !runs(sourceBytesPerRow: bytesPerRow))
        #expect(try !runs(destinationBytesPerRow: bytesPerRow))
    }

    @Test func noRowsAreASuccessThatWritesNothing() throws {
        #expect(try runs(firstRow: 4, rowCount: 0))
    }

    /// Whether a run from 4×4 to 4×4 pixels is accepted; when it is not, nothing may have been written.
    private func runs(
        sourceBytesPerRow: Int = 16, destinationBytesPerRow: Int = 16, firstRow: Int = 0, rowCount: Int = 4
    ) throws -> Bool {
        let resampler = try #require(
            bb_resampler_create(Self.allowed, Self.allowed, BBResampleBox, true, bb_best_instruction_set()))
        defer { bb_resampler_destroy(resampler) }
        let source = [UInt8](repeating: 1, count: 64)
        var destination = [UInt8](repeating: 0, count: 64)
        let isAccepted = bb_resampler_run(
            resampler, source, sourceBytesPerRow, &destination, destinationBytesPerRow, firstRow, rowCount)
        #expect(destination.allSatisfy { $0 == 0 })
        return isAccepted
    }
}
