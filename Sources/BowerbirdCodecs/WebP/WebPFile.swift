#if WebP
    import BowerbirdCore
    import CWebP

    /// What the chunks of one WebP file say, as far as it has arrived. Offsets are in bytes of the file, and lie in it.
    struct WebPFile {
        /// The frames of an animation that have wholly arrived.
        private(set) var frames: [WebPFrame] = []
        /// The one behind them, of which some has.
        private(set) var arriving: WebPFrame?
        /// From the chunk `ANIM`; nil while it has not come.
        private(set) var loopCount: LoopCount?
        /// The colour profile.
        private(set) var profile: Range<Int>?
        private(set) var exif: Range<Int>?
        private(set) var xmp: Range<Int>?
        /// Why there are no more frames, where the file is not to be trusted from there on.
        private(set) var damage: String?
        /// Whether all of the file is there.
        private(set) var isWhole = false

        /// Where the next chunk begins.
        private var position = 12
        private var flags: UInt32 = 0
        private var canvas = PixelSize(width: 0, height: 0)

        /// Goes on with all bytes so far.
        mutating func read(_ bytes: RawSpan) {
            guard bytes.matches("RIFF"), bytes.matches("WEBP", at: 8), let size = bytes.littleEndian32(at: 4) else {
                return
            }
            let end = Int(size) + 8
            arriving = nil
            while damage == nil, let chunk = WebPChunk(in: bytes, at: position, before: end) {
                read(chunk, of: bytes)
                guard chunk.isComplete else { break }
                position = chunk.next
            }
            isWhole = bytes.byteCount >= end
        }

        /// Whether the file has the chunk `VP8X`, and says in it that there are several frames.
        var isAnimation: Bool { has(ANIMATION_FLAG) }

        /// Whether the profile is known, or that there is none: it stands before everything that is shown.
        var hasReachedFrames: Bool {
            loopCount != nil || !frames.isEmpty || arriving != nil || damage != nil || isWhole
        }

        /// EXIF data stand behind the pixels, so that the orientation of a file that has some is known last.
        var isOrientationKnown: Bool { !mayBeTurned || exif != nil || isWhole }

        /// Whether the file says that it has EXIF data.
        var mayBeTurned: Bool { has(EXIF_FLAG) }

        private func has(_ flag: WebPFeatureFlags) -> Bool { flags & flag.rawValue != 0 }
    }

    extension WebPFile {
        private mutating func read(_ chunk: WebPChunk, of bytes: RawSpan) {
            let isFirst = position == 12
            if isFirst, chunk.isComplete, bytes.matches("VP8X", at: position) {
                readFeatures(bytes, chunk.payload)
            } else if isAnimation, bytes.matches("ANMF", at: position) {
                readFrame(chunk, of: bytes)
            } else if chunk.isComplete {
                readExtra(chunk.payload, of: bytes)
            }
        }

        private mutating func readFeatures(_ bytes: RawSpan, _ payload: Range<Int>) {
            let start = payload.lowerBound
            guard let flags = bytes.littleEndian32(at: start), let width = bytes.littleEndian24(at: start + 4),
                let height = bytes.littleEndian24(at: start + 7)
            else { return }
            self.flags = flags
            canvas = PixelSize(width: width + 1, height: height + 1)
        }

        /// Of each kind the first counts, and only where `VP8X` says that there is one.
        private mutating func readExtra(_ payload: Range<Int>, of bytes: RawSpan) {
            if isAnimation, loopCount == nil, bytes.matches("ANIM", at: position) {
                loopCount = bytes.littleEndian16(at: payload.lowerBound + 4).map { LoopCount(zeroIsForever: Int($0)) }
            } else if has(ICCP_FLAG), profile == nil, bytes.matches("ICCP", at: position) {
                profile = payload
            } else if has(EXIF_FLAG), exif == nil, bytes.matches("EXIF", at: position) {
                exif = payload
            } else if has(XMP_FLAG), xmp == nil, bytes.matches("XMP ", at: position) {
                xmp = payload
            }
        }

        private mutating func readFrame(_ chunk: WebPChunk, of bytes: RawSpan) {
            guard let frame = WebPFrame(chunk, of: bytes) else {
                if chunk.isComplete { damage = "frame \(frames.count) has no picture" }
                return
            }
            guard PixelRect(canvas).contains(frame.fragment.rect) else {
                damage = "frame \(frames.count) leaves the canvas"
                return
            }
            guard frame.hasDeclaredSize else {
                damage = "frame \(frames.count) has not the size that it declares"
                return
            }
            if chunk.isComplete { frames.append(frame) } else { arriving = frame }
        }
    }

    /// One chunk of a file, or the part of it that is there.
    struct WebPChunk {
        /// Its content as far as it is there.
        let payload: Range<Int>
        let isComplete: Bool
        /// Where the next chunk begins.
        let next: Int

        static let headerSize = 8

        /// The chunk at `offset` of something that ends at `end`, or nil where not even its size is there.
        init?(in bytes: RawSpan, at offset: Int, before end: Int) {
            let start = offset + Self.headerSize
            guard start <= min(end, bytes.byteCount), let size = bytes.littleEndian32(at: offset + 4) else {
                return nil
            }
            let declaredEnd = start + Int(size)
            payload = start..<min(declaredEnd, end, bytes.byteCount)
            isComplete = payload.upperBound == declaredEnd
            next = declaredEnd + declaredEnd % 2
        }
    }

    extension RawSpan {
        /// Three bytes, as WebP stores sizes and times.
        func littleEndian24(at offset: Int) -> Int? {
            guard let low = littleEndian16(at: offset), let high = byte(at: offset + 2) else { return nil }
            return Int(low) | Int(high) << 16
        }
    }
#endif
