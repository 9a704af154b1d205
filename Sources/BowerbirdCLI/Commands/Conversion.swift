import Bowerbird

/// What becomes of one file on its way into another one. Touches no disk.
struct Conversion: Sendable {
    var format: ImageFormat
    /// The room for the picture; nil keeps every pixel.
    var targetSize: PixelSize?
    var scaleMode = ScaleMode.fit
    var allowsUpscaling = false
    var choice = Choice.all
    var keepsMetadata = false
    var encoding = EncodingOptions()
    /// How large the file may become.
    var bounds = EncodingBounds()

    /// Which pictures of a file are wanted.
    enum Choice: Hashable, Sendable {
        /// All frames of an animation; of other files the first.
        case all
        case first
        /// Counted from 0.
        case page(Int)
    }

    /// A file that has not been written yet.
    struct Result: Sendable {
        let file: EncodedImage
        let size: PixelSize
        let frameCount: Int
        let remarks: [String]
    }

    /// Blocks. `onFrame` is called for each frame of an animation that is about to be made, counted from 0, with how many
    /// there are.
    func convert(
        _ input: InputFile, _ codecs: CodecSet, onFrame: @escaping @Sendable (Int, _ count: Int) -> Void
    ) throws(Failure) -> Result {
        guard codecs.encoder(for: format) != nil else { throw Failure(.unsupportedFormat(format), input.address) }
        let series = try Failure.decoding(input.address) { () throws(DecodingError) in
            let header = try codecs.header(of: input.data)
            return try PictureSeries(of: input.data, header, options(for: header), codecs)
        }
        var remarks: [String] = []
        var encoding = encoding
        if keepsMetadata { encoding.metadata = metadata(of: input.data, codecs, &remarks) }
        if choice == .all, let frames = series.frames {
            let count = frames.frameCount
            let watched = WatchedFrames(source: frames) { onFrame($0, count) }
            encoding.profile = series.profile
            if let file = try animation(watched, encoding, input.address, codecs) {
                return Result(file: file, size: bounds.size(of: frames.size), frameCount: count, remarks: remarks)
            }
            remarks.append("\(format) holds stills only: the first of \(count) frames was written")
        }
        return try still(of: series, encoding, input.address, codecs, remarks)
    }

    /// Nil for a format of stills.
    private func animation(
        _ frames: some FrameSource, _ encoding: EncodingOptions, _ address: String, _ codecs: CodecSet
    ) throws(Failure) -> EncodedImage? {
        try Failure.encoding(address) { () throws(EncodingError) in
            do throws(EncodingError) {
                return try codecs.encode(frames, as: format, encoding, within: bounds)
            } catch .cannotAnimate {
                return nil
            }
        }
    }

    private func still(
        of series: PictureSeries, _ encoding: EncodingOptions, _ address: String, _ codecs: CodecSet,
        _ remarks: [String]
    ) throws(Failure) -> Result {
        let picture = try Failure.decoding(address) { () throws(DecodingError) in try series.picture(at: index) }
        var encoding = encoding
        encoding.profile = picture.profile
        let file = try Failure.encoding(address) { () throws(EncodingError) in
            try codecs.encode(picture.bitmap, as: format, encoding, within: bounds)
        }
        return Result(
            file: file, size: bounds.size(of: picture.bitmap.size), frameCount: 1,
            remarks: remarks + picture.warnings.map(\.description))
    }

    /// Of the picture of a still.
    private var index: Int {
        guard case .page(let index) = choice else { return 0 }
        return index
    }

    private func options(for header: ImageHeader) -> DecodingOptions {
        guard let targetSize else { return .exact(header, for: format) }
        return DecodingOptions(targetSize: targetSize, scaleMode: scaleMode, allowsUpscaling: allowsUpscaling)
    }

    private func metadata(of file: EncodedImage, _ codecs: CodecSet, _ remarks: inout [String]) -> ImageMetadata? {
        do {
            return try codecs.metadata(of: file)
        } catch {
            remarks.append("its metadata cannot be read: \(error)")
            return nil
        }
    }
}
