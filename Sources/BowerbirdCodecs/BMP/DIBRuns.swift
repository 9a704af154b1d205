import BowerbirdCore

/// Reads a bitmap of runs: each some pixels of one colour (for 4 bits, of two that take turns), or some that are given
/// one by one. What is jumped over stays as it is.
struct DIBRuns {
    private let header: DIBHeader
    private let bits: Int
    private let colors: [UInt32]
    private let packing: PackedPixel
    private var position: Int
    private var x = 0
    /// Counted as the rows are stored.
    private var y = 0
    private(set) var pixelCount = 0

    /// Nil for a bitmap of rows.
    init?(_ header: DIBHeader, in bytes: RawSpan, _ packing: PackedPixel) {
        guard case .runs(let bits) = header.coding else { return nil }
        self.header = header
        self.bits = bits
        self.packing = packing
        colors = header.palette.colors(in: bytes, packing)
        position = header.pixelOffset
    }

    /// How a step ended.
    private enum Step {
        case more, end
        case damage(ImageWarning)
    }

    /// Commands between two looks at `Task.isCancelled`.
    private static let bandLength = 4096

    /// Writes the pixels up to the end, or up to where the file makes no sense.
    mutating func read(_ bytes: RawSpan, into buffer: inout PixelBuffer) throws(DecodingError) -> ImageWarning? {
        for count in 0... {
            if count.isMultiple(of: Self.bandLength) { try DecodingError.checkCancellation() }
            switch step(bytes, into: &buffer) {
            case .more: continue
            case .end: return nil
            case .damage(let warning): return warning
            }
        }
        return nil
    }

    private mutating func step(_ bytes: RawSpan, into buffer: inout PixelBuffer) -> Step {
        guard let count = take(bytes), let value = bytes.byte(at: position) else { return atEnd(of: bytes) }
        if count > 0 { return writeRun(count, bytes, into: &buffer) }
        position += 1
        switch value {
        case 0:
            x = 0
            y += 1
            return .more
        case 1: return .end
        case 2: return jump(bytes)
        default: return writeSingly(Int(value), bytes, into: &buffer)
        }
    }

    private mutating func take(_ bytes: RawSpan) -> Int? {
        guard let value = bytes.byte(at: position) else { return nil }
        position += 1
        return Int(value)
    }

    /// A file without the mark of the end is whole if it has come behind the last row.
    private func atEnd(of bytes: RawSpan) -> Step {
        let isWhole = y >= header.size.height || y == header.size.height - 1 && x >= header.size.width
        return isWhole ? .end : .damage(.truncated(atByte: bytes.byteCount))
    }

    private mutating func jump(_ bytes: RawSpan) -> Step {
        guard let right = take(bytes), let down = take(bytes) else { return atEnd(of: bytes) }
        x += right
        y += down
        return .more
    }

    private mutating func writeRun(_ count: Int, _ bytes: RawSpan, into buffer: inout PixelBuffer) -> Step {
        guard let pair = pixels(at: 0, bytes) else { return atEnd(of: bytes) }
        position += bits == 24 ? 3 : 1
        return write(count, into: &buffer) { $0.isMultiple(of: 2) ? pair.0 : pair.1 }
    }

    /// Always an even number of bytes.
    private mutating func writeSingly(_ count: Int, _ bytes: RawSpan, into buffer: inout PixelBuffer) -> Step {
        let byteCount = (count * bits + 7) / 8
        guard byteCount <= bytes.byteCount - position else { return atEnd(of: bytes) }
        let perStep = bits == 4 ? 2 : 1
        var listed: [UInt32] = []
        for index in 0..<count {
            let pair = pixels(at: index / perStep, bytes)
            listed.append((index.isMultiple(of: perStep) ? pair?.0 : pair?.1) ?? 0)
        }
        position += byteCount + byteCount % 2
        return write(count, into: &buffer) { listed[$0] }
    }

    /// The colours behind `position`: one for 8 and 24 bits, two for 4.
    private func pixels(at index: Int, _ bytes: RawSpan) -> (UInt32, UInt32)? {
        if bits == 24 {
            let offset = position + 3 * index
            guard let blue = bytes.byte(at: offset), let green = bytes.byte(at: offset + 1),
                let red = bytes.byte(at: offset + 2)
            else { return nil }
            let color = packing.pack(red, green, blue)
            return (color, color)
        }
        guard let value = bytes.byte(at: position + index).map(Int.init) else { return nil }
        return bits == 4 ? (colors[value >> 4], colors[value & 15]) : (colors[value], colors[value])
    }

    /// What would lie beside the picture ends it: the rest would be at wrong places.
    private mutating func write(_ count: Int, into buffer: inout PixelBuffer, _ color: (Int) -> UInt32) -> Step {
        guard y < header.size.height, x <= header.size.width else {
            return .damage(.corrupt("its runs leave the picture"))
        }
        let visibleCount = min(count, header.size.width - x)
        let start = x
        buffer.withPackedRow(header.row(y)) { pixels in
            for index in 0..<visibleCount { pixels[start + index] = color(index) }
        }
        x += visibleCount
        pixelCount += visibleCount
        return visibleCount == count ? .more : .damage(.corrupt("a run is longer than its row"))
    }
}
