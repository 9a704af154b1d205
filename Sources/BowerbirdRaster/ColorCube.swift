import CKernels

/// A table with a colour for every mixture of red, green and blue; between its entries colours are mixed of eight.
/// Takes 24 bytes an entry.
package struct ColorCube: Sendable {
    /// As the kernel takes them: with each entry its neighbours towards more red and more green.
    private let entries: [Int16]
    /// Of red, green and blue.
    private let axes: [TableAxis]
    private var side: Int { axes[0].count }

    /// `axes` are those of red, green and blue, all with the same count, n. `colors` has n × n × n times red, green and
    /// blue, 1 being the most that can be seen; red changes first, then green, then blue.
    package init(axes: [TableAxis], colors: [Float]) {
        let side = axes.first?.count ?? 0
        precondition(axes.count == 3 && axes.allSatisfy { $0.count == side })
        precondition(colors.count == 3 * side * side * side)
        self.axes = axes
        var entries: [Int16] = []
        entries.reserveCapacity(4 * colors.count + 4)
        for entry in 0..<colors.count / 3 {
            for color in [2, 1, 0] {
                for neighbor in [0, 1, side, side + 1] {
                    // Beyond the last red or green there is none, and nobody asks.
                    let index = min(3 * (entry + neighbor) + color, colors.count - 1)
                    entries.append(Self.level(colors[index]))
                }
            }
        }
        self.entries = entries + [0, 0, 0, 0]
    }

    private static func level(_ color: Float) -> Int16 {
        Int16(max(-32767, min(32767, (color * Float(BB_LOOKUP_ONE)).rounded())))
    }

    /// The cube made ready to change pictures; `intensity`, from 0 to 1, says how much.
    package func mixture(_ intensity: Double) -> Mixture {
        let most = Double(BB_LOOKUP_WEIGHT)
        let share = (most * intensity).rounded()
        let places = places(2, side * side, most) + places(1, side, most) + places(0, 1, share)
        return Mixture(entries: entries, side: side, places: places, rest: Int16(most - share))
    }

    /// Of all values of a component. Its entries are `distance` apart; the weights have the sum `total`.
    private func places(_ color: Int, _ distance: Int, _ total: Double) -> [BBLookupPlace] {
        (0...255).map { byte in
            let (index, share) = axes[color].place(of: byte)
            let far = Int16((share * total).rounded())
            return BBLookupPlace(near: Int16(total) - far, far: far, offset: UInt32(index * distance))
        }
    }

    /// A cube and how it is mixed into pictures.
    package struct Mixture: Sendable {
        fileprivate let entries: [Int16]
        fileprivate let side: Int
        fileprivate let places: [BBLookupPlace]
        fileprivate let rest: Int16

        /// Changes canonical pixels.
        package func apply(to pixels: UnsafeMutableRawBufferPointer) {
            guard let bytes = unsafe pixels.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return }
            unsafe withKernel { kernel in
                unsafe bb_look_up_colors(kernel, bytes, pixels.count / 4, bb_best_instruction_set())
            }
        }

        /// The kernel points into the arrays; it must not leave `body`.
        private func withKernel(_ body: (UnsafePointer<BBColorLookup>) -> Void) {
            unsafe entries.withUnsafeBufferPointer { entries in
                unsafe places.withUnsafeBufferPointer { places in
                    guard let entries = entries.baseAddress, let places = places.baseAddress else { return }
                    unsafe body([BBColorLookup(entries: entries, side: side, places: places, rest: rest)])
                }
            }
        }
    }
}
