#if PNG
    import BowerbirdCore
    import BowerbirdRaster

    /// The still picture of one file while it arrives, or of one that needs libpng.
    ///
    /// libpng is given the chunks that decide the pixels, and no others: it keeps what it cannot use yet, and texts or
    /// frames of an animation may be large. It is given pixels in slices that do not depend on how the bytes came: of a
    /// damaged picture its rows would.
    final class PNGStream {
        private let facts: PNGFacts
        private let format: PixelFormat
        private let reader: PNGReader
        private var buffer: PixelBuffer?
        /// What of the file has been used up.
        private var position = 0
        /// Bytes of a chunk of pixels, without its checksum, that are still to come.
        private var remainingData = 0
        private var part = Part.signature
        /// Rows of a picture that is not interlaced which are premultiplied already.
        private var premultipliedRowCount = 0
        private var soundDataCount = 0
        /// Whether a checksum of pixels is wrong.
        private var isContradicted = false
        private(set) var damage: DecodingError?

        private enum Part {
            case signature, chunk, data, checksum
            /// A chunk behind the pixels.
            case behind
            case end
        }

        /// Bytes of a chunk of pixels that have come and are no whole slice yet.
        private var unfinishedSlice: [UInt8] = []

        /// Small enough that rows are shown soon; they may become a thousand times as many bytes.
        private static let sliceCount = 1 << 10

        init(_ facts: PNGFacts, _ pixels: DecodingOptions.Pixels) throws(DecodingError) {
            self.facts = facts
            format = pixels.format(bitsPerComponent: facts.header.bitsPerComponent)
            reader = try PNGReader(format)
            buffer = PixelBuffer(size: facts.layout.size, format: format)
            guard buffer != nil else { throw .outOfMemory(facts.layout.size) }
        }

        /// Whether nothing more is needed of the file.
        var hasEnded: Bool { part == .end || damage != nil }

        /// How far it is: rows, or the passes of an interlaced picture.
        var progress: Int { facts.layout.isInterlaced ? reader.passCount : reader.rowCount }

        /// Goes on with all bytes so far. Damage ends the picture; throws where nothing of it can be shown.
        func read(_ prefix: RawSpan) throws(DecodingError) {
            defer { premultiplyRows() }
            try salvaging { () throws(DecodingError) in
                while !hasEnded, try step(prefix) {}
            }
            guard part == .data, !hasEnded else { return unfinishedSlice = [] }
            unfinishedSlice = prefix.extracting(droppingFirst: position).withUnsafeBytes { Array($0) }
        }

        private func salvaging(_ work: () throws(DecodingError) -> Void) throws(DecodingError) {
            do throws(DecodingError) {
                try work()
            } catch {
                guard case .corrupt = error, showsSomething else { throw error }
                damage = error
            }
        }

        /// No more bytes come: a slice ends where they do.
        private func readUnfinishedSlice() throws(DecodingError) {
            defer { premultiplyRows() }
            let slice = unfinishedSlice
            guard !slice.isEmpty else { return }
            try salvaging { () throws(DecodingError) in try buffer?.take(slice.span.bytes, reader) }
        }

        /// The picture of a file of which no more comes than these bytes.
        func finish(byteCount: Int) throws(DecodingError) -> (Bitmap, [ImageWarning]) {
            try readUnfinishedSlice()
            let fault = damage ?? (part == .end ? nil : .truncated(atByte: byteCount))
            let missing = fault ?? (reader.hasAllRows ? nil : reader.complaint)
            if let missing, !showsSomething { throw missing }
            guard var pixels = buffer.take() else { throw .truncated(atByte: byteCount) }
            if premultiplies, facts.layout.isInterlaced { pixels.premultiply() }
            pixels.isOpaque = !facts.header.hasAlpha && reader.coversPicture
            return (pixels.freeze(), missing.flatMap(ImageWarning.init).map { [$0] } ?? [])
        }

        /// What there is of the picture.
        func preview(_ finishing: Finishing) throws(DecodingError) -> Bitmap? {
            guard premultiplies, facts.layout.isInterlaced else { return try buffer?.preview(finishing) }
            // Later passes build on the straight pixels of earlier ones.
            guard var copy = buffer?.copy() else { throw .outOfMemory(facts.layout.size) }
            copy.premultiply()
            return try finishing.preview(of: &copy)
        }

        private var premultiplies: Bool { format == .bgra8Premultiplied && facts.header.hasAlpha }

        /// Whether there are rows that no checksum contradicts: a wrong one says that its chunk's pixels are not what
        /// was written, and there is nothing before the first.
        private var showsSomething: Bool {
            guard reader.coversPicture || reader.rowCount > 0 else { return false }
            return !isContradicted || soundDataCount > 0
        }

        private func premultiplyRows() {
            guard premultiplies, !facts.layout.isInterlaced else { return }
            buffer?.premultiply(rows: premultipliedRowCount..<reader.rowCount)
            premultipliedRowCount = reader.rowCount
        }
    }

    // MARK: Chunks

    extension PNGStream {
        /// One chunk further, or one slice of pixels. False where that takes more bytes than there are.
        private func step(_ prefix: RawSpan) throws(DecodingError) -> Bool {
            try DecodingError.checkCancellation()
            switch part {
            case .signature: return try takeSignature(prefix)
            case .chunk, .behind: return try takeChunk(prefix)
            case .data: return try takeData(prefix)
            case .checksum: return try takeChecksum(prefix)
            case .end: return false
            }
        }

        private func takeSignature(_ prefix: RawSpan) throws(DecodingError) -> Bool {
            guard try take(PNGChunks.signature.count, of: prefix) else { return false }
            part = .chunk
            return true
        }

        private func takeChunk(_ prefix: RawSpan) throws(DecodingError) -> Bool {
            guard let chunk = try PNGChunk(at: position, in: prefix) else { return false }
            if chunk.type == .imageData, part == .chunk { return try beginData(chunk, prefix) }
            guard chunk.isComplete(in: prefix) else { return false }
            if part == .chunk, soundDataCount > 0 { part = .behind }
            guard decidesPixels(chunk) else {
                position = chunk.end
                return true
            }
            guard try take(chunk.end - chunk.start, of: prefix) else { return false }
            if chunk.type == .end { part = .end }
            return true
        }

        /// Chunks of pixels that do not follow the others do not count.
        private func decidesPixels(_ chunk: PNGChunk) -> Bool {
            switch chunk.type {
            case .imageData: false
            case .transparency: chunk == facts.transparency
            default: !chunk.type.isAncillary
            }
        }

        private func beginData(_ chunk: PNGChunk, _ prefix: RawSpan) throws(DecodingError) -> Bool {
            guard try take(PNGChunk.headerCount, of: prefix) else { return false }
            remainingData = chunk.dataCount
            part = .data
            return true
        }

        private func takeData(_ prefix: RawSpan) throws(DecodingError) -> Bool {
            let count = min(remainingData, Self.sliceCount)
            guard try take(count, of: prefix) else { return false }
            remainingData -= count
            if remainingData == 0 { part = .checksum }
            return true
        }

        private func takeChecksum(_ prefix: RawSpan) throws(DecodingError) -> Bool {
            guard prefix.byteCount - position >= PNGChunk.checksumCount else { return false }
            isContradicted = true
            guard try take(PNGChunk.checksumCount, of: prefix) else { return false }
            isContradicted = false
            soundDataCount += 1
            part = .chunk
            return true
        }

        /// Gives the next bytes to libpng; false where there are not so many.
        private func take(_ count: Int, of prefix: RawSpan) throws(DecodingError) -> Bool {
            guard count <= prefix.byteCount - position else { return false }
            let end = position + count
            try buffer?.take(prefix.extracting(position..<end), reader)
            position = end
            return true
        }
    }

    extension PixelBuffer {
        fileprivate mutating func take(_ bytes: RawSpan, _ reader: PNGReader) throws(DecodingError) {
            try reader.take(bytes, into: &self)
        }

        fileprivate mutating func preview(_ finishing: Finishing) throws(DecodingError) -> Bitmap {
            try finishing.preview(of: &self)
        }

        fileprivate func copy() -> PixelBuffer? { snapshot(isOpaque: false).flatMap { PixelBuffer(copying: $0) } }

        fileprivate mutating func premultiply() { premultiply(rows: 0..<size.height) }

        fileprivate mutating func premultiply(rows: Range<Int>) {
            let bytesPerRow = bytesPerRow
            withUnsafeMutableBytes { pixels in
                let rows = pixels[rows.lowerBound * bytesPerRow..<rows.upperBound * bytesPerRow]
                Premultiplying.premultiply(bgra: UnsafeMutableRawBufferPointer(rebasing: rows))
            }
        }
    }
#endif
