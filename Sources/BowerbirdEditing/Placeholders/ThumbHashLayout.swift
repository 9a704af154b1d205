/// What the first bytes of a ThumbHash say, and where the rest of it is.
///
/// Bits, from the lowest: mean lightness 6, mean of yellow against blue 6, of red against green 6, scale of the
/// lightness 5, alpha 1; details along the shorter side 3, scales of the two other components 6 each, landscape 1; with
/// alpha its mean 4 and its scale 4. Then four bits for each detail of each component.
struct ThumbHashLayout: Hashable {
    /// The details of lightness across, 1 to 7, which tell the shape.
    let columns: Int
    /// The details of lightness down, 1 to 7.
    let rows: Int
    let hasAlpha: Bool
    /// Of the components.
    let mean: SIMD4<Float>
    /// The greatest detail of each component.
    private let scale: SIMD4<Float>

    init(_ bytes: [UInt8]) throws(PlaceholderError) {
        guard bytes.count >= 5 else { throw .wrongLength(bytes.count, expected: 5) }
        let (first, second) = (Bits(bytes[0..<3]), Bits(bytes[3..<5]))
        hasAlpha = first[23, 1] == 1
        guard !hasAlpha || bytes.count >= 6 else { throw .wrongLength(bytes.count, expected: 6) }
        let alpha = hasAlpha ? Bits(bytes[5..<6]) : Bits([15])
        mean = SIMD4(
            Float(first[0, 6]) / 63, Float(first[6, 6]) / 31.5 - 1, Float(first[12, 6]) / 31.5 - 1,
            Float(alpha[0, 4]) / 15)
        scale = SIMD4(
            Float(first[18, 5]) / 31, Float(second[3, 6]) / 63 * 1.25, Float(second[9, 6]) / 63 * 1.25,
            Float(alpha[4, 4]) / 15)
        let (longer, shorter) = (hasAlpha ? 5 : 7, second[0, 3])
        (columns, rows) = second[15, 1] == 1 ? (longer, shorter) : (shorter, longer)
        guard shorter > 0 else { throw .invalidValue(at: 3) }
        guard bytes.count == byteCount else { throw .wrongLength(bytes.count, expected: byteCount) }
    }

    private var headerByteCount: Int { hasAlpha ? 6 : 5 }
    private var byteCount: Int { headerByteCount + (channels.reduce(0) { $0 + $1.waves.count } + 1) / 2 }

    private var channels: [ThumbHashChannel] {
        ThumbHashChannel.all(columns: columns, rows: rows, hasAlpha: hasAlpha)
    }

    /// The picture of a hash that has this layout.
    func surface(_ bytes: [UInt8]) -> CosineSurface {
        var surface = CosineSurface(columns: 7, rows: 7, phase: 0.5)
        surface[0, 0] = mean
        var details = bytes[headerByteCount...].lazy.flatMap { [$0 & 15, $0 >> 4] }.makeIterator()
        for channel in channels {
            for wave in channel.waves {
                let value = Float(details.next() ?? 0) / 7.5 - 1
                surface[wave.across, wave.down][channel.component] = 2 * value * scale[channel.component]
            }
        }
        return surface
    }
}

/// One component of a ThumbHash, and the waves it has.
struct ThumbHashChannel {
    let component: Int
    /// So many half waves across and down.
    let waves: [(across: Int, down: Int)]

    private init(_ component: Int, columns: Int, rows: Int) {
        self.component = component
        waves = (0..<rows).flatMap { down in
            (0..<columns).filter { $0 * rows < columns * (rows - down) && $0 + down > 0 }.map { ($0, down) }
        }
    }

    /// In the order in which a hash has them.
    static func all(columns: Int, rows: Int, hasAlpha: Bool) -> [ThumbHashChannel] {
        let colors = [
            ThumbHashChannel(0, columns: max(3, columns), rows: max(3, rows)),
            ThumbHashChannel(1, columns: 3, rows: 3), ThumbHashChannel(2, columns: 3, rows: 3),
        ]
        return hasAlpha ? colors + [ThumbHashChannel(3, columns: 5, rows: 5)] : colors
    }
}

/// Bytes as one number, the first the lowest.
private struct Bits {
    private let number: Int

    init(_ bytes: ArraySlice<UInt8>) { number = bytes.reversed().reduce(0) { $0 << 8 | Int($1) } }

    subscript(start: Int, count: Int) -> Int { number >> start & ((1 << count) - 1) }
}
