#if WebP
    import BowerbirdCore

    /// One frame of an animation: where it goes, and where its picture is in the file.
    struct WebPFrame: Sendable {
        let fragment: Fragment
        /// Its chunks `ALPH`, `VP8 ` and `VP8L`, as far as they are there; libwebp reads them without a file around them.
        let picture: Range<Int>
        let features: WebPFeatures

        /// From a chunk `ANMF`; nil where the picture is missing or makes no sense.
        init?(_ chunk: WebPChunk, of bytes: RawSpan) {
            let start = chunk.payload.lowerBound
            guard let x = bytes.littleEndian24(at: start), let y = bytes.littleEndian24(at: start + 3),
                let width = bytes.littleEndian24(at: start + 6), let height = bytes.littleEndian24(at: start + 9),
                let delay = bytes.littleEndian24(at: start + 12), let flags = bytes.byte(at: start + 15),
                let picture = Self.picture(in: bytes, start + 16, before: chunk.payload.upperBound),
                let features = try? WebPFeatures(of: bytes.extracting(picture))
            else { return nil }
            let size = PixelSize(width: width + 1, height: height + 1)
            self.picture = picture
            self.features = features
            fragment = Fragment(
                rect: PixelRect(x: 2 * x, y: 2 * y, size: size), blend: flags & 2 == 0 ? .over : .source,
                disposal: flags & 1 == 0 ? .keep : .clear, delay: .milliseconds(delay), hasAlpha: features.hasAlpha)
        }

        /// False where the picture has another size than the frame.
        var hasDeclaredSize: Bool { features.size == fragment.rect.size }

        /// Chunks of other kinds are left out.
        private static func picture(in bytes: RawSpan, _ start: Int, before end: Int) -> Range<Int>? {
            var offset = start
            var first: Int?
            while let chunk = WebPChunk(in: bytes, at: offset, before: end) {
                let isPicture = bytes.matches("VP8 ", at: offset) || bytes.matches("VP8L", at: offset)
                if isPicture { return (first ?? offset)..<chunk.payload.upperBound }
                if first == nil, bytes.matches("ALPH", at: offset) { first = offset }
                offset = chunk.next
            }
            return nil
        }
    }

    /// The pictures of frames, each with the bytes that hold it. Stateless, so any thread may ask at any time.
    struct WebPFragmentReader: FragmentReader {
        let pictures: [Picture]
        let format: PixelFormat

        struct Picture: Sendable {
            let features: WebPFeatures
            /// Shared by all of a whole file.
            let file: EncodedImage
            let range: Range<Int>
        }

        /// Each has a file of its own, or all have one.
        var byteCount: Int {
            max(pictures.map(\.range.count).reduce(0, +), pictures.map(\.file.count).max() ?? 0)
        }

        func pixels(ofFragment index: Int) throws(DecodingError) -> Bitmap {
            let picture = pictures[index]
            let reader = try WebPReader(picture.features, picture.features.size, format)
            try picture.file.withBytes { bytes throws(DecodingError) in
                try reader.read(bytes.extracting(picture.range))
            }
            guard reader.isComplete else { throw .corrupt("the picture of frame \(index) makes no sense") }
            return try reader.finish()
        }
    }
#endif
