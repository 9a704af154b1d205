import BowerbirdCore

/// The decoding of one GIF file while it arrives. A whole file is one that has arrived at once, so the final pixels never
/// depend on how the bytes came.
///
/// The first frame is unpacked as its data come; of an animation, frames that have wholly arrived are kept as they are in
/// the file, and unpacked when they are shown.
final class GIFProgressiveDecoder: ProgressiveDecoder {
    private let options: DecodingOptions
    private let keepsFrames: Bool
    private var parser: GIFParser
    private var picture: Picture?
    private var failure: DecodingError?
    /// Nil until there is a first frame.
    private var headers: Headers?
    private var byteCount = 0

    private var palette: [UInt8]?
    private var sources: [GIFFragments.Source] = []
    private var newestFrames: CompositedFrames?

    /// What the first frame settles.
    private struct Picture {
        let frame: GIFFrame
        let raster: GIFRaster
        let colors: GIFColors
        let canvas: PixelSize
        var schedule: PreviewSchedule
    }

    private struct Headers {
        let ifMoreComes: ImageHeader
        let ifNothingComes: ImageHeader
    }

    init(_ options: DecodingOptions, keepsFrames: Bool) {
        self.options = options
        self.keepsFrames = keepsFrames
        parser = GIFParser(options.limits)
    }

    func update(_ prefix: RawSpan, isComplete: Bool) throws(DecodingError) {
        try orFail { () throws(DecodingError) in
            try parser.parse(prefix)
            if picture == nil { picture = try makePicture(prefix) }
            try picture?.raster.read(prefix)
            if keepsFrames { try keepFrames(of: prefix) }
            byteCount = prefix.byteCount
            headers = try makeHeaders(prefix, isComplete: isComplete)
        }
    }

    func preview() throws(DecodingError) -> DecodedImage? {
        try orFail { () throws(DecodingError) in
            // What is whole, and what nothing more belongs to, is not shown twice.
            guard !parser.hasEnded, let picture, let header = headers?.ifMoreComes else { return nil }
            guard self.picture?.schedule.isDue(at: picture.raster.rowCount) == true else { return nil }
            let bitmap = try Finishing(header, options).finish(paint(picture))
            return DecodedImage(bitmap: bitmap, header: header, isPreview: true, profile: options.profile(of: header))
        }
    }

    func frames() throws(DecodingError) -> (any FrameSource)? {
        try orFail { () throws(DecodingError) in
            guard let header = headers?.ifMoreComes, sources.count > 1 else { return nil }
            if newestFrames?.frameCount != sources.count || newestFrames?.loopCount != parser.playCount {
                newestFrames = try CompositedFrames(
                    header, sources, parser, palette: palette, options, continuing: newestFrames)
            }
            return newestFrames
        }
    }

    func finish() throws(DecodingError) -> DecodedImage {
        try orFail { () throws(DecodingError) in
            guard let picture, let header = headers?.ifNothingComes else { throw .truncated(atByte: byteCount) }
            let warnings = warnings(picture)
            if picture.raster.isEmpty, let warning = warnings.first { throw DecodingError(warning) }
            let bitmap = try Finishing(header, options).finish(paint(picture))
            return DecodedImage(
                bitmap: bitmap, header: header, warnings: warnings, profile: options.profile(of: header))
        }
    }

    /// What failed once fails for good.
    private func orFail<R>(_ work: () throws(DecodingError) -> R) throws(DecodingError) -> R {
        if let failure { throw failure }
        do throws(DecodingError) {
            return try work()
        } catch {
            failure = error
            throw error
        }
    }
}

// MARK: The first frame

extension GIFProgressiveDecoder {
    private func makePicture(_ prefix: RawSpan) throws(DecodingError) -> Picture? {
        guard let frame = parser.frames.first, let canvas = parser.canvas else { return nil }
        try options.limits.check(canvas)
        let raster = try GIFRaster(frame, options.limits)
        let format = options.pixels.format(bitsPerComponent: 8)
        palette = parser.palette(in: prefix)
        return Picture(
            frame: frame, raster: raster, colors: frame.colors(palette, in: prefix, format), canvas: canvas,
            schedule: Self.schedule(of: frame))
    }

    /// Above this many pixels a preview takes so long that one has to do.
    private static var smallPixelCount: Int { 1 << 22 }

    /// The last mark is for animations, whose other frames are still to come.
    private static func schedule(of frame: GIFFrame) -> PreviewSchedule {
        let height = frame.rect.size.height
        let isSmall = frame.rect.size.pixelCount <= smallPixelCount
        if frame.isInterlaced {
            let ends = GIFInterlacing(height: height).passEnds
            return PreviewSchedule(marks: isSmall ? ends : [ends[1], height])
        }
        let parts = isSmall ? [1, 2, 3, 4] : [2, 4]
        return PreviewSchedule(marks: parts.map { max(1, height * $0 / 4) })
    }

    private func paint(_ picture: Picture) throws(DecodingError) -> Bitmap {
        let format = options.pixels.format(bitsPerComponent: 8)
        guard var buffer = PixelBuffer(size: picture.canvas, format: format) else {
            throw .outOfMemory(picture.canvas)
        }
        picture.raster.paint(into: &buffer, from: (0, 0), picture.colors)
        buffer.isOpaque =
            picture.raster.isComplete && !picture.frame.hasAlpha
            && picture.frame.rect.contains(PixelRect(picture.canvas))
        return buffer.freeze()
    }

    /// Of the first frame, or else of what follows it.
    private func warnings(_ picture: Picture) -> [ImageWarning] {
        let isCutShort = parser.frames[0].dataEnd == nil
        if !picture.raster.isComplete {
            if picture.raster.isDamaged { return [.corrupt("row \(picture.raster.rowCount) makes no sense")] }
            return [isCutShort ? .truncated(atByte: byteCount) : .corrupt("rows are missing")]
        }
        if let damage = parser.damage { return [damage] }
        return parser.hasEnded ? [] : [.truncated(atByte: byteCount)]
    }

    private func makeHeaders(_ prefix: RawSpan, isComplete: Bool) throws(DecodingError) -> Headers? {
        guard picture != nil || isComplete else { return nil }
        return Headers(
            ifMoreComes: try parser.header(of: prefix, isComplete: isComplete),
            ifNothingComes: try parser.header(of: prefix, isComplete: true))
    }
}

// MARK: The frames of an animation

extension GIFProgressiveDecoder {
    /// Copies the data of frames that have newly come: who gives the bytes does not keep them for us. A still is not
    /// copied.
    private func keepFrames(of prefix: RawSpan) throws(DecodingError) {
        let complete = parser.completeFrames
        guard complete.count > 1 else { return }
        for frame in complete[sources.count...] {
            let start = frame.palette?.lowerBound ?? frame.dataStart
            let data = prefix.extracting(start..<(frame.dataEnd ?? frame.dataStart))
            guard let bytes = data.withUnsafeBytes({ EncodedImage($0) }) else { throw .outOfMemory(frame.rect.size) }
            sources.append(GIFFragments.Source(frame: frame.moved(by: start), bytes: bytes))
        }
    }
}
