import BowerbirdCore

/// The unpacked pixels of one picture, as far as its data have come.
final class GIFRaster {
    private let frame: GIFFrame
    private let decoder: LZWDecoder
    /// Where to go on: in a block with so many bytes to come, or before the next one.
    private var position: Int
    private var blockRest = 0
    private var hasEnded = false

    /// Blocks between two looks at `Task.isCancelled`; each can unpack to half a million pixels.
    private static let blocksAtOnce = 16

    init(_ frame: GIFFrame, _ limits: DecodingLimits) throws(DecodingError) {
        try limits.check(frame.rect.size)
        guard (1...8).contains(frame.minimumCodeSize) else {
            throw .corrupt("its codes begin with \(frame.minimumCodeSize) bits")
        }
        let pixelCount = frame.rect.size.pixelCount
        guard let decoder = LZWDecoder(minimumCodeSize: frame.minimumCodeSize, pixelCount: pixelCount) else {
            throw .outOfMemory(frame.rect.size)
        }
        self.frame = frame
        self.decoder = decoder
        position = frame.dataStart
    }

    /// Whether every pixel has come.
    var isComplete: Bool { decoder.pixelCount == frame.rect.size.pixelCount }
    /// Whether more bytes could make a difference.
    var isHungry: Bool { !hasEnded && decoder.state == .hungry }
    var isDamaged: Bool { decoder.state == .damaged }
    var isEmpty: Bool { decoder.pixelCount == 0 }
    /// Wholly unpacked rows, in the order of the file.
    var rowCount: Int { decoder.pixelCount / frame.rect.size.width }

    /// Goes on with `bytes`, which begin where they always began.
    func read(_ bytes: RawSpan) throws(DecodingError) {
        var blockCount = 0
        while isHungry, position < bytes.byteCount {
            if blockCount.isMultiple(of: Self.blocksAtOnce) { try DecodingError.checkCancellation() }
            blockCount += 1
            if blockRest == 0 { beginBlock(bytes) }
            readBlock(bytes)
        }
    }

    private func beginBlock(_ bytes: RawSpan) {
        blockRest = Int(bytes.byte(at: position) ?? 0)
        position += 1
        hasEnded = blockRest == 0
    }

    /// As much of it as has come.
    private func readBlock(_ bytes: RawSpan) {
        let end = min(position + blockRest, bytes.byteCount)
        bytes.withUnsafeBytes { bytes in
            decoder.decode(UnsafeRawBufferPointer(rebasing: bytes[position..<end]))
        }
        blockRest -= end - position
        position = end
    }
}

// MARK: Painting

extension GIFRaster {
    /// Paints what there is; the first pixel of the canvas that the frame lies on is at `origin` of the buffer. Rows of an
    /// interlaced picture that have not come look like the nearest one above them.
    func paint(into buffer: inout PixelBuffer, from origin: (x: Int, y: Int), _ colors: GIFColors) {
        let target = PixelRect(x: origin.x, y: origin.y, size: buffer.size)
        let visible = frame.rect.intersection(target)
        guard !visible.isEmpty else { return }
        let width = buffer.size.width
        let left = visible.x - frame.rect.x
        buffer.withUnsafeMutableBytes { bytes in
            guard let pixels = bytes.baseAddress?.assumingMemoryBound(to: UInt32.self) else { return }
            for y in visible.rows {
                let row = row(y - frame.rect.y, left..<left + visible.size.width)
                colors.paint(row, to: pixels + ((y - origin.y) * width + visible.x - origin.x))
            }
        }
    }

    /// The indices of one row of the picture, as many of them as have come.
    private func row(_ y: Int, _ columns: Range<Int>) -> UnsafeBufferPointer<UInt8> {
        let width = frame.rect.size.width
        let start = storedRow(y) * width
        guard start < decoder.pixelCount else { return UnsafeBufferPointer(start: nil, count: 0) }
        let columns = columns.clamped(to: 0..<min(decoder.pixelCount - start, width))
        return UnsafeBufferPointer(rebasing: decoder.pixels[start + columns.lowerBound..<start + columns.upperBound])
    }

    /// Where in the file a row of the picture is, or the nearest one above it that has come.
    private func storedRow(_ y: Int) -> Int {
        guard frame.isInterlaced else { return y }
        let order = GIFInterlacing(height: frame.rect.size.height)
        return isComplete ? order.storedRow(y) : order.newest(y, rowCount: rowCount) ?? order.storedRow(y)
    }
}

/// The order of rows in an interlaced picture: every eighth, those between them, and so on.
struct GIFInterlacing {
    let height: Int

    private static let passes: [(first: Int, step: Int)] = [(0, 8), (4, 8), (2, 4), (1, 2)]

    private func count(_ pass: (first: Int, step: Int)) -> Int {
        max(0, (height - pass.first + pass.step - 1) / pass.step)
    }

    /// The place in the file of row `y`.
    func storedRow(_ y: Int) -> Int {
        var start = 0
        for pass in Self.passes {
            let distance = y - pass.first
            if distance >= 0, distance.isMultiple(of: pass.step) { return start + distance / pass.step }
            start += count(pass)
        }
        return start
    }

    /// The place in the file of the row nearest to `y`, itself or above, of those `rowCount` that have come first. Rows
    /// come from all over the picture, so one is at most seven rows away once the first pass is there.
    func newest(_ y: Int, rowCount: Int) -> Int? {
        (max(0, y - 7)...y).reversed().lazy.map(storedRow).first { $0 < rowCount }
    }

    /// The rows that each pass ends with.
    var passEnds: [Int] {
        var end = 0
        return Self.passes.map { pass in
            end += count(pass)
            return end
        }
    }
}
