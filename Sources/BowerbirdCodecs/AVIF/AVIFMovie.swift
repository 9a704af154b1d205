#if AVIF
    import BowerbirdCore

    /// What the `moov` box of an AVIF sequence says of its times. libavif before 1.0 does not tell how often a sequence is
    /// played, and all versions find one delay by going through all before it.
    struct AVIFMovie {
        /// Runs of frames with one delay.
        private let runs: [(frameCount: Int, delay: Duration)]
        let loopCount: LoopCount

        /// Nil where there is no sequence of pictures.
        init?(in bytes: RawSpan) {
            guard let movie = ISOBox.first("moov", in: 0..<bytes.byteCount, of: bytes) else { return nil }
            let track = ISOBox.all(in: movie.contents, of: bytes).first { box in
                box.hasType("trak", in: bytes) && Self.showsPictures(box, in: bytes)
            }
            guard let track else { return nil }
            runs = Self.runs(of: track, in: bytes)
            loopCount = Self.loopCount(of: track, in: bytes)
        }

        /// The delays of the first `count` frames; those that the file does not have are zero.
        func delays(count: Int) -> [Duration] {
            var delays: [Duration] = []
            for run in runs {
                delays += repeatElement(run.delay, count: min(run.frameCount, count - delays.count))
            }
            return delays + repeatElement(.zero, count: count - delays.count)
        }

        /// Alpha has a track of its own, whose handler is `auxv`.
        private static func showsPictures(_ track: ISOBox, in bytes: RawSpan) -> Bool {
            guard let handler = track.descendant("mdia", "hdlr", in: bytes) else { return false }
            return bytes.matches("pict", at: handler.contents.lowerBound + 8)
        }

        private static func runs(of track: ISOBox, in bytes: RawSpan) -> [(Int, Duration)] {
            guard let header = track.descendant("mdia", "mdhd", in: bytes)?.contents.lowerBound,
                let timescale = bytes.bigEndian32(at: header + (bytes.byte(at: header) == 1 ? 20 : 12)), timescale > 0,
                let table = track.descendant("mdia", "minf", "stbl", "stts", in: bytes)?.contents,
                let count = bytes.bigEndian32(at: table.lowerBound + 4)
            else { return [] }
            let room = max(0, table.count - 8) / 8
            return (0..<min(Int(count), room)).compactMap { index in
                let entry = table.lowerBound + 8 + 8 * index
                guard let frames = bytes.bigEndian32(at: entry), let delay = bytes.bigEndian32(at: entry + 4) else {
                    return nil
                }
                return (Int(frames), Self.duration(of: delay, timescale))
            }
        }

        /// To the nanosecond.
        private static func duration(of ticks: UInt32, _ timescale: UInt32) -> Duration {
            let (seconds, rest) = ticks.quotientAndRemainder(dividingBy: timescale)
            return .seconds(Int64(seconds)) + .nanoseconds(Int64(rest) * 1_000_000_000 / Int64(timescale))
        }

        /// An edit list that says so is repeated for as long as the track lasts. Without one the file does not tell, and
        /// such files are played for ever, as browsers do.
        private static func loopCount(of track: ISOBox, in bytes: RawSpan) -> LoopCount {
            guard let edits = track.descendant("edts", "elst", in: bytes)?.contents.lowerBound,
                let flags = bytes.byte(at: edits + 3)
            else { return .forever }
            guard flags & 1 == 1 else { return .times(1) }
            guard let whole = duration(of: track, in: bytes),
                let once = number(at: edits + 8, isLong: bytes.byte(at: edits) == 1, in: bytes), once > 0
            else { return .forever }
            let (rounds, rest) = whole.quotientAndRemainder(dividingBy: once)
            return .times(max(1, Int(clamping: rounds) + (rest > 0 ? 1 : 0)))
        }

        /// Nil where it has no end.
        private static func duration(of track: ISOBox, in bytes: RawSpan) -> UInt64? {
            guard let header = track.descendant("tkhd", in: bytes)?.contents.lowerBound else { return nil }
            let isLong = bytes.byte(at: header) == 1
            let value = number(at: header + (isLong ? 28 : 20), isLong: isLong, in: bytes)
            return value == (isLong ? .max : UInt64(UInt32.max)) ? nil : value
        }

        private static func number(at offset: Int, isLong: Bool, in bytes: RawSpan) -> UInt64? {
            guard let first = bytes.bigEndian32(at: offset) else { return nil }
            guard isLong else { return UInt64(first) }
            guard let second = bytes.bigEndian32(at: offset + 4) else { return nil }
            return UInt64(first) << 32 | UInt64(second)
        }
    }
#endif
