#if PNG
    import BowerbirdCore
    import BowerbirdRaster

    /// The pixels of a file that is all there and without a fault, of at most 8 bits a component and not interlaced: what
    /// nearly every file is. About twice as fast as libpng, which reads all others, and with the same result.
    struct PNGWholePicture {
        private let facts: PNGFacts
        private let data: [PNGChunk]

        /// Rows between two looks at `Task.isCancelled`.
        private static let bandHeight = 64

        /// Nil where there is anything unusual about the chunks of the file.
        init?(_ facts: PNGFacts, in bytes: RawSpan) {
            guard !facts.layout.isInterlaced, facts.layout.bitDepth <= 8 else { return nil }
            guard let data = Self.data(of: facts, in: bytes) else { return nil }
            self.facts = facts
            self.data = data
        }

        /// The chunks of pixels, one behind the other, of a file whose other chunks are in order too.
        private static func data(of facts: PNGFacts, in bytes: RawSpan) -> [PNGChunk]? {
            var chunks = PNGChunks()
            var data: [PNGChunk] = []
            var hasOtherBehind = false
            while let chunk = try? chunks.next(in: bytes) {
                guard chunk.isComplete(in: bytes) else { return nil }
                switch chunk.type {
                case .header where chunk.start == PNGChunks.signature.count: break
                case .palette where chunk == facts.palette && isUsual(chunk, facts.layout) && chunk.isSound(in: bytes):
                    break
                case .imageData where !hasOtherBehind && chunk.isSound(in: bytes): data.append(chunk)
                case .end: return chunk.isSound(in: bytes) && hasPalette(facts) ? data : nil
                case let type where type.isAncillary: hasOtherBehind = !data.isEmpty
                default: return nil
                }
            }
            return nil
        }

        private static func isUsual(_ palette: PNGChunk, _ layout: PNGLayout) -> Bool {
            let most = layout.colors == .palette ? 1 << layout.bitDepth : 256
            let isColor = layout.colors != .gray && layout.colors != .grayAlpha
            return isColor && palette.dataCount.isMultiple(of: 3) && (1...most).contains(palette.dataCount / 3)
        }

        private static func hasPalette(_ facts: PNGFacts) -> Bool {
            facts.layout.colors != .palette || facts.palette != nil
        }

        /// Nil where the pixels turn out to be damaged.
        func pixels(
            from bytes: RawSpan, _ pixels: DecodingOptions.Pixels
        ) throws(DecodingError) -> Bitmap? {
            guard let rows = inflated(from: bytes) else { return nil }
            try DecodingError.checkCancellation()
            let format = pixels.format(bitsPerComponent: 8)
            guard var buffer = PixelBuffer(size: facts.layout.size, format: format, isOpaque: !facts.header.hasAlpha)
            else { throw .outOfMemory(facts.layout.size) }
            let expansion = PNGExpansion(facts, in: bytes, format)
            guard try expand(rows.bytes, with: expansion, into: &buffer) else { return nil }
            return buffer.freeze()
        }

        /// The filtered rows, each behind its filter.
        private func inflated(from bytes: RawSpan) -> ByteStorage? {
            let layout = facts.layout
            let (count, overflows) = layout.size.height.multipliedReportingOverflow(by: 1 + layout.bytesPerRow)
            let streamCount = data.reduce(0) { $0 + $1.dataCount }
            guard !overflows, Inflating.canHold(streamCount, count) else { return nil }
            guard let rows = ByteStorage(capacity: count) else { return nil }
            let isInflated = withStream(streamCount, in: bytes) { Inflating.inflate($0, filling: rows.bytes) }
            return isInflated == true ? rows : nil
        }

        /// What the chunks hold, in one piece; nil where there is no memory for a copy.
        private func withStream<R>(_ count: Int, in bytes: RawSpan, _ body: (UnsafeRawBufferPointer) -> R) -> R? {
            if data.count == 1 { return bytes.extracting(data[0].data).withUnsafeBytes(body) }
            guard let copy = ByteStorage(capacity: count) else { return nil }
            var offset = 0
            for chunk in data {
                bytes.extracting(chunk.data).withUnsafeBytes { copy.append($0, at: offset) }
                offset += chunk.dataCount
            }
            return body(UnsafeRawBufferPointer(rebasing: copy.bytes[..<count]))
        }

        /// False where a filter does not exist.
        private func expand(
            _ rows: UnsafeMutableRawBufferPointer, with expansion: PNGExpansion, into buffer: inout PixelBuffer
        ) throws(DecodingError) -> Bool {
            let (count, bytesPerRow) = (facts.layout.bytesPerRow, buffer.bytesPerRow)
            let nothing = [UInt8](repeating: 0, count: count)
            return try buffer.withUnsafeMutableBytes { pixels throws(DecodingError) in
                for row in 0..<facts.layout.size.height {
                    if row.isMultiple(of: Self.bandHeight) { try DecodingError.checkCancellation() }
                    let start = row * (1 + count)
                    let bytes = UnsafeMutableRawBufferPointer(rebasing: rows[start + 1..<start + 1 + count])
                    guard unfilter(bytes, filter: rows[start], row, in: rows, nothing) else { return false }
                    let result = pixels[row * bytesPerRow..<(row + 1) * bytesPerRow]
                    expansion.expand(
                        UnsafeRawBufferPointer(bytes), into: UnsafeMutableRawBufferPointer(rebasing: result))
                }
                return true
            }
        }

        private func unfilter(
            _ bytes: UnsafeMutableRawBufferPointer, filter: UInt8, _ row: Int, in rows: UnsafeMutableRawBufferPointer,
            _ nothing: [UInt8]
        ) -> Bool {
            let bytesPerPixel = facts.layout.bytesPerPixel
            guard row > 0 else {
                return nothing.withUnsafeBytes {
                    Scanlines.unfilter(bytes, below: $0, filter: filter, bytesPerPixel: bytesPerPixel)
                }
            }
            let start = (row - 1) * (1 + bytes.count) + 1
            let previous = UnsafeRawBufferPointer(rebasing: rows[start..<start + bytes.count])
            return Scanlines.unfilter(bytes, below: previous, filter: filter, bytesPerPixel: bytesPerPixel)
        }
    }
#endif
