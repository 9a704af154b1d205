import BowerbirdCore

/// One picture from its first bytes to its last: the decoder that may be at work while the file arrives.
///
/// Used by one job, never by two threads at a time.
final class ArrivingImage {
    private let request: AcceptedRequest
    private let codecs: CodecSet
    private let previewDelay: Duration
    private let options: DecodingOptions
    private let start = ContinuousClock.now
    private var progressive = Progressive.undecided
    private var shown: ShownPreview
    /// What memory has of it, which the asker knows, while a server is asked about it.
    private let known: ProducedImage?
    /// What the disk had, while a server is asked about it.
    private var kept: (data: EncodedImage, image: DecodedImage)?

    private enum Progressive {
        case undecided
        case decoding(any ProgressiveDecoder)
        /// The format has no previews, or the file is not good enough for them: the whole of it decides.
        case none
    }

    init(
        _ request: AcceptedRequest, _ configuration: ImagePipeline.Configuration, known: ProducedImage? = nil
    ) {
        self.request = request
        self.known = known
        codecs = configuration.codecs
        previewDelay = configuration.previewDelay
        options = request.decodingOptions
        shown = ShownPreview(wantsFrames: !options.firstFrameOnly)
        if request.options.previews == .off { progressive = .none }
    }

    /// The picture as the disk has it, for the asker. What memory has of the same file need not be decoded, nor told of,
    /// again.
    func picture(of original: Original) -> DecodedImage? {
        if let known, Freshness.areOfSameBytes(known.freshness, original.freshness) {
            kept = (original.data, known.image)
            return nil
        }
        guard let image = try? finish(original.data) else { return nil }
        kept = (original.data, image)
        return image
    }

    /// The newest state of the picture, where it is worth showing. Faults are left to the end, when all bytes are there.
    func preview(of arrived: ArrivedBytes) -> DecodedImage? {
        guard arrived.data.count != arrived.total, start.duration(to: .now) >= previewDelay,
            let decoder = progressiveDecoder(for: arrived.data)
        else { return nil }
        do {
            try arrived.data.withBytes { bytes throws(DecodingError) in try decoder.update(bytes, isComplete: false) }
            return try shown.newer(decoder).flatMap(wanted)
        } catch {
            progressive = .none
            return nil
        }
    }

    /// Edits are meant for pictures of the final size: nobody wants to see them on a camera's small picture.
    private func wanted(_ preview: DecodedImage) -> DecodedImage? {
        guard request.isIntermediate else { return preview }
        return preview.size == options.outputSize(of: preview.header.size) ? preview : nil
    }

    /// The final picture.
    func finish(_ data: EncodedImage) throws(ImageError) -> DecodedImage {
        if let kept, kept.data.isIdentical(to: data) { return kept.image }
        let data = try transformed(data)
        do { return try decoded(data) } catch { throw ImageError(error, request.request.source) }
    }

    private func transformed(_ data: EncodedImage) throws(ImageError) -> EncodedImage {
        guard let transform = request.options.transform else { return data }
        do {
            return try transform.body(data)
        } catch {
            throw .transform("\(error)", address: request.request.source.address)
        }
    }

    private func decoded(_ data: EncodedImage) throws(DecodingError) -> DecodedImage {
        try still(data).withFrames(of: data, codecs, options)
    }

    private func still(_ data: EncodedImage) throws(DecodingError) -> DecodedImage {
        guard case .decoding(let decoder) = progressive else {
            return try data.withBytes { bytes throws(DecodingError) in try codecs.decode(bytes, options) }
        }
        // Whatever comes of it: the same decoder does not begin again with another file.
        progressive = .none
        try data.withBytes { bytes throws(DecodingError) in try decoder.update(bytes, isComplete: true) }
        return try decoder.finish()
    }

    /// The decoder for the previews; nil where there are none, or where too little has come to know the format.
    private func progressiveDecoder(for data: EncodedImage) -> (any ProgressiveDecoder)? {
        switch progressive {
        case .decoding(let decoder): return decoder
        case .none: return nil
        case .undecided:
            guard data.count >= ImageFormat.sniffingLength else { return nil }
            let decoder = codecs.decoder(for: data)?.makeProgressiveDecoder(options)
            progressive = decoder.map(Progressive.decoding) ?? .none
            return decoder
        }
    }
}

extension DecodedImage {
    /// The same picture with the frames of its file, where it moves and they are wanted. One whose frames cannot be found
    /// is shown as a still.
    func withFrames(of file: EncodedImage, _ codecs: CodecSet, _ options: DecodingOptions) -> DecodedImage {
        guard header.isAnimated, !options.firstFrameOnly else { return self }
        var image = self
        image.frames = try? codecs.frames(in: file, options)
        return image
    }
}

/// What has been shown of a file on its way. An animation is shown again when it has grown by a half, so that the number
/// of previews stays small however many frames there are.
private struct ShownPreview {
    let wantsFrames: Bool
    private var picture: DecodedImage?
    private var frameCount = 1

    init(wantsFrames: Bool) { self.wantsFrames = wantsFrames }

    mutating func newer(_ decoder: any ProgressiveDecoder) throws(DecodingError) -> DecodedImage? {
        let newer = try decoder.preview()
        picture = newer ?? picture
        guard wantsFrames, let frames = try decoder.frames(), frames.frameCount * 2 >= frameCount * 3 else {
            return newer
        }
        frameCount = frames.frameCount
        picture?.frames = frames
        return picture
    }
}
