public import BowerbirdCore

/// Reads GIF files of both versions, stills and animations, in Swift alone.
///
/// Frames that reach beyond the canvas are cut off there, and the background colour is not painted, as in browsers. A file
/// without a palette is grey. Without a word on how often it is played an animation is played once; a count in the file is
/// taken as it is, 0 for ever. Frames whose data end early show the rows that are there.
public struct GIFDecoder: ImageDecoder {
    /// It has no settings: see `DecodingOptions`.
    public init() {}

    public var formats: [ImageFormat] { [.gif] }

    /// From the first bytes up to the first frame. How many frames there are is known to who gives the whole file.
    public func header(of bytes: RawSpan) throws(DecodingError) -> ImageHeader {
        guard !bytes.isEmpty else { throw .empty }
        var parser = GIFParser(DecodingLimits(), maximumFrameCount: .max)
        try parser.parse(bytes)
        return try parser.header(of: bytes, isComplete: false)
    }

    public func decode(_ bytes: RawSpan, _ options: DecodingOptions) throws(DecodingError) -> DecodedImage {
        guard !bytes.isEmpty else { throw .empty }
        let decoder = GIFProgressiveDecoder(options, keepsFrames: false)
        try decoder.update(bytes, isComplete: true)
        return try decoder.finish()
    }

    public func frames(
        in file: EncodedImage, _ options: DecodingOptions
    ) throws(DecodingError) -> (any FrameSource)? {
        guard !options.firstFrameOnly else { return nil }
        return try file.withBytes { bytes throws(DecodingError) -> CompositedFrames? in
            guard !bytes.isEmpty else { throw .empty }
            var parser = GIFParser(options.limits)
            try parser.parse(bytes)
            let header = try parser.header(of: bytes, isComplete: true)
            let sources = parser.completeFrames.map { GIFFragments.Source(frame: $0, bytes: file) }
            return try CompositedFrames(header, sources, parser, palette: parser.palette(in: bytes), options)
        }
    }

    public func metadata(
        of bytes: RawSpan, _ limits: DecodingLimits
    ) throws(DecodingError) -> ImageMetadata {
        guard !bytes.isEmpty else { throw .empty }
        var parser = GIFParser(limits, maximumFrameCount: .max, keepsTexts: true)
        try parser.parse(bytes)
        return parser.metadata
    }

    public func makeProgressiveDecoder(_ options: DecodingOptions) -> (any ProgressiveDecoder)? {
        GIFProgressiveDecoder(options, keepsFrames: !options.firstFrameOnly)
    }
}

extension GIFParser {
    func palette(in bytes: RawSpan) -> [UInt8]? {
        palette.map { range in bytes.extracting(range).withUnsafeBytes { Array($0) } }
    }
}

extension CompositedFrames {
    /// The frames of `sources`; nil where there are not two.
    convenience init?(
        _ header: ImageHeader, _ sources: [GIFFragments.Source], _ parser: GIFParser, palette: [UInt8]?,
        _ options: DecodingOptions, continuing earlier: CompositedFrames? = nil
    ) throws(DecodingError) {
        guard sources.count > 1 else { return nil }
        let canvas = header.storedSize
        try options.limits.check(canvas)
        let reader = GIFFragments(
            sources: sources, palette: palette, canvas: canvas,
            format: options.pixels.format(bitsPerComponent: header.bitsPerComponent), limits: options.limits)
        self.init(
            header, sources.map { $0.frame.fragment(on: canvas) }, loopCount: parser.playCount, options, reader,
            continuing: earlier)
    }
}
