import BowerbirdCore

/// One processor at work on one picture: on its previews, on what the caches had of it, and on the final one.
///
/// Used by one job, never by two threads at a time.
final class EditedImage {
    private let processor: any ImageProcessor
    private let source: ImageSource
    /// What became of the picture that the caches had: it need not be edited again where it is the final one.
    private var kept: (input: DecodedImage, output: DecodedImage)?

    init(_ processor: any ImageProcessor, of source: ImageSource) {
        self.processor = processor
        self.source = source
    }

    /// The update for whoever wants the edited picture. Faults are left to the end.
    func news(of update: ImageUpdate) -> ImageUpdate {
        var news = update
        news.preview = update.preview.flatMap { try? processor.process($0) }
        news.cached = update.cached.flatMap { input in
            guard let output = try? processor.process(input) else { return nil }
            kept = (input, output)
            return output
        }
        return news
    }

    /// The final picture.
    func finish(_ image: DecodedImage) throws(ImageError) -> DecodedImage {
        if let kept, kept.input.bitmap.isIdentical(to: image.bitmap) { return kept.output }
        do { return try processor.process(image) } catch { throw ImageError(error, source) }
    }
}
