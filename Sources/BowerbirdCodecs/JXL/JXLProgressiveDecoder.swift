#if JXL
    import BowerbirdCore
    import CJXL

    /// The decoding of one JPEG XL file while it arrives. A whole file is one that has arrived at once, so the final
    /// pixels never depend on how the bytes came.
    final class JXLProgressiveDecoder: ProgressiveDecoder {
        private let options: DecodingOptions
        private var reading: Reading
        private var byteCount = 0
        private var failure: DecodingError?
        private var warnings: [ImageWarning] = []
        private var shownCount = 0

        /// Bytes between two looks at `Task.isCancelled`.
        private static let bandByteCount = 128 << 10
        /// Above this many pixels a preview, which renders all of the picture, takes so long that one has to do.
        private static let smallPixelCount = 1 << 22

        init(_ options: DecodingOptions) {
            self.options = options
            reading = Reading(options)
        }

        func update(_ prefix: RawSpan, isComplete: Bool) throws(DecodingError) {
            if let failure { throw failure }
            byteCount = prefix.byteCount
            do throws(DecodingError) {
                try read(prefix, isComplete: isComplete)
            } catch {
                failure = error
                throw error
            }
        }

        func preview() throws(DecodingError) -> DecodedImage? {
            if let failure { throw failure }
            guard reading.isUnderWay, let header = reading.header, let canvas = reading.canvas else { return nil }
            let most = header.storedSize.pixelCount <= Self.smallPixelCount ? 4 : 1
            guard reading.takeProgress(), shownCount < most, reading.flush() else { return nil }
            shownCount += 1
            let bitmap = try reading.finishing(options)?.finish(canvas.snapshot())
            return bitmap.map {
                DecodedImage(bitmap: $0, header: header, isPreview: true, profile: reading.profile(options))
            }
        }

        func finish() throws(DecodingError) -> DecodedImage {
            if let failure { throw failure }
            if reading.isDamaged { throw .corrupt(JXLReader.damage) }
            if !reading.isComplete {
                guard reading.flush() else { throw .truncated(atByte: byteCount) }
                if warnings.isEmpty { warnings = [.truncated(atByte: byteCount)] }
            }
            guard let header = reading.header, let canvas = reading.canvas, let finishing = reading.finishing(options)
            else { throw .truncated(atByte: byteCount) }
            let bitmap = try finishing.finish(canvas.finish())
            return DecodedImage(
                bitmap: bitmap, header: header, warnings: warnings, profile: reading.profile(options))
        }

        private func read(_ prefix: RawSpan, isComplete: Bool) throws(DecodingError) {
            try reading.read(prefix, inBandsOf: Self.bandByteCount)
            if isComplete, reading.isDamaged { try salvage(prefix) }
        }

        /// Decodes the file once more, as if it had come at once, and where that fails up to shortly before the place.
        private func salvage(_ prefix: RawSpan) throws(DecodingError) {
            reading = Reading(options)
            try reading.read(prefix, inBandsOf: Self.bandByteCount)
            guard reading.isDamaged else { return }
            let band = max(64, prefix.byteCount / 64)
            reading = Reading(options)
            try reading.read(prefix, inBandsOf: band)
            let soundEnd = max(0, reading.readCount - band)
            reading = Reading(options)
            try reading.read(prefix.extracting(first: soundEnd), inBandsOf: band)
            warnings = [.corrupt(JXLReader.damage)]
            guard reading.isUnderWay, reading.flush() else { throw .corrupt(JXLReader.damage) }
        }
    }

    /// One pass over a file, as far as it goes.
    private final class Reading {
        private let options: DecodingOptions
        private var reader: JXLReader?
        private(set) var canvas: JXLCanvas?
        /// The facts of the file.
        private(set) var header: ImageHeader?
        /// The same, but for the colours that the pixels come in.
        private var pixelHeader: ImageHeader?
        private var hasProgress = false
        private(set) var isComplete = false
        private(set) var isDamaged = false
        /// Bytes that the decoder has been given.
        private(set) var readCount = 0

        init(_ options: DecodingOptions) { self.options = options }

        /// Whether a picture has begun and not ended.
        var isUnderWay: Bool { canvas != nil && !isComplete && !isDamaged }

        /// Goes on with all bytes so far. Damage ends it; limits and cancellation throw.
        func read(_ prefix: RawSpan, inBandsOf size: Int) throws(DecodingError) {
            while readCount < prefix.byteCount, !isComplete, !isDamaged {
                try DecodingError.checkCancellation()
                readCount = min(prefix.byteCount, readCount + size)
                do throws(DecodingError) {
                    try read(first: readCount, of: prefix)
                } catch .corrupt {
                    isDamaged = true
                }
            }
        }

        private func read(first count: Int, of prefix: RawSpan) throws(DecodingError) {
            let reader = if let reader { reader } else { try makeReader() }
            try reader.withBytes(prefix, first: count) { () throws(DecodingError) in
                while try advance(reader) {}
            }
        }

        private func makeReader() throws(DecodingError) -> JXLReader {
            let reader = try JXLReader([
                JXL_DEC_BASIC_INFO, JXL_DEC_COLOR_ENCODING, JXL_DEC_FRAME_PROGRESSION, JXL_DEC_FULL_IMAGE,
            ])
            reader.reportsPasses()
            self.reader = reader
            return reader
        }

        /// False when there is nothing more to do with these bytes.
        private func advance(_ reader: JXLReader) throws(DecodingError) -> Bool {
            switch try reader.next() {
            case .facts:
                try options.limits.check(reader.size)
                reader.allowMemory(for: reader.size)
            case .colors: readColors(reader)
            case .pixels: canvas = try JXLCanvas(reader, reader.format(options))
            case .progress: hasProgress = true
            case .frame: break
            case .needsBytes: return false
            case .picture:
                isComplete = true
                return false
            case .end: throw .corrupt(JXLReader.damage)
            }
            return true
        }

        private func readColors(_ reader: JXLReader) {
            let profiles = reader.settledProfiles(options)
            header = reader.header(profile: profiles.file)
            pixelHeader = reader.header(profile: profiles.pixels)
        }

        /// Whether there is something new to show since the last call.
        func takeProgress() -> Bool {
            defer { hasProgress = false }
            return hasProgress
        }

        func flush() -> Bool { isUnderWay && reader?.flush() == true }

        func finishing(_ options: DecodingOptions) -> Finishing? { pixelHeader.map { Finishing($0, options) } }

        func profile(_ options: DecodingOptions) -> ColorProfile {
            pixelHeader.map { options.profile(of: $0) } ?? .unspecified
        }
    }
#endif
