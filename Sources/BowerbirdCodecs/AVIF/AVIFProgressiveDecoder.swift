#if AVIF
    import BowerbirdCore

    /// The decoding of one AVIF file while it arrives. Each tile of a grid is decoded once, as soon as it is there; a file
    /// of one tile, which is most of them, shows nothing before its end.
    final class AVIFProgressiveDecoder: ProgressiveDecoder {
        private let options: DecodingOptions
        private let reader: AVIFReader
        private var stage = Stage.header
        private var picture: Picture?
        private var rowCount = 0
        private var byteCount = 0
        /// What must have come before the next attempt to read the header.
        private var nextAttempt = 0

        private enum Stage {
            case header, pixels, complete
            case failed(DecodingError)
        }

        /// What is settled once the header is known.
        private struct Picture {
            let header: ImageHeader
            let finishing: Finishing
            var schedule: PreviewSchedule
        }

        /// - Parameter keepsBytes: See `AVIFReader`; for a whole file, given at once.
        init(_ options: DecodingOptions, keepsBytes: Bool) throws(DecodingError) {
            self.options = options
            reader = try AVIFReader(keepsBytes: keepsBytes)
        }

        func update(_ prefix: RawSpan, isComplete: Bool) throws(DecodingError) {
            byteCount = prefix.byteCount
            do throws(DecodingError) {
                try reader.withBytes(prefix, isComplete: isComplete) { () throws(DecodingError) in
                    if case .header = stage { try readHeader(prefix, isComplete: isComplete) }
                    if case .pixels = stage { try readPixels() }
                }
            } catch {
                stage = .failed(error)
                throw error
            }
            if case .failed(let error) = stage { throw error }
        }

        func preview() throws(DecodingError) -> DecodedImage? {
            guard case .pixels = stage, picture?.schedule.isDue(at: rowCount) == true, let picture else { return nil }
            var pixels = try reader.pixels(of: picture.header, rows: rowCount, options)
            let bitmap = try picture.finishing.preview(of: &pixels)
            return DecodedImage(bitmap: bitmap, header: picture.header, isPreview: true)
        }

        func finish() throws(DecodingError) -> DecodedImage {
            if case .failed(let error) = stage { throw error }
            guard let picture, rowCount > 0 else { throw .truncated(atByte: byteCount) }
            let isCut = if case .pixels = stage { true } else { false }
            let pixels = try reader.pixels(of: picture.header, rows: rowCount, options)
            try DecodingError.checkCancellation()
            let bitmap = try picture.finishing.finish(pixels.freeze())
            return DecodedImage(
                bitmap: bitmap, header: picture.header, warnings: isCut ? [.truncated(atByte: byteCount)] : [],
                profile: options.profile(of: picture.header))
        }
    }

    // MARK: Reading

    extension AVIFProgressiveDecoder {
        /// libavif begins anew each time, so it is not asked for every few bytes.
        private func readHeader(_ bytes: RawSpan, isComplete: Bool) throws(DecodingError) {
            guard byteCount >= nextAttempt || isComplete else { return }
            nextAttempt = byteCount + byteCount / 8
            guard try reader.parse(options.limits) else { return }
            let header = reader.header(loopCount: AVIFMovie(in: bytes)?.loopCount)
            picture = Picture(header: header, finishing: Finishing(header, options), schedule: schedule(of: header))
            stage = .pixels
        }

        /// Above this many pixels a preview takes so long that one has to do.
        private static var smallPixelCount: Int { 1 << 22 }

        private func schedule(of header: ImageHeader) -> PreviewSchedule {
            let height = header.storedSize.height
            let isSmall = header.storedSize.pixelCount <= Self.smallPixelCount
            return PreviewSchedule(marks: isSmall ? [height / 4, height / 2, height * 3 / 4] : [height / 2])
        }

        /// Damage throws, in the midst of a grid too: libavif then forgets the rows above it.
        private func readPixels() throws(DecodingError) {
            if try reader.decodeNext() { stage = .complete }
            rowCount = reader.rowCount
        }
    }
#endif
