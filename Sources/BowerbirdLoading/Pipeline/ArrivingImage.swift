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
            return try decoder.preview()
        } catch {
            progressive = .none
            return nil
        }
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
