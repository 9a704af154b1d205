import BowerbirdCore

/// Makes the bytes of a ThumbHash; `ThumbHashLayout` tells how they are laid out.
struct ThumbHashEncoder {
    private let pixels: PlaceholderPixels
    private let hasAlpha: Bool
    private let columns: Int
    private let rows: Int
    private let mean: SIMD4<Double>
    private var scale = SIMD4<Double>()
    /// Of all channels, from 0 to 1.
    private var details: [Double] = []

    init(_ bitmap: Bitmap) throws(ProcessingError) {
        let colors = try PlaceholderPixels(bitmap)
        pixels = colors.mapped(ThumbHashColor.components)
        hasAlpha = colors.hasAlpha
        let (size, most) = (colors.size, colors.hasAlpha ? 5.0 : 7)
        let longer = Double(max(size.width, size.height))
        columns = max(1, Self.rounded(most * Double(size.width) / longer))
        rows = max(1, Self.rounded(most * Double(size.height) / longer))
        mean = pixels.coefficient(across: 0, down: 0, phase: 0.5)
        for channel in ThumbHashChannel.all(columns: columns, rows: rows, hasAlpha: hasAlpha) {
            guard !Task.isCancelled else { throw .cancelled }
            add(channel)
        }
    }

    private mutating func add(_ channel: ThumbHashChannel) {
        let values = channel.waves.map { wave in
            pixels.coefficient(across: wave.across, down: wave.down, phase: 0.5)[channel.component]
        }
        let greatest = values.map(\.magnitude).max() ?? 0
        scale[channel.component] = greatest
        details += values.map { greatest > 0 ? 0.5 + 0.5 / greatest * $0 : 0 }
    }

    var bytes: [UInt8] {
        var bits = BitWriter()
        bits.append(63 * mean.x, 6)
        bits.append(31.5 + 31.5 * mean.y, 6)
        bits.append(31.5 + 31.5 * mean.z, 6)
        bits.append(31 * scale.x, 5)
        bits.append(hasAlpha ? 1 : 0, 1)
        bits.append(Double(min(columns, rows)), 3)
        bits.append(63 * scale.y, 6)
        bits.append(63 * scale.z, 6)
        bits.append(pixels.size.width > pixels.size.height ? 1 : 0, 1)
        if hasAlpha {
            bits.append(15 * mean.w, 4)
            bits.append(15 * scale.w, 4)
        }
        for detail in details { bits.append(15 * detail, 4) }
        return bits.bytes
    }

    /// Halves go up.
    fileprivate static func rounded(_ value: Double) -> Int { Int((value + 0.5).rounded(.down)) }
}

/// Numbers of a few bits one behind the other, from the lowest bit of each byte on.
private struct BitWriter {
    private(set) var bytes: [UInt8] = []
    private var freeBits = 0

    /// Rounded, and brought in range.
    mutating func append(_ value: Double, _ count: Int) {
        let number = min(max(0, ThumbHashEncoder.rounded(value)), (1 << count) - 1)
        for bit in 0..<count {
            if freeBits == 0 {
                bytes.append(0)
                freeBits = 8
            }
            bytes[bytes.count - 1] |= UInt8(number >> bit & 1) << (8 - freeBits)
            freeBits -= 1
        }
    }
}
