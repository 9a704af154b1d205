#if TIFF
    import BowerbirdCore
    import BowerbirdRaster

    /// Reads all pixels of a page. What cannot be read is left out; the rest is where it belongs.
    struct TIFFPixels {
        /// One for each component that has rows of its own: each then reads on where it was.
        private let readers: [TIFFReader]
        private let reader: TIFFReader
        private let layout: TIFFLayout
        private var goodPartCount = 0
        private var badPartCount = 0
        private var warning: ImageWarning?

        /// Strips or tiles that may fail before nothing more is tried.
        private static let mostBadParts = 64
        /// Rows between two looks at `Task.isCancelled`.
        private static let bandHeight = 32

        init(_ bytes: UnsafeRawBufferPointer, _ page: TIFFPage, _ reader: TIFFReader) throws(DecodingError) {
            self.reader = reader
            layout = reader.layout
            var readers = [reader]
            if layout.isPlanar, layout.kind != .other {
                for _ in layout.usedSamples.dropFirst() { readers.append(try TIFFReader(bytes, page)) }
            }
            self.readers = readers
        }

        /// Writes the pixels, and gives what was wrong. Throws where there are none.
        mutating func read(into buffer: inout PixelBuffer) throws(DecodingError) -> ImageWarning? {
            if layout.kind == .other {
                try readWords(into: &buffer)
            } else if let tile = layout.tile {
                try readTiles(tile, into: &buffer)
            } else {
                try readRows(into: &buffer)
            }
            guard goodPartCount > 0 else { throw warning.map(DecodingError.init) ?? .corrupt(reader.message) }
            return warning
        }

        /// Memory for a row or a tile, which is never much more than the picture.
        private func memory(_ byteCount: Int) throws(DecodingError) -> ByteStorage {
            guard byteCount > 0, byteCount <= TIFFPage.largestBlock(of: layout.size) else {
                throw .corrupt("its rows or tiles are larger than the picture")
            }
            guard let storage = ByteStorage(capacity: byteCount) else { throw .outOfMemory(layout.size) }
            storage.bytes.initializeMemory(as: UInt8.self, repeating: 0)
            return storage
        }

        private func samples(_ buffer: borrowing PixelBuffer, width: Int) -> TIFFSamples {
            let inks = layout.kind == .cmyk ? InkConversion(reader.profile, isInverted: false) : .plain
            return TIFFSamples(layout, palette: reader.palette ?? [], inks, buffer.format, width: width)
        }

        /// True when there is no use in going on.
        private mutating func fail(x: Int, y: Int) -> Bool {
            warning = warning ?? reader.warning(x: x, y: y)
            badPartCount += 1
            return badPartCount >= Self.mostBadParts
        }

        private mutating func readRows(into buffer: inout PixelBuffer) throws(DecodingError) {
            let (width, height) = (layout.size.width, layout.size.height)
            let storage = try memory(reader.rowByteCount)
            var samples = samples(buffer, width: width)
            var row = 0
            while row < height {
                if row.isMultiple(of: Self.bandHeight) { try DecodingError.checkCancellation() }
                if readRow(row, storage.bytes, &samples) {
                    buffer.withRow(row) { span in span.withUnsafeMutableBytes { samples.write(width, into: $0) } }
                    goodPartCount += 1
                    row += 1
                } else {
                    if fail(x: 0, y: row) { return }
                    row = (row / layout.rowsPerStrip + 1) * layout.rowsPerStrip
                }
            }
        }

        private func readRow(
            _ row: Int, _ stored: UnsafeMutableRawBufferPointer, _ samples: inout TIFFSamples
        ) -> Bool {
            for (plane, reader) in readers.enumerated() {
                let component = layout.isPlanar ? layout.usedSamples[plane] : 0
                guard reader.readRow(row, component: component, into: stored) else { return false }
                samples.take(UnsafeRawBufferPointer(stored), plane: plane, width: layout.size.width)
            }
            return true
        }

        private mutating func readTiles(_ tile: PixelSize, into buffer: inout PixelBuffer) throws(DecodingError) {
            guard !tile.isEmpty else { throw .corrupt("its tiles are \(tile)") }
            let byteCount = reader.tileByteCount
            var planes: [ByteStorage] = []
            for _ in readers { planes.append(try memory(byteCount)) }
            var samples = samples(buffer, width: tile.width)
            for top in stride(from: 0, to: layout.size.height, by: tile.height) {
                for left in stride(from: 0, to: layout.size.width, by: tile.width) {
                    try DecodingError.checkCancellation()
                    let isRead = readers.indices.allSatisfy { plane in
                        let component = layout.isPlanar ? layout.usedSamples[plane] : 0
                        let bytes = UnsafeMutableRawBufferPointer(rebasing: planes[plane].bytes[..<byteCount])
                        return readers[plane].readTile(x: left, y: top, component: component, into: bytes)
                    }
                    if isRead {
                        write(planes, &samples, x: left, y: top, tile, into: &buffer)
                        goodPartCount += 1
                    } else if fail(x: left, y: top) {
                        return
                    }
                }
            }
        }

        private func write(
            _ planes: [ByteStorage], _ samples: inout TIFFSamples, x: Int, y: Int, _ tile: PixelSize,
            into buffer: inout PixelBuffer
        ) {
            let width = min(tile.width, layout.size.width - x)
            let (rowByteCount, offset) = (reader.tileRowByteCount, x * buffer.format.bytesPerPixel)
            for row in 0..<min(tile.height, layout.size.height - y) {
                for (plane, storage) in planes.enumerated() {
                    let range = row * rowByteCount..<min((row + 1) * rowByteCount, storage.capacity)
                    samples.take(UnsafeRawBufferPointer(rebasing: storage.bytes[range]), plane: plane, width: width)
                }
                buffer.withRow(y + row) { span in
                    span.withUnsafeMutableBytes { bytes in
                        samples.write(width, into: UnsafeMutableRawBufferPointer(rebasing: bytes[offset...]))
                    }
                }
            }
        }

        /// Bands of whole strips or tiles.
        private mutating func readWords(into buffer: inout PixelBuffer) throws(DecodingError) {
            let (width, height) = (layout.size.width, layout.size.height)
            let bandHeight = min(max(1, layout.tile?.height ?? layout.rowsPerStrip), height)
            let byteCount = 4 * width * bandHeight
            let storage = try memory(byteCount)
            for top in stride(from: 0, to: height, by: bandHeight) {
                try DecodingError.checkCancellation()
                let rowCount = min(bandHeight, height - top)
                let bytes = UnsafeMutableRawBufferPointer(rebasing: storage.bytes[..<(4 * width * rowCount)])
                bytes.initializeMemory(as: UInt8.self, repeating: 0)
                if reader.readWords(top, rowCount, into: bytes) {
                    write(bytes, to: top, into: &buffer)
                    goodPartCount += 1
                } else if fail(x: 0, y: top) {
                    return
                }
            }
            // libtiff shows around damage.
            if reader.hasMessage, warning == nil { warning = .corrupt(reader.message) }
        }

        private func write(_ words: UnsafeMutableRawBufferPointer, to row: Int, into buffer: inout PixelBuffer) {
            let (start, format) = (row * buffer.bytesPerRow, buffer.format)
            for index in stride(from: 0, to: words.count, by: 4) { words.swapAt(index, index + 2) }
            buffer.withUnsafeMutableBytes { bytes in
                let rows = UnsafeMutableRawBufferPointer(rebasing: bytes[start..<start + words.count])
                if format == .bgra8Premultiplied {
                    rows.copyMemory(from: UnsafeRawBufferPointer(words))
                } else {
                    Premultiplying.unpremultiply(bgra: UnsafeRawBufferPointer(words), intoRGBA: rows)
                }
            }
        }
    }
#endif
