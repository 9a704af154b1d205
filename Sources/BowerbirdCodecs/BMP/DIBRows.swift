import BowerbirdCore
import BowerbirdRaster

/// Reads the rows of a bitmap that is not compressed.
struct DIBRows {
    private let header: DIBHeader
    private let row: Row

    /// Rows between two looks at `Task.isCancelled`.
    private static let bandHeight = 64

    /// How the pixels of one row are read.
    private enum Row {
        case indices(bits: Int, [UInt32])
        case colors(bits: Int, ChannelMasks)
    }

    /// Nil for a bitmap of runs.
    init?(_ header: DIBHeader, in bytes: RawSpan, _ packing: PackedPixel) {
        switch header.coding {
        case .indices(let bits): row = .indices(bits: bits, header.palette.colors(in: bytes, packing))
        case .colors(let bits, let masks): row = .colors(bits: bits, masks)
        case .runs: return nil
        }
        self.header = header
        self.packing = packing
    }

    private let packing: PackedPixel

    /// Every row takes a multiple of four bytes.
    static func bytesPerRow(width: Int, bits: Int) -> Int { (width * bits + 31) / 32 * 4 }

    private var bits: Int {
        switch row {
        case .indices(let bits, _), .colors(let bits, _): bits
        }
    }

    /// Where the rows end.
    var end: Int { header.pixelOffset + header.size.height * Self.bytesPerRow(width: header.size.width, bits: bits) }

    /// Writes, straight, as many rows as there are whole, and gives their number.
    func read(_ bytes: RawSpan, into buffer: inout PixelBuffer) throws(DecodingError) -> Int {
        let bytesPerRow = Self.bytesPerRow(width: header.size.width, bits: bits)
        let usedByteCount = (header.size.width * bits + 7) / 8
        return try bytes.withUnsafeBytes { file throws(DecodingError) in
            for index in 0..<header.size.height {
                if index.isMultiple(of: Self.bandHeight) { try DecodingError.checkCancellation() }
                let start = header.pixelOffset + index * bytesPerRow
                guard start + usedByteCount <= file.count else { return index }
                let source = UnsafeRawBufferPointer(rebasing: file[start..<start + usedByteCount])
                buffer.withPackedRow(header.row(index)) { read(source, into: $0) }
            }
            return header.size.height
        }
    }

    private func read(_ source: UnsafeRawBufferPointer, into pixels: UnsafeMutableBufferPointer<UInt32>) {
        switch row {
        case .indices(8, let colors): for x in pixels.indices { pixels[x] = colors[Int(source[x])] }
        case .indices(let bits, let colors): readIndices(source, bits, colors, into: pixels)
        case .colors(24, _):
            for x in pixels.indices { pixels[x] = packing.pack(source[3 * x + 2], source[3 * x + 1], source[3 * x]) }
        case .colors(16, let masks):
            for x in pixels.indices {
                let pixel = UInt16(littleEndian: source.loadUnaligned(fromByteOffset: 2 * x, as: UInt16.self))
                pixels[x] = masks.color(of: UInt32(pixel), packing)
            }
        case .colors(_, let masks):
            for x in pixels.indices {
                let pixel = UInt32(littleEndian: source.loadUnaligned(fromByteOffset: 4 * x, as: UInt32.self))
                pixels[x] = masks.color(of: pixel, packing)
            }
        }
    }

    /// Several pixels a byte, the first in the highest bits.
    private func readIndices(
        _ source: UnsafeRawBufferPointer, _ bits: Int, _ colors: [UInt32],
        into pixels: UnsafeMutableBufferPointer<UInt32>
    ) {
        let (perByte, most) = (8 / bits, (1 << bits) - 1)
        for x in pixels.indices {
            let shift = 8 - bits * (x % perByte + 1)
            pixels[x] = colors[Int(source[x / perByte]) >> shift & most]
        }
    }
}

extension DIBHeader {
    /// Where the stored row `index` belongs.
    func row(_ index: Int) -> Int { isTopDown ? index : size.height - 1 - index }
}
