#if WebP
    import BowerbirdCore

    /// The decoding of one WebP file while it arrives. A whole file is one that has arrived at once, so the final pixels
    /// never depend on how the bytes came.
    final class WebPProgressiveDecoder: ProgressiveDecoder {
        private let options: DecodingOptions
        private let keepsFrames: Bool
        private var file = WebPFile()
        private var header: ImageHeader?
        private var picture: Picture?
        /// The frames of an animation that have arrived, copied: the memory of the file moves.
        private var pictures: [WebPFragmentReader.Picture] = []
        /// The newest that were asked for.
        private var lastFrames: CompositedFrames?
        private var byteCount = 0
        private var failure: DecodingError?

        /// The still picture, or the first frame.
        private struct Picture {
            let features: WebPFeatures
            /// The size that it is decoded in.
            let size: PixelSize
            var reader: WebPReader
            /// Of an animation.
            let fragment: Fragment?
            var schedule: PreviewSchedule
        }

        /// Without `keepsFrames` there are no `frames()`.
        init(_ options: DecodingOptions, keepsFrames: Bool = true) {
            self.options = options
            self.keepsFrames = keepsFrames
        }

        func update(_ prefix: RawSpan, isComplete: Bool) throws(DecodingError) {
            if let failure { throw failure }
            do throws(DecodingError) {
                try read(prefix, isComplete: isComplete)
            } catch {
                failure = error
                throw error
            }
        }

        func preview() throws(DecodingError) -> DecodedImage? {
            if let failure { throw failure }
            guard file.isOrientationKnown, let header, let reader = picture?.reader,
                picture?.schedule.isDue(at: reader.rowCount) == true
            else { return nil }
            if reader.isComplete, picture?.fragment == nil { return nil }
            let bitmap = try Finishing(header, options).finish(onCanvas(reader.snapshot()))
            return DecodedImage(
                bitmap: bitmap, header: header, isPreview: true, profile: options.profile(of: header))
        }

        func frames() throws(DecodingError) -> (any FrameSource)? {
            if let failure { throw failure }
            guard keepsFrames, file.isOrientationKnown, let header else { return nil }
            if lastFrames?.frameCount != pictures.count {
                lastFrames = try file.frames(pictures, header, options, continuing: lastFrames)
            }
            return lastFrames
        }

        func finish() throws(DecodingError) -> DecodedImage {
            if let failure { throw failure }
            guard let header, let reader = picture?.reader else { throw nothingToShow }
            guard reader.rowCount > 0 else { throw reader.isDamaged ? .corrupt(Self.damage) : nothingToShow }
            let bitmap = try Finishing(header, options).finish(onCanvas(reader.finish()))
            return DecodedImage(
                bitmap: bitmap, header: header, warnings: warnings(reader), profile: options.profile(of: header))
        }
    }

    // MARK: Reading

    extension WebPProgressiveDecoder {
        private func read(_ prefix: RawSpan, isComplete: Bool) throws(DecodingError) {
            byteCount = prefix.byteCount
            file.read(prefix)
            do throws(DecodingError) {
                header = try file.header(in: prefix)
            } catch .truncated where !isComplete {
                return
            }
            if picture == nil { picture = try makePicture(prefix) }
            if file.isAnimation, keepsFrames { try copyFrames(prefix) }
            try picture?.reader.read(prefix.extracting(pictureRange))
            if isComplete { try salvage(prefix.extracting(pictureRange)) }
        }

        private var format: PixelFormat? {
            header.map { options.pixels.format(bitsPerComponent: $0.bitsPerComponent) }
        }

        private var firstFrame: WebPFrame? { file.frames.first ?? file.arriving }

        /// Where the picture is. A still one is read with the chunks around it.
        private var pictureRange: Range<Int> {
            guard file.isAnimation, let firstFrame else { return 0..<byteCount }
            return firstFrame.picture
        }

        private func makePicture(_ prefix: RawSpan) throws(DecodingError) -> Picture? {
            guard let header else { return nil }
            try options.limits.check(header.storedSize)
            guard let format else { return nil }
            guard !file.isAnimation || firstFrame != nil else { return nil }
            let features = if let firstFrame { firstFrame.features } else { try WebPFeatures(of: prefix) }
            let size = file.isAnimation ? features.size : decodedSize(header)
            return Picture(
                features: features, size: size, reader: try WebPReader(features, size, format),
                fragment: firstFrame?.fragment, schedule: schedule(size))
        }

        /// How much of a damaged picture libwebp gives depends on how it got the bytes: so it gets them once more, always
        /// in the same way. In small bands, because it forgets the last rows of the band in which it fails.
        private func salvage(_ bytes: RawSpan) throws(DecodingError) {
            guard let picture, picture.reader.isDamaged, let format else { return }
            let bands = [bytes.byteCount, max(1 << 10, bytes.byteCount / 64)]
            for band in bands where self.picture?.reader.isDamaged == true {
                let reader = try WebPReader(picture.features, picture.size, format, bandByteCount: band)
                try reader.read(bytes)
                self.picture?.reader = reader
            }
        }

        /// Enough pixels for the picture lying on its side as well, where it may turn out to do so: the size must not
        /// depend on how much of the file has come.
        private func decodedSize(_ header: ImageHeader) -> PixelSize {
            var output = options.outputSize(of: header.storedSize)
            if file.mayBeTurned {
                let turned = options.outputSize(of: header.storedSize.transposed).transposed
                output.width = max(output.width, turned.width)
                output.height = max(output.height, turned.height)
            }
            return WebPScale.size(of: header.storedSize, for: output, options.scaling)
        }

        private func copyFrames(_ prefix: RawSpan) throws(DecodingError) {
            try options.limits.check(frameCount: file.frames.count)
            for frame in file.frames.dropFirst(pictures.count) {
                let copy = prefix.extracting(frame.picture).withUnsafeBytes { EncodedImage($0) }
                guard let copy else { throw .outOfMemory(frame.features.size) }
                pictures.append(.init(features: frame.features, file: copy, range: 0..<copy.count))
            }
        }
    }

    // MARK: Showing

    extension WebPProgressiveDecoder {
        /// Above this many pixels a preview takes so long that one has to do.
        private static var smallPixelCount: Int { 1 << 22 }
        private static var damage: String { "its pixels make no sense to libwebp" }

        private func schedule(_ size: PixelSize) -> PreviewSchedule {
            let isSmall = size.pixelCount <= Self.smallPixelCount
            let quarters = isSmall ? [1, 2, 3] : [2]
            let marks = quarters.map { max(1, size.height * $0 / 4) }
            return PreviewSchedule(marks: file.isAnimation ? marks + [size.height] : marks)
        }

        /// The first frame of an animation where it belongs.
        private func onCanvas(_ bitmap: Bitmap) throws(DecodingError) -> Bitmap {
            guard let fragment = picture?.fragment, let size = header?.storedSize,
                fragment.rect != PixelRect(size)
            else { return bitmap }
            guard let canvas = FrameCompositor(size: size, format: bitmap.format) else { throw .outOfMemory(size) }
            try canvas.add(fragment, bitmap)
            return try canvas.frame()
        }

        private var nothingToShow: DecodingError {
            file.damage.map { .corrupt($0) } ?? .truncated(atByte: byteCount)
        }

        private func warnings(_ reader: WebPReader) -> [ImageWarning] {
            if reader.isDamaged { return [.corrupt(Self.damage)] }
            if let damage = file.damage { return [.corrupt(damage)] }
            return file.isWhole ? [] : [.truncated(atByte: byteCount)]
        }
    }
#endif
