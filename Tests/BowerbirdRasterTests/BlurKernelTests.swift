import CKernels
import Testing

@Suite struct BlurKernelTests {
    @Test(arguments: [0, 1, 7, 60, 5000, BB_LONGEST_BLUR_REACH])
    func everyInstructionSetGivesTheSameBytes(reach: Int) {
        let filter = BBBoxFilter(
            reach: reach, whole: 1 / (Float(2 * reach) + 1.5), edge: 0.25 / (Float(2 * reach) + 1.5))
        for width in [1, 5, 40] {
            let source = noise(width * 9 * 4, seed: 5)
            let plain = blurred(source, width: width, filter, BBInstructionSetPlain)
            #expect(blurred(source, width: width, filter, bb_best_instruction_set()) == plain)
        }
    }

    @Test func noSumOverflows() {
        let reach = BB_LONGEST_BLUR_REACH
        let filter = BBBoxFilter(reach: reach, whole: 1 / Float(2 * reach + 1), edge: 0)
        let white = [UInt8](repeating: 255, count: 20 * 9 * 4)
        #expect(blurred(white, width: 20, filter, BBInstructionSetPlain) == white)
    }

    /// Nine rows, blurred both ways.
    private func blurred(
        _ source: [UInt8], width: Int, _ filter: BBBoxFilter, _ instructionSet: BBInstructionSet
    ) -> [UInt8] {
        var result = [UInt8](repeating: 0, count: source.count)
        var scratch = [UInt16](repeating: 0, count: bb_blur_scratch_count(max(width, 9)))
        bb_blur_rows(filter, source, width * 4, &result, width * 4, width, 9, &scratch, instructionSet)
        bb_blur_columns(filter, &result, width * 4, 9, min(width, 16), &scratch, instructionSet)
        return result
    }
}
