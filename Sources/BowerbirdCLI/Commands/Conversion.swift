import Bowerbird

/// What becomes of one file on its way into another one. Touches no disk.
struct Conversion: Sendable {
    var format: ImageFormat
    /// The room for the picture before it is edited; nil keeps every pixel.
    var targetSize: PixelSize?
    var scaleMode = ScaleMode.fit
    var allowsUpscaling = false
    var edits = Chain([])
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

    /// What is to be done to the picture. A size at the beginning is the decoder's.
    mutating func set(_ edits: [any ImageProcessor]) {
        var edits = edits[...]
        if let resize = edits.first as? Resize {
            (targetSize, scaleMode, allowsUpscaling) = (resize.size, resize.mode, resize.allowsUpscaling)
            edits.removeFirst()
        }
        self.edits = Chain(Array(edits))
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
        if choice == .all, let frames = try editedFrames(of: series, input.address) {
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

    private func edited(_ image: DecodedImage, _ address: String) throws(Failure) -> DecodedImage {
        guard !edits.processors.isEmpty else { return image }
        do throws(ProcessingError) { return try edits.edit(image) } catch { throw Failure(error, address) }
    }

    /// Nil for a still. The first frame tells how large the edited ones are.
    private func editedFrames(of series: PictureSeries, _ address: String) throws(Failure) -> (any FrameSource)? {
        guard let frames = series.frames, !edits.processors.isEmpty else { return series.frames }
        let first = try Failure.decoding(address) { () throws(DecodingError) in try frames.frame(at: 0) }
        return try edited(DecodedImage(bitmap: first, header: series.header, frames: frames), address).frames
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
        let bitmap = try edited(DecodedImage(bitmap: picture.bitmap, header: series.header), address).bitmap
        var encoding = encoding
        encoding.profile = picture.profile
        let file = try Failure.encoding(address) { () throws(EncodingError) in
            try codecs.encode(bitmap, as: format, encoding, within: bounds)
        }
        return Result(
            file: file, size: bounds.size(of: bitmap.size), frameCount: 1,
            remarks: remarks + picture.warnings.map(\.description))
    }

    /// Of the picture of a still.
    private var index: Int {
        guard case .page(let index) = choice else { return 0 }
        return index
    }

    private func options(for header: ImageHeader) -> DecodingOptions {
        if targetSize == nil, edits.processors.isEmpty { return .exact(header, for: format) }
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
