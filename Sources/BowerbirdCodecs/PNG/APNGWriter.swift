#if PNG
    import BowerbirdCore

    /// Puts an animated PNG file together, frame by frame.
    struct APNGWriter {
        private(set) var file: PNGFile
        private let compressor: PNGCompressor
        private let size: PixelSize
        private let format: PixelFormat
        private var previous: Bitmap?
        private var sequenceNumber: UInt32 = 0

        init(
            _ first: Bitmap, _ frames: any FrameSource, _ extras: PNGExtras, _ options: EncodingOptions
        ) throws(EncodingError) {
            size = frames.size
            format = first.format
            compressor = try PNGCompressor(effort: options.clampedEffort)
            // All frames have one kind of pixels, and later ones may be transparent.
            let rows = PNGRows(of: first, in: PixelRect(first.size))
            file = try PNGEncoder.beginning(frames.size, PNGPacking(of: rows, isOpaque: false), extras)
            var control: [UInt8] = []
            control.append(bigEndian: UInt32(clamping: frames.frameCount))
            control.append(bigEndian: UInt32(clamping: min(frames.loopCount.zeroIsForever, Int(Int32.max))))
            file.append(.animation, control)
        }

        /// The next frame: what of it differs from the last one.
        mutating func add(_ bitmap: Bitmap, shownFor delay: Duration) throws(EncodingError) {
            guard bitmap.size == size, bitmap.format == format else { throw .failed("frames of several kinds") }
            let rect = previous.map { bitmap.changes(since: $0) } ?? PixelRect(size)
            var rows = PNGRows(of: bitmap, in: rect)
            let data = try compressor.compress(&rows, PNGPacking(of: rows, isOpaque: false))
            appendControl(rect, delay)
            if previous == nil { file.appendPixels(data) } else { appendFrameData(data) }
            previous = bitmap
        }

        private mutating func appendControl(_ rect: PixelRect, _ delay: Duration) {
            let (numerator, denominator) = delay.fraction
            var data = nextSequenceNumber()
            for number in [rect.size.width, rect.size.height, rect.x, rect.y] {
                data.append(bigEndian: UInt32(truncatingIfNeeded: number))
            }
            data.append(bigEndian: numerator)
            data.append(bigEndian: denominator)
            // It stays, and replaces what was below.
            file.append(.frame, data + [0, 0])
        }

        private mutating func appendFrameData(_ data: [UInt8]) {
            for start in stride(from: 0, to: data.count, by: PNGFile.dataCount) {
                let part = data[start..<min(start + PNGFile.dataCount, data.count)]
                file.append(.frameData, nextSequenceNumber() + part)
            }
        }

        private mutating func nextSequenceNumber() -> [UInt8] {
            defer { sequenceNumber &+= 1 }
            var bytes: [UInt8] = []
            bytes.append(bigEndian: sequenceNumber)
            return bytes
        }
    }

    extension Duration {
        /// Of a second, in 16 bits each: exact where a usual denominator makes it so, else as near as it can be.
        fileprivate var fraction: (numerator: UInt16, denominator: UInt16) {
            let seconds = max(0, Double(components.seconds) + Double(components.attoseconds) * 1e-18)
            let usable = [1000, 100, 60, 30, 24, 10, 1].filter { (seconds * $0).rounded() <= Double(UInt16.max) }
            let exact = usable.first { abs((seconds * $0).rounded() / $0 - seconds) < 1e-9 }
            guard let denominator = exact ?? usable.first else { return (.max, 1) }
            return (UInt16((seconds * denominator).rounded()), UInt16(denominator))
        }
    }

    extension Bitmap {
        /// The smallest rectangle that has all pixels which are not those of `other`, a picture of the same kind; one pixel
        /// where there are none.
        fileprivate func changes(since other: Bitmap) -> PixelRect {
            var changed: (rows: ClosedRange<Int>, columns: ClosedRange<Int>)?
            for row in 0..<size.height {
                guard let columns = changedColumns(in: row, since: other) else { continue }
                let before = changed ?? (row...row, columns)
                let left = min(before.columns.lowerBound, columns.lowerBound)
                let right = max(before.columns.upperBound, columns.upperBound)
                changed = (before.rows.lowerBound...row, left...right)
            }
            guard let changed else { return PixelRect(PixelSize(width: 1, height: 1)) }
            return PixelRect(
                x: changed.columns.lowerBound, y: changed.rows.lowerBound,
                size: PixelSize(width: changed.columns.count, height: changed.rows.count))
        }

        private func changedColumns(in row: Int, since other: Bitmap) -> ClosedRange<Int>? {
            let range = row * bytesPerRow..<(row + 1) * bytesPerRow
            return withUnsafeBytes { ours in
                other.withUnsafeBytes { theirs in
                    let (ours, theirs) = (ours[range], theirs[range])
                    // Whole rows are compared fast; most are the same.
                    if ours.elementsEqual(theirs) { return nil }
                    guard let first = ours.indices.first(where: { ours[$0] != theirs[$0] }),
                        let last = ours.indices.last(where: { ours[$0] != theirs[$0] })
                    else { return nil }
                    let pixel = { (byte: Int) in (byte - range.lowerBound) / format.bytesPerPixel }
                    return pixel(first)...pixel(last)
                }
            }
        }
    }
#endif
