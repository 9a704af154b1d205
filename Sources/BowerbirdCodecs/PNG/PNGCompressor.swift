#if PNG
    import BowerbirdCore
    import BowerbirdRaster
    import CDeflate

    /// The owner of one libdeflate compressor: faster than zlib at the same size, but it wants all of a stream at once.
    final class PNGCompressor {
        private let handle: OpaquePointer
        private let effort: Double

        /// Rows between two looks at `Task.isCancelled`.
        private static let bandHeight = 64

        init(effort: Double) throws(EncodingError) {
            guard let handle = libdeflate_alloc_compressor(Int32(Self.level(for: effort))) else { throw .outOfMemory }
            self.handle = handle
            self.effort = effort
        }

        deinit { libdeflate_free_compressor(handle) }

        /// 1 is fastest, 6 the usual, 12 smallest and slow.
        private static func level(for effort: Double) -> Int {
            Int((effort < 0.5 ? 1 + 10 * effort : 6 + 12 * (effort - 0.5)).rounded())
        }

        /// The zlib stream for a picture.
        func compress(_ rows: inout PNGRows, _ packing: PNGPacking) throws(EncodingError) -> [UInt8] {
            let filtered = try filter(&rows, packing)
            if Task.isCancelled { throw .cancelled }
            let room = libdeflate_zlib_compress_bound(handle, filtered.count)
            guard let result = ByteStorage(capacity: room) else { throw .outOfMemory }
            let source = filtered.storage.bytes.baseAddress
            let count = libdeflate_zlib_compress(handle, source, filtered.count, result.bytes.baseAddress, room)
            guard count > 0 else { throw .failed("libdeflate wants more room than it asked for") }
            return Array(result.bytes[..<count])
        }

        /// The rows as they are compressed, each behind its filter.
        private func filter(
            _ rows: inout PNGRows, _ packing: PNGPacking
        ) throws(EncodingError) -> (storage: ByteStorage, count: Int) {
            let layout = PNGLayout(size: rows.rect.size, bitDepth: packing.bitDepth, colors: packing.colors)
            let length = 1 + layout.bytesPerRow
            let (count, overflows) = length.multipliedReportingOverflow(by: layout.size.height)
            guard !overflows, let result = ByteStorage(capacity: count) else { throw .outOfMemory }
            var filter = RowFilter(layout, filters: filters(for: packing))
            for row in 0..<layout.size.height {
                if row.isMultiple(of: Self.bandHeight), Task.isCancelled { throw .cancelled }
                let target = UnsafeMutableRawBufferPointer(rebasing: result.bytes[row * length..<(row + 1) * length])
                let isPacked = rows.withRow(row) { pixels in
                    filter.filter(into: target) { packing.pack(pixels, into: $0) }
                }
                guard isPacked else { throw .failed("the pixels have changed") }
            }
            return (result, count)
        }

        /// A bit each. Where time counts, the two that cost least.
        private func filters(for packing: PNGPacking) -> UInt8 {
            if !packing.isWorthFiltering { return 0b00001 }
            return effort < 0.25 ? 0b00110 : 0b11111
        }
    }

    /// Filters rows from the top, and keeps the one that the next is compared with.
    private struct RowFilter {
        private var row: [UInt8]
        private var previous: [UInt8]
        private var scratch: [UInt8]
        private let filters: UInt8
        private let bytesPerPixel: Int

        init(_ layout: PNGLayout, filters: UInt8) {
            row = Array(repeating: 0, count: layout.bytesPerRow)
            previous = row
            scratch = row
            self.filters = filters
            bytesPerPixel = layout.bytesPerPixel
        }

        /// `fill` writes the row, and says whether it could.
        mutating func filter(
            into result: UnsafeMutableRawBufferPointer, _ fill: (UnsafeMutableRawBufferPointer) -> Bool
        ) -> Bool {
            guard row.withUnsafeMutableBytes(fill) else { return false }
            row.withUnsafeBytes { row in
                previous.withUnsafeBytes { previous in
                    scratch.withUnsafeMutableBytes { scratch in
                        Scanlines.filter(
                            row, below: previous, filters: filters, bytesPerPixel: bytesPerPixel, scratch: scratch,
                            into: result)
                    }
                }
            }
            swap(&row, &previous)
            return true
        }
    }
#endif
