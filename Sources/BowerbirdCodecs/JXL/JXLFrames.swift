#if JXL
    import BowerbirdCore
    import CJXL

    /// What is known of an animation from one walk over its file, without decoding.
    struct JXLFrameScan {
        let header: ImageHeader
        /// Of the frames that have wholly arrived, as the file asks. Whether the last of the file has is seen only when it
        /// is decoded.
        let delays: [Duration]

        /// Nil for a still.
        init?(_ file: EncodedImage, _ options: DecodingOptions) throws(DecodingError) {
            let reader = try JXLReader([JXL_DEC_BASIC_INFO, JXL_DEC_COLOR_ENCODING, JXL_DEC_FRAME])
            let found = try file.withBytes { bytes throws(DecodingError) in
                try reader.withBytes(bytes, first: bytes.byteCount) { () throws(DecodingError) in
                    try Self.walk(reader, options)
                }
            }
            guard let found else { return nil }
            header = found.header
            delays = found.delays
        }

        private static func walk(
            _ reader: JXLReader, _ options: DecodingOptions
        ) throws(DecodingError) -> (header: ImageHeader, delays: [Duration])? {
            var header: ImageHeader?
            var delays: [Duration] = []
            while true {
                try DecodingError.checkCancellation()
                switch try event(of: reader, or: header == nil) {
                case .facts:
                    guard reader.info.have_animation != 0 else { return nil }
                    try options.limits.check(reader.size)
                case .colors:
                    header = reader.header(profile: reader.settledProfiles(options).pixels)
                case .frame:
                    delays.append(reader.delay)
                    try options.limits.check(frameCount: delays.count)
                case .end: return header.map { ($0, delays) }
                // The last frame began and did not end.
                default: return header.map { ($0, delays.dropLast()) }
                }
            }
        }

        /// Damage behind the beginning ends the frames.
        private static func event(of reader: JXLReader, or throwsDamage: Bool) throws(DecodingError) -> JXLReader.Event
        {
            do throws(DecodingError) {
                return try reader.next()
            } catch .corrupt where !throwsDamage {
                return .needsBytes
            }
        }
    }

    /// The frames of one animated file. The decoder of the last one is kept and goes on; going back begins anew, and
    /// libjxl decodes only what the frame is made from.
    final class JXLFrames: FrameSource {
        let size: PixelSize
        let delays: [Duration]
        let loopCount: LoopCount

        private let file: EncodedImage
        private let finishing: Finishing
        private let options: DecodingOptions
        private let progress = Lock(Progress())

        private struct Progress {
            var reader: JXLReader?
            /// The frame that the reader comes to next; meaningless without one.
            var next = 0
        }

        init(_ file: EncodedImage, _ scan: JXLFrameScan, _ options: DecodingOptions) {
            self.file = file
            self.options = options
            finishing = Finishing(scan.header, options)
            size = finishing.size
            delays = scan.delays.map { FrameDelay.shown($0) }
            loopCount = scan.header.loopCount ?? .times(1)
        }

        /// The file, and the frame that the decoder builds on.
        var byteCount: Int { file.count + options.pixels.format(bitsPerComponent: 8).byteCount(of: size) }

        func frame(at index: Int) throws(DecodingError) -> Bitmap {
            precondition(delays.indices.contains(index), "frame \(index) of \(delays.count)")
            let canvas = try progress.withLock { progress throws(DecodingError) in
                try decode(index, &progress)
            }
            return try finishing.finish(canvas)
        }

        private func decode(_ index: Int, _ progress: inout Progress) throws(DecodingError) -> Bitmap {
            let reader = try reader(at: index, &progress)
            // A frame that throws leaves no reader behind: the next call begins anew.
            progress.reader = nil
            let picture = try file.withBytes { bytes throws(DecodingError) in
                try reader.withBytes(bytes, first: bytes.byteCount) { () throws(DecodingError) in
                    try decodeNext(reader)
                }
            }
            progress.reader = reader
            progress.next = index + 1
            return picture
        }

        /// A reader that comes to the frame next.
        private func reader(at index: Int, _ progress: inout Progress) throws(DecodingError) -> JXLReader {
            guard let reader = progress.reader else {
                let reader = try JXLReader([JXL_DEC_BASIC_INFO, JXL_DEC_COLOR_ENCODING, JXL_DEC_FULL_IMAGE])
                reader.skip(index)
                return reader
            }
            if index < progress.next {
                reader.rewind(skipping: index)
            } else {
                reader.skip(index - progress.next)
            }
            return reader
        }

        private func decodeNext(_ reader: JXLReader) throws(DecodingError) -> Bitmap {
            var canvas: JXLCanvas?
            while true {
                try DecodingError.checkCancellation()
                switch try reader.next() {
                case .facts: reader.allowMemory(for: reader.size)
                case .colors: _ = reader.settledProfiles(options)
                case .pixels: canvas = try JXLCanvas(reader, reader.format(options))
                case .picture:
                    guard let canvas else { throw .corrupt(JXLReader.damage) }
                    return try canvas.finish()
                case .end, .needsBytes: throw .corrupt(JXLReader.damage)
                case .frame, .progress: break
                }
            }
        }
    }
#endif
