#if PNG
    import BowerbirdCore

    /// What an `acTL` chunk says.
    struct PNGAnimationControl: Hashable, Sendable {
        let frameCount: Int
        let loopCount: LoopCount

        /// Nil for what is no animation.
        init?(_ data: RawSpan) {
            guard data.byteCount == 8, let frames = data.bigEndian32(at: 0), let plays = data.bigEndian32(at: 4),
                (1...UInt32(Int32.max)).contains(frames)
            else { return nil }
            frameCount = Int(frames)
            loopCount = LoopCount(zeroIsForever: Int(plays))
        }
    }

    /// One frame of an animated file, by the places of its parts.
    struct PNGFrame: Hashable, Sendable {
        var fragment: Fragment
        /// What takes the place of `IDAT` chunks' data.
        var data: [Range<Int>] = []

        /// From the data of an `fcTL` chunk, without its sequence number. Nil where it contradicts the format.
        init?(_ data: RawSpan, on canvas: PixelSize, isFirst: Bool, hasAlpha: Bool) {
            guard data.byteCount == 26, let disposal = Self.disposal(data.byte(at: 24), isFirst: isFirst),
                let blend = data.byte(at: 25), blend <= 1, let rect = Self.rect(data),
                PixelRect(canvas).contains(rect), !rect.isEmpty
            else { return nil }
            fragment = Fragment(
                rect: rect, blend: blend == 0 || isFirst ? .source : .over, disposal: disposal,
                delay: Self.delay(data), hasAlpha: hasAlpha)
        }

        private static func rect(_ data: RawSpan) -> PixelRect? {
            guard let width = data.bigEndian32(at: 4), let height = data.bigEndian32(at: 8),
                let x = data.bigEndian32(at: 12), let y = data.bigEndian32(at: 16)
            else { return nil }
            return PixelRect(x: Int(x), y: Int(y), size: PixelSize(width: Int(width), height: Int(height)))
        }

        /// A fraction of a second, to the nanosecond; without a denominator, hundredths.
        private static func delay(_ data: RawSpan) -> Duration {
            let (numerator, denominator) = (data.bigEndian16(at: 20) ?? 0, data.bigEndian16(at: 22) ?? 0)
            return .nanoseconds(Int64(numerator) * 1_000_000_000 / Int64(denominator == 0 ? 100 : denominator))
        }

        /// There is nothing before the first frame, so what it was before is empty.
        private static func disposal(_ number: UInt8?, isFirst: Bool) -> Fragment.Disposal? {
            switch number {
            case 0: .keep
            case 1: .clear
            case 2: isFirst ? .clear : .restore
            default: nil
            }
        }
    }

    /// Where the frames of an animated file are. Reads a growing file on from where it was; decodes nothing.
    struct PNGAnimation: Sendable {
        let control: PNGAnimationControl
        private let facts: PNGFacts
        /// Those that are wholly there, up to the first fault.
        private(set) var frames: [PNGFrame] = []
        /// What ended the animation before its time.
        private var fault: String?

        private var chunks = PNGChunks()
        private var unfinished: PNGFrame?
        /// What the next `fcTL` or `fdAT` chunk must have.
        private var sequenceNumber: UInt32 = 0
        private var hasStill = false
        /// Whether no more bytes are needed.
        private(set) var hasEnded = false

        /// Nil for a still.
        init?(_ facts: PNGFacts) {
            guard let control = facts.animation else { return nil }
            self.control = control
            self.facts = facts
        }

        /// Of a whole file, or as far as it goes. Nil for a still.
        init?(of facts: PNGFacts, in bytes: RawSpan) {
            self.init(facts)
            read(bytes)
        }

        /// Goes on with all bytes so far.
        mutating func read(_ prefix: RawSpan) {
            while !hasEnded {
                var next = chunks
                do throws(DecodingError) {
                    guard let chunk = try next.next(in: prefix), chunk.isComplete(in: prefix) else { return }
                    chunks = next
                    try take(chunk, in: prefix)
                } catch {
                    end("\(error)")
                }
                if frames.count == control.frameCount { hasEnded = true }
            }
        }

        private mutating func end(_ reason: String) {
            fault = reason
            hasEnded = true
        }

        private mutating func take(_ chunk: PNGChunk, in bytes: RawSpan) throws(DecodingError) {
            switch chunk.type {
            case .frame: try beginFrame(chunk, in: bytes)
            case .frameData: try takeFrameData(chunk, in: bytes)
            case .imageData: try takeImageData(chunk, in: bytes)
            case .end:
                finishFrame()
                guard frames.count < control.frameCount else { return }
                throw .corrupt("\(frames.count) of \(control.frameCount) frames")
            default: break
            }
        }

        private mutating func beginFrame(_ chunk: PNGChunk, in bytes: RawSpan) throws(DecodingError) {
            if let unfinished, unfinished.data.isEmpty { throw .corrupt("a frame without pixels") }
            finishFrame()
            guard frames.count < control.frameCount else { return }
            try checkSequence(chunk, in: bytes)
            let data = bytes.extracting(chunk.data)
            let size = facts.layout.size
            let frame = PNGFrame(data, on: size, isFirst: frames.isEmpty, hasAlpha: facts.header.hasAlpha)
            guard let frame, hasStill || frame.fragment.rect == PixelRect(size) else {
                throw .corrupt("a frame that does not fit the picture")
            }
            unfinished = frame
        }

        private mutating func takeFrameData(_ chunk: PNGChunk, in bytes: RawSpan) throws(DecodingError) {
            try checkSequence(chunk, in: bytes)
            guard hasStill, unfinished != nil else { throw .corrupt("pixels of no frame") }
            unfinished?.data.append(chunk.data.dropFirst(4))
        }

        /// The still picture is the first frame where that has been announced.
        private mutating func takeImageData(_ chunk: PNGChunk, in bytes: RawSpan) throws(DecodingError) {
            hasStill = true
            guard unfinished != nil, frames.isEmpty else { return }
            guard chunk.isSound(in: bytes) else { throw .corrupt("IDAT: CRC error") }
            unfinished?.data.append(chunk.data)
        }

        private mutating func checkSequence(_ chunk: PNGChunk, in bytes: RawSpan) throws(DecodingError) {
            guard chunk.dataCount >= 4, chunk.isSound(in: bytes) else { throw .corrupt("a damaged frame") }
            guard bytes.bigEndian32(at: chunk.data.lowerBound) == sequenceNumber else {
                throw .corrupt("frames out of their order")
            }
            sequenceNumber &+= 1
        }

        private mutating func finishFrame() {
            guard let frame = unfinished.take(), !frame.data.isEmpty else { return }
            frames.append(frame)
        }
    }

    // MARK: Frames

    extension PNGAnimation {
        /// The frames so far; nil where there are fewer than two. `file` gives the one of each that `file(of:in:)` makes.
        func source(
            _ options: DecodingOptions, continuing earlier: CompositedFrames? = nil,
            file: @escaping @Sendable (Int) -> [UInt8]
        ) throws(DecodingError) -> CompositedFrames? {
            try options.limits.check(frameCount: control.frameCount)
            return frames.count < 2 ? nil : composited(options, continuing: earlier, file: file)
        }

        private func composited(
            _ options: DecodingOptions, continuing earlier: CompositedFrames? = nil,
            file: @escaping @Sendable (Int) -> [UInt8]
        ) -> CompositedFrames {
            CompositedFrames(
                facts.header, frames.map(\.fragment), loopCount: control.loopCount, options,
                PNGFragments(
                    byteCount: frames.flatMap(\.data).map(\.count).reduce(0, +), makeFile: file,
                    pixels: options.pixels, limits: options.limits),
                continuing: earlier)
        }

        /// The first frame, composed, where it is not the still picture; nil where there is none.
        func firstFrame(of bytes: RawSpan, _ options: DecodingOptions) throws(DecodingError) -> DecodedImage? {
            guard let first = frames.first, !facts.beginsWithFrame else { return nil }
            var only = self
            only.frames = [first]
            let file = file(of: 0, in: bytes)
            let bitmap: Bitmap
            do throws(DecodingError) {
                bitmap = try only.composited(options) { _ in file }.frame(at: 0)
            } catch {
                guard case .corrupt = error else { throw error }
                return nil
            }
            return DecodedImage(bitmap: bitmap, header: facts.header, profile: options.profile(of: facts.header))
        }

        /// What keeps it from having all of its frames, for a file of which no more comes.
        var warnings: [ImageWarning] {
            let reason = fault ?? (hasEnded ? nil : "the file ends before its last frame does")
            return reason.map { [.corrupt("its animation: \($0)")] } ?? []
        }

        /// A PNG file with nothing but the pixels of a frame.
        func file(of index: Int, in bytes: RawSpan) -> [UInt8] {
            guard frames.indices.contains(index) else { return [] }
            var file = PNGFile(facts.layout.header(size: frames[index].fragment.rect.size))
            for chunk in [facts.palette, facts.transparency].compactMap(\.self) where chunk.isComplete(in: bytes) {
                file.append(bytes.extracting(chunk.start..<chunk.end))
            }
            for data in frames[index].data where data.upperBound <= bytes.byteCount {
                file.append(.imageData, bytes.extracting(data))
            }
            file.appendEnd()
            return file.bytes
        }
    }

    /// Decodes the frames of an animation, each by itself.
    private struct PNGFragments: FragmentReader {
        /// A PNG file with the pixels of one frame.
        /// What of the file are pixels; the rest is little.
        let byteCount: Int
        let makeFile: @Sendable (Int) -> [UInt8]
        let pixels: DecodingOptions.Pixels
        let limits: DecodingLimits

        func pixels(ofFragment index: Int) throws(DecodingError) -> Bitmap {
            let file = makeFile(index)
            let facts = try PNGFacts(of: file.span.bytes, limits)
            let (bitmap, warnings) = try PNGStill.pixels(of: facts, in: file.span.bytes, pixels)
            if let warning = warnings.first { throw .corrupt("\(warning)") }
            return bitmap
        }
    }
#endif
