import BowerbirdCore

/// One picture from its first bytes to its last edit: the decoder that may be at work while the file arrives, and the
/// processors that previews and the final picture pass through alike.
///
/// Used by one job, never by two threads at a time.
final class ArrivingImage {
    private let request: ImageRequest
    private let configuration: ImagePipeline.Configuration
    private let options: DecodingOptions
    private let start = ContinuousClock.now
    private var progressive = Progressive.undecided

    private enum Progressive {
        case undecided
        case decoding(any ProgressiveDecoder)
        /// The format has no previews, or the file is not good enough for them: the whole of it decides.
        case none
    }

    init(_ request: ImageRequest, _ configuration: ImagePipeline.Configuration) {
        self.request = request
        self.configuration = configuration
        options = request.decodingOptions(configuration.limits)
        if !request.wantsPreviews { progressive = .none }
    }

    /// The newest state of the picture, edited, where it is worth showing. Faults are left to the end, when all bytes
    /// are there.
    func preview(of update: OriginalUpdate) -> DecodedImage? {
        guard update.data.count != update.total, start.duration(to: .now) >= configuration.previewDelay,
            let decoder = progressiveDecoder(for: update.data)
        else { return nil }
        do {
            try update.data.withBytes { bytes throws(DecodingError) in try decoder.update(bytes, isComplete: false) }
            return try decoder.preview().map { image throws(ImageError) in try edited(image) }
        } catch {
            progressive = .none
            return nil
        }
    }

    /// The final picture, edited.
    func finish(_ data: EncodedImage) throws(ImageError) -> DecodedImage {
        let image: DecodedImage
        do { image = try decoded(data) } catch { throw ImageError(error, request.source) }
        return try edited(image)
    }

    private func decoded(_ data: EncodedImage) throws(DecodingError) -> DecodedImage {
        guard case .decoding(let decoder) = progressive else {
            return try data.withBytes { bytes throws(DecodingError) in try configuration.codecs.decode(bytes, options) }
        }
        try data.withBytes { bytes throws(DecodingError) in try decoder.update(bytes, isComplete: true) }
        return try decoder.finish()
    }

    private func edited(_ image: DecodedImage) throws(ImageError) -> DecodedImage {
        var image = image
        for processor in request.processors {
            do { image = try processor.process(image) } catch { throw ImageError(error, request.source) }
        }
        return image
    }

    /// The decoder for the previews; nil where there are none, or where too little has come to know the format.
    private func progressiveDecoder(for data: EncodedImage) -> (any ProgressiveDecoder)? {
        switch progressive {
        case .decoding(let decoder): return decoder
        case .none: return nil
        case .undecided:
            guard data.count >= ImageFormat.sniffingLength else { return nil }
            let decoder = configuration.codecs.decoder(for: data)?.makeProgressiveDecoder(options)
            progressive = decoder.map(Progressive.decoding) ?? .none
            return decoder
        }
    }
}
