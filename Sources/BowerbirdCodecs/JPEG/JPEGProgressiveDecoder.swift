#if JPEG
    import BowerbirdCore

    /// The decoding of one JPEG file while it arrives. A whole file is one that has arrived at once, so the final pixels
    /// never depend on how the bytes came.
    ///
    /// A file of several scans shows whole pictures, each a pass over it, so they are few; a file of one scan shows the
    /// rows that have come, and nothing where the others will be.
    final class JPEGProgressiveDecoder: ProgressiveDecoder {
        private let options: DecodingOptions
        private var reader: JPEGReader
        /// What is wrong with the file behind the part that `reader` was then given.
        private var damage: ImageWarning?
        private var stage = Stage.header
        private var picture: Picture?
        private var pixels: PixelBuffer?
        private var byteCount = 0
        private var segments: JPEGSegments
        /// What the file says before its picture, once all of that has come.
        private var facts: JPEGFacts?
        /// The file's own small picture, until something is shown.
        private var thumbnail: [UInt8]?
        /// What has been given and not used up, for the case that no more comes.
        private var unread: [UInt8] = []

        private enum Stage {
            case header, rows, scans, complete
            case failed(DecodingError)
        }

        /// Whether all of the picture has been read.
        private var hasEnded: Bool { if case .complete = stage { true } else { false } }

        /// What is settled once the header is known.
        private struct Picture {
            let header: ImageHeader
            let finishing: Finishing
            var schedule: PreviewSchedule
        }

        init(_ options: DecodingOptions) throws(DecodingError) {
            self.options = options
            segments = JPEGSegments(options.limits)
            reader = try JPEGReader()
        }

        func update(_ prefix: RawSpan, isComplete: Bool) throws(DecodingError) {
            guard !hasEnded else { return }
            byteCount = prefix.byteCount
            if case .header = stage { readSegments(prefix, isComplete: isComplete) }
            do throws(DecodingError) {
                try read(prefix.extracting(droppingFirst: reader.position), isComplete: isComplete)
            } catch {
                try salvage(prefix, after: error)
            }
            unread = hasEnded ? [] : prefix.extracting(droppingFirst: reader.position).withUnsafeBytes { Array($0) }
        }

        func preview() throws(DecodingError) -> DecodedImage? {
            do throws(DecodingError) {
                return switch stage {
                case .rows: try previewOfRows()
                case .scans: try previewOfScans()
                case .header, .complete: nil
                case .failed(let error): throw error
                }
            } catch {
                stage = .failed(error)
                throw error
            }
        }

        func finish() throws(DecodingError) -> DecodedImage {
            if !hasEnded { try endEarly() }
            guard let picture else { throw .truncated(atByte: byteCount) }
            let bitmap = try picture.finishing.finish(lastPicture())
            return DecodedImage(
                bitmap: bitmap, header: picture.header, warnings: warnings, profile: options.profile(of: picture.header)
            )
        }
    }

    // MARK: Reading

    extension JPEGProgressiveDecoder {
        private func read(_ bytes: RawSpan, isComplete: Bool) throws(DecodingError) {
            if case .failed(let error) = stage { throw error }
            do throws(DecodingError) {
                try reader.withBytes(bytes, isComplete: isComplete) { () throws(DecodingError) in try advance() }
                if isComplete, case .header = stage { throw .truncated(atByte: byteCount) }
            } catch {
                stage = .failed(error)
                throw error
            }
        }

        /// Small pictures are for who waits.
        private func readSegments(_ prefix: RawSpan, isComplete: Bool) {
            guard facts == nil, segments.read(prefix) else { return }
            facts = segments.facts(in: prefix)
            if !isComplete, options.pixels == .display { thumbnail = segments.thumbnail(in: prefix) }
        }

        /// Decodes the file again, as if it ended where it last made sense; throws `error` where that shows nothing.
        private func salvage(_ prefix: RawSpan, after error: DecodingError) throws(DecodingError) {
            guard let warning = ImageWarning(error), damage == nil, let end = reader.soundEnd else { throw error }
            reader = try JPEGReader()
            pixels = nil
            stage = .header
            damage = warning
            do throws(DecodingError) {
                try read(prefix.extracting(first: end), isComplete: true)
            } catch let second {
                stage = .failed(second == .cancelled ? second : error)
                throw second == .cancelled ? second : error
            }
        }

        private var warnings: [ImageWarning] { damage.map { [$0] } ?? reader.warnings }

        /// No more bytes come: those that wait for others behind them are the last.
        private func endEarly() throws(DecodingError) {
            let last = unread
            try read(last.span.bytes, isComplete: true)
        }

        /// As far as the bytes go.
        private func advance() throws(DecodingError) {
            if case .header = stage { try readHeader() }
            if case .rows = stage, try pixels?.readRows(from: reader) == true { stage = .complete }
            if case .scans = stage, try reader.takeInScans(atMost: options.limits.maximumScanCount) {
                stage = .complete
            }
        }

        private func readHeader() throws(DecodingError) {
            guard var header = try reader.readHeader() else { return }
            if let facts { header = facts.complete(header, componentCount: reader.componentCount) }
            try options.limits.check(header.storedSize)
            let finishing = Finishing(header, options)
            let scale = JPEGScale(from: header.storedSize, for: finishing.storedSize, options.scaling)
            try reader.start(at: scale, for: options.pixels, header.profile)
            if !reader.hasSeveralScans { pixels = try makeBuffer() }
            picture = Picture(header: header, finishing: finishing, schedule: schedule)
            stage = reader.hasSeveralScans ? .scans : .rows
        }

        private func makeBuffer() throws(DecodingError) -> PixelBuffer {
            let format: PixelFormat = options.pixels == .display ? .bgra8Premultiplied : .rgba8Straight
            guard let buffer = PixelBuffer(size: reader.size, format: format, isOpaque: true) else {
                throw .outOfMemory(reader.size)
            }
            return buffer
        }

        /// The rows, or the last pass over the scans.
        private func lastPicture() throws(DecodingError) -> Bitmap {
            if let rows = pixels.take() { return rows.freeze() }
            try reader.beginLastPass()
            return try pass()
        }

        private func pass() throws(DecodingError) -> Bitmap {
            var buffer = try makeBuffer()
            guard try reader.readRows(into: &buffer) else { throw .truncated(atByte: byteCount) }
            return buffer.freeze()
        }
    }

    // MARK: Previews

    extension JPEGProgressiveDecoder {
        /// Above this many pixels a pass takes so long that one preview has to do.
        private static var smallPixelCount: Int { 1 << 22 }

        private var schedule: PreviewSchedule {
            let isSmall = reader.size.pixelCount <= Self.smallPixelCount
            let height = reader.size.height
            if reader.hasSeveralScans { return PreviewSchedule(marks: isSmall ? [1, 3, 6] : [1]) }
            return PreviewSchedule(marks: isSmall ? [height / 4, height / 2, height * 3 / 4] : [height / 2])
        }

        private func previewOfRows() throws(DecodingError) -> DecodedImage? {
            guard picture?.schedule.isDue(at: reader.rowCount) == true, let picture else { return try smallPicture() }
            guard let bitmap = try pixels?.preview(picture.finishing) else { return nil }
            return preview(bitmap, picture.header)
        }

        private func preview(_ bitmap: Bitmap, _ header: ImageHeader) -> DecodedImage {
            thumbnail = nil
            return DecodedImage(bitmap: bitmap, header: header, isPreview: true, profile: options.profile(of: header))
        }

        /// The file's own small picture, once, where it shows the same; in its own size where that is less than was
        /// asked for.
        private func smallPicture() throws(DecodingError) -> DecodedImage? {
            guard let file = thumbnail.take(), let header = picture?.header else { return nil }
            guard let small = JPEGThumbnail(file, of: header) else { return nil }
            return try preview(Finishing(small.header, options).finish(small.bitmap), header)
        }

        private func previewOfScans() throws(DecodingError) -> DecodedImage? {
            guard picture?.schedule.isDue(at: reader.completeScanCount) == true, let picture else {
                return try smallPicture()
            }
            try reader.beginPass(with: reader.completeScanCount)
            let bitmap = try picture.finishing.finish(pass())
            return preview(bitmap, picture.header)
        }
    }

    extension PixelBuffer {
        fileprivate mutating func readRows(from reader: JPEGReader) throws(DecodingError) -> Bool {
            try reader.readRows(into: &self)
        }

        fileprivate mutating func preview(_ finishing: Finishing) throws(DecodingError) -> Bitmap {
            try finishing.preview(of: &self)
        }
    }
#endif
