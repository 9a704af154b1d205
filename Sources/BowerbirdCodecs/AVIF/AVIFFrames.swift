#if AVIF
    import BowerbirdCore

    /// The frames of an AVIF sequence. AV1 frames build on those before them, from a key frame on; asking in order costs
    /// one frame each. Keeps one AV1 decoder, and with it a few frames, however many there are.
    final class AVIFFrames: FrameSource {
        let size: PixelSize
        let delays: [Duration]
        let loopCount: LoopCount

        /// Its bytes stay where they are for as long as this lives, which is what the session's reader needs.
        private let file: EncodedImage
        private let header: ImageHeader
        private let options: DecodingOptions
        private let finishing: Finishing
        private let session = Lock(Session())

        private struct Session {
            var reader: AVIFReader?
            /// The frame that the reader has decoded last.
            var index = -1
        }

        /// Nil for a still.
        init?(_ file: EncodedImage, _ options: DecodingOptions) throws(DecodingError) {
            let facts = try file.withBytes { bytes throws(DecodingError) in
                let reader = try AVIFReader(keepsBytes: true)
                return try reader.withBytes(bytes, isComplete: true) { () throws(DecodingError) in
                    _ = try reader.parse(options.limits)
                    let movie = AVIFMovie(in: bytes)
                    return (reader.header(loopCount: movie?.loopCount), movie?.delays(count: reader.frameCount))
                }
            }
            guard facts.0.isAnimated, let delays = facts.1 else { return nil }
            self.file = file
            self.options = options
            header = facts.0
            finishing = Finishing(header, options)
            size = finishing.size
            self.delays = delays.map(FrameDelay.shown)
            loopCount = header.loopCount ?? .forever
        }

        /// The file, and the frame that the decoder builds on.
        var byteCount: Int { file.count + options.pixels.format(bitsPerComponent: 8).byteCount(of: size) }

        func frame(at index: Int) throws(DecodingError) -> Bitmap {
            precondition(delays.indices.contains(index), "frame \(index) of \(delays.count)")
            let pixels = try session.withLock { session throws(DecodingError) in try decode(index, &session) }
            return try finishing.finish(pixels)
        }

        private func decode(_ index: Int, _ session: inout Session) throws(DecodingError) -> Bitmap {
            // A frame that throws leaves no decoder behind: the next call begins anew.
            var reader = session.reader.take()
            if reader == nil {
                reader = try AVIFReader(keepsBytes: true)
                session.index = -1
            }
            guard let reader else { throw .outOfMemory(size) }
            let isNew = session.index < 0
            let bitmap = try file.withBytes { bytes throws(DecodingError) in
                try reader.withBytes(bytes, isComplete: true) { () throws(DecodingError) in
                    if isNew { _ = try reader.parse(options.limits) }
                    try advance(reader, from: session.index, to: index)
                    return try reader.pixels(of: header, rows: header.storedSize.height, options).freeze()
                }
            }
            session.reader = reader
            session.index = index
            return bitmap
        }

        /// Decodes all frames that `index` needs; not those that the reader has seen.
        private func advance(_ reader: AVIFReader, from last: Int, to index: Int) throws(DecodingError) {
            guard last != index else { return }
            let keyFrame = reader.keyFrame(before: index)
            let first = last < index && last >= keyFrame ? last + 1 : keyFrame
            for frame in first..<index + 1 {
                try DecodingError.checkCancellation()
                try reader.decode(frame: frame)
            }
        }
    }
#endif
