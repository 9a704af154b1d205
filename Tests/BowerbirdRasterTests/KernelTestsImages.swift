import CKernels

/// The same numbers in every run.
struct SeededGenerator: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var bits = state
        bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
        return bits ^ (bits >> 31)
    }
}

/// Four bytes a pixel. Rows are longer than their pixels, and nothing follows the last pixel: a kernel that reads or
/// writes a byte too many meets the sanitizer or the guard bytes.
struct KernelImage: Equatable {
    static let guardByte: UInt8 = 0xA5

    let width: Int
    let height: Int
    let bytesPerRow: Int
    var bytes: [UInt8]

    init(_ width: Int, _ height: Int, padding: Int = 5) {
        self.width = width
        self.height = height
        bytesPerRow = 4 * width + padding
        bytes = Array(repeating: Self.guardByte, count: bytesPerRow * (height - 1) + 4 * width)
    }

    var size: BBPixelSize { BBPixelSize(width: width, height: height) }

    subscript(x: Int, y: Int) -> [UInt8] {
        get { Array(bytes[offset(x, y)..<offset(x, y) + 4]) }
        set { bytes.replaceSubrange(offset(x, y)..<offset(x, y) + 4, with: newValue) }
    }

    var pixels: [[UInt8]] {
        (0..<height).flatMap { y in (0..<width).map { x in self[x, y] } }
    }

    /// Whether the bytes between rows are as they were made.
    var guardsAreIntact: Bool {
        (0..<height - 1).allSatisfy { y in
            bytes[offset(width, y)..<offset(0, y + 1)].allSatisfy { $0 == Self.guardByte }
        }
    }

    private func offset(_ x: Int, _ y: Int) -> Int { y * bytesPerRow + 4 * x }
}

extension KernelImage {
    static func flat(_ width: Int, _ height: Int, _ pixel: [UInt8]) -> KernelImage {
        made(width, height) { pixel }
    }

    /// Any bytes at all: the harshest edges there are.
    static func noise(_ width: Int, _ height: Int, seed: UInt64 = 1) -> KernelImage {
        var generator = SeededGenerator(state: seed)
        return made(width, height) { (0..<4).map { _ in .random(in: 0...255, using: &generator) } }
    }

    /// Colours at most alpha, and often transparent or opaque.
    static func premultipliedNoise(_ width: Int, _ height: Int, seed: UInt64 = 1) -> KernelImage {
        var generator = SeededGenerator(state: seed)
        return made(width, height) {
            let alpha = [0, 255, UInt8.random(in: 0...255, using: &generator)].randomElement(using: &generator) ?? 0
            return (0..<3).map { _ in .random(in: 0...alpha, using: &generator) } + [alpha]
        }
    }

    private static func made(_ width: Int, _ height: Int, _ pixel: () -> [UInt8]) -> KernelImage {
        var image = KernelImage(width, height)
        for y in 0..<height {
            for x in 0..<width { image[x, y] = pixel() }
        }
        return image
    }
}

/// A resampling as the tests ask for it.
struct KernelResampling {
    var filter = BBResampleLanczos3
    var isOpaque = false
    var instructionSet = bb_best_instruction_set()
    /// Rows a call, or all at once.
    var bandHeight: Int?

    /// Nil when the kernel refuses.
    func callAsFunction(_ source: KernelImage, to width: Int, _ height: Int) -> KernelImage? {
        var result = KernelImage(width, height)
        guard let resampler = bb_resampler_create(source.size, result.size, filter, isOpaque, instructionSet) else {
            return nil
        }
        defer { bb_resampler_destroy(resampler) }
        let band = bandHeight ?? height
        let isDone = stride(from: 0, to: height, by: band).allSatisfy { first in
            bb_resampler_run(
                resampler, source.bytes, source.bytesPerRow, &result.bytes, result.bytesPerRow, first,
                min(band, height - first))
        }
        return isDone ? result : nil
    }
}

let allFilters = [BBResampleBox, BBResampleCatmullRom, BBResampleLanczos3]

/// Those this machine has beside the plain one. None where the plain one is all there is.
let vectorSets = [BBInstructionSetSSE41, BBInstructionSetAVX2].filter {
    $0.rawValue <= bb_best_instruction_set().rawValue
}
