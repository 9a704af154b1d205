import CKernels

/// What the pixels of a picture have in common, which may let a file be smaller.
@safe
package final class ColorSurvey {
    private let survey: OpaquePointer

    /// Nil where the machine has no memory.
    package init?() {
        guard let survey = unsafe bb_color_survey_create() else { return nil }
        unsafe self.survey = survey
    }

    deinit { unsafe bb_color_survey_destroy(survey) }

    /// Looks at more pixels of four bytes, the last one alpha.
    package func add(_ pixels: UnsafeRawBufferPointer) {
        guard let bytes = unsafe pixels.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return }
        unsafe bb_color_survey_add(survey, bytes, pixels.count / 4)
    }

    package var isOpaque: Bool { unsafe bb_color_survey_is_opaque(survey) }
    package var isGray: Bool { unsafe bb_color_survey_is_gray(survey) }

    /// The pixels that there are, their first byte the lowest, if they are at most 256.
    package var colors: [UInt32]? {
        var count: Int32 = 0
        let colors = unsafe bb_color_survey_colors(survey, &count)
        return count <= 256 ? unsafe Array(UnsafeBufferPointer(start: colors, count: Int(count))) : nil
    }

    /// The place of each pixel in `colors`, in `bits` (1, 2, 4 or 8) each, the first of a byte in its highest.
    package func index(_ pixels: UnsafeRawBufferPointer, bits: Int, into row: UnsafeMutableRawBufferPointer) -> Bool {
        precondition(row.count == (pixels.count / 4 * bits + 7) / 8)
        guard let source = unsafe pixels.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return false }
        guard let destination = unsafe row.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return false }
        return unsafe bb_color_survey_index(survey, source, Int32(bits), destination, pixels.count / 4)
    }
}
