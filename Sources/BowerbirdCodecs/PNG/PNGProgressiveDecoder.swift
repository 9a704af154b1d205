#if PNG
    import BowerbirdCore

    /// The decoding of one PNG file while it arrives. The final pixels never depend on how the bytes came.
    ///
    /// An interlaced picture shows all of itself, ever sharper; any other the rows that have come, and nothing where the
    /// others will be.
    final class PNGProgressiveDecoder: ProgressiveDecoder {
        private let options: DecodingOptions
        private var stage = Stage.header
        private var byteCount = 0
        private var chunksBeforePixels = PNGChunks()
        private var animation: PNGAnimation?
        /// A file for each frame of the animation.
        private var frameFiles: [[UInt8]] = []
        private var source: CompositedFrames?
        /// The first frame, where that is not the still picture.
        private var firstFrame: DecodedImage?

        private enum Stage {
            case header
            case arriving(Picture)
            /// The picture of a file that came at once.
            case whole(Bitmap, ImageHeader, [ImageWarning])
            /// The still picture makes no sense, but the animation, which begins without it, may.
            case unreadable(DecodingError)
            case failed(DecodingError)
        }

        /// What is settled once the header is known.
        private struct Picture {
            let facts: PNGFacts
            let stream: PNGStream
            let finishing: Finishing
            var schedule: PreviewSchedule
        }

        init(_ options: DecodingOptions) { self.options = options }

        func update(_ prefix: RawSpan, isComplete: Bool) throws(DecodingError) {
            byteCount = prefix.byteCount
            do throws(DecodingError) {
                if case .failed(let error) = stage { throw error }
                if case .header = stage { try begin(prefix, isComplete: isComplete) }
                if case .arriving(let picture) = stage { try read(picture, prefix) }
                try readAnimation(prefix)
            } catch {
                stage = .failed(error)
                throw error
            }
        }

        func finish() throws(DecodingError) -> DecodedImage {
            if let firstFrame { return firstFrame.warning(of: animation) }
            return try still().warning(of: animation)
        }

        private func still() throws(DecodingError) -> DecodedImage {
            switch stage {
            case .header: throw byteCount == 0 ? .empty : .truncated(atByte: byteCount)
            case .failed(let error), .unreadable(let error): throw error
            case .whole(let bitmap, let header, let warnings): return try image(of: bitmap, header, warnings)
            case .arriving(let picture):
                let (bitmap, warnings) = try picture.stream.finish(byteCount: byteCount)
                return try image(of: bitmap, picture.facts.header, warnings)
            }
        }

        private func image(
            of bitmap: Bitmap, _ header: ImageHeader, _ warnings: [ImageWarning]
        ) throws(DecodingError) -> DecodedImage {
            DecodedImage(
                bitmap: try Finishing(header, options).finish(bitmap), header: header, warnings: warnings,
                profile: options.profile(of: header))
        }

        /// Waits until all before the pixels is there: only then it is read, once, whatever it takes to unpack it.
        private func begin(_ prefix: RawSpan, isComplete: Bool) throws(DecodingError) {
            guard isComplete || hasReachedPixels(prefix) else { return }
            let facts: PNGFacts
            do throws(DecodingError) {
                facts = try PNGFacts(of: prefix, options.limits)
            } catch {
                if case .truncated = error, !isComplete { return }
                throw prefix.isEmpty ? .empty : error
            }
            try options.limits.check(facts.layout.size)
            animation = PNGAnimation(facts)
            guard isComplete else { return stage = try .arriving(makePicture(facts)) }
            try readStill(of: facts) { () throws(DecodingError) in
                let (bitmap, warnings) = try PNGStill.pixels(of: facts, in: prefix, options.pixels)
                stage = .whole(bitmap, facts.header, warnings)
            }
        }

        private func read(_ picture: Picture, _ prefix: RawSpan) throws(DecodingError) {
            try readStill(of: picture.facts) { () throws(DecodingError) in try picture.stream.read(prefix) }
        }

        /// A still picture that is not shown may be damaged.
        private func readStill(
            of facts: PNGFacts, _ work: () throws(DecodingError) -> Void
        ) throws(DecodingError) {
            do throws(DecodingError) {
                try work()
            } catch {
                guard case .corrupt = error, animation != nil, !facts.beginsWithFrame else { throw error }
                stage = .unreadable(error)
            }
        }

        /// Also where it never will, because the file makes no sense.
        private func hasReachedPixels(_ prefix: RawSpan) -> Bool {
            do throws(DecodingError) {
                while let chunk = try chunksBeforePixels.next(in: prefix) {
                    if chunk.type == .imageData || chunk.type == .end { return true }
                }
                return false
            } catch {
                return true
            }
        }

        private func makePicture(_ facts: PNGFacts) throws(DecodingError) -> Picture {
            Picture(
                facts: facts, stream: try PNGStream(facts, options.pixels),
                finishing: Finishing(facts.header, options), schedule: Self.schedule(of: facts.layout))
        }
    }

    // MARK: Animations

    extension PNGProgressiveDecoder {
        func frames() throws(DecodingError) -> (any FrameSource)? {
            guard let animation, animation.frames.count != source?.frameCount ?? 0 else { return source }
            let files = frameFiles
            source = try animation.source(options, continuing: source) { files[$0] }
            return source
        }

        /// Keeps the parts of the frames that have arrived: the memory of `prefix` may move.
        private func readAnimation(_ prefix: RawSpan) throws(DecodingError) {
            guard animation?.hasEnded == false else { return }
            animation?.read(prefix)
            guard let animation else { return }
            if frameFiles.isEmpty { firstFrame = try animation.firstFrame(of: prefix, options) }
            while frameFiles.count < animation.frames.count {
                frameFiles.append(animation.file(of: frameFiles.count, in: prefix))
            }
        }
    }

    // MARK: Previews

    extension PNGProgressiveDecoder {
        /// Above this many pixels a preview takes so long that one has to do.
        private static let smallPixelCount = 1 << 22

        /// In rows, or in passes: each is worth twice the one before.
        private static func schedule(of layout: PNGLayout) -> PreviewSchedule {
            let isSmall = layout.size.pixelCount <= smallPixelCount
            let height = layout.size.height
            if layout.isInterlaced { return PreviewSchedule(marks: isSmall ? [1, 3, 5] : [3]) }
            let marks = isSmall ? [height / 4, height / 2, height * 3 / 4] : [height / 2]
            return PreviewSchedule(marks: marks.map { max(1, $0) })
        }

        func preview() throws(DecodingError) -> DecodedImage? {
            if case .failed(let error) = stage { throw error }
            guard case .arriving(var picture) = stage, !picture.stream.hasEnded else { return nil }
            guard picture.schedule.isDue(at: picture.stream.progress) else { return nil }
            stage = .arriving(picture)
            guard let bitmap = try picture.stream.preview(picture.finishing) else { return nil }
            return DecodedImage(
                bitmap: bitmap, header: picture.facts.header, isPreview: true,
                profile: options.profile(of: picture.facts.header))
        }
    }
#endif
