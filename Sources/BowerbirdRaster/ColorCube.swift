import CKernels

/// A table with a colour for every mixture of red, green and blue; between its entries colours are mixed of eight.
package struct ColorCube: Sendable {
    /// Blue, green, red and 0 an entry, as the kernel takes them.
    private let entries: [Int16]
    private let side: Int
    /// Of blue, green and red, 256 each.
    private let places: [[BBLookupPlace]]

    /// `axes` are those of red, green and blue, all with the same count, n. `colors` has n × n × n times red, green and
    /// blue, 1 being the most that can be seen; red changes first, then green, then blue.
    package init(axes: [TableAxis], colors: [Float]) {
        precondition(axes.count == 3 && axes.allSatisfy { $0.count == axes[0].count })
        side = axes[0].count
        precondition(colors.count == 3 * side * side * side)
        var entries = [Int16](repeating: 0, count: colors.count / 3 * 4)
        for index in 0..<colors.count / 3 {
            for color in 0..<3 { entries[4 * index + 2 - color] = Self.level(colors[3 * index + color]) }
        }
        self.entries = entries
        let distances = [1, side, side * side]
        places = [2, 1, 0].map { Self.places(axes[$0], distance: distances[$0]) }
    }

    /// Changes canonical pixels; `intensity`, from 0 to 1, says how much.
    package func apply(to pixels: UnsafeMutableRawBufferPointer, intensity: Double) {
        guard let bytes = unsafe pixels.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return }
        let share = UInt32((intensity * Double(BB_LOOKUP_WEIGHT)).rounded())
        unsafe withKernel(intensity: share) { kernel in
            unsafe bb_look_up_colors(kernel, bytes, pixels.count / 4, bb_best_instruction_set())
        }
    }

    /// The kernel points into the arrays; it must not leave `body`.
    private func withKernel(intensity: UInt32, _ body: (UnsafePointer<BBColorLookup>) -> Void) {
        unsafe entries.withUnsafeBufferPointer { entries in
            unsafe places[0].withUnsafeBufferPointer { blue in
                unsafe places[1].withUnsafeBufferPointer { green in
                    unsafe places[2].withUnsafeBufferPointer { red in
                        guard let entries = entries.baseAddress, let blue = blue.baseAddress,
                            let green = green.baseAddress, let red = red.baseAddress
                        else { return }
                        unsafe body([
                            BBColorLookup(
                                entries: entries, side: side, blue: blue, green: green, red: red, intensity: intensity)
                        ])
                    }
                }
            }
        }
    }

    private static func level(_ color: Float) -> Int16 {
        Int16(max(-32767, min(32767, (color * Float(BB_LOOKUP_ONE)).rounded())))
    }

    private static func places(_ axis: TableAxis, distance: Int) -> [BBLookupPlace] {
        (0...255).map { byte in
            let (index, share) = axis.place(of: byte)
            let far = UInt32((share * Double(BB_LOOKUP_WEIGHT)).rounded())
            return BBLookupPlace(
                offset: UInt32(index * distance), weights: (UInt32(BB_LOOKUP_WEIGHT) - far) | far << 16)
        }
    }
}
