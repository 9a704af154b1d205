import BowerbirdCore

/// One processor at work on one picture: on its previews, on what the caches had of it, and on the final one.
///
/// Used by one job, never by two threads at a time.
final class EditedImage {
    private let processor: any ImageProcessor
    private let source: ImageSource
    /// What memory has of the edited picture, which the asker knows, while a server is asked about it.
    private let known: ProducedImage?
    /// What the caches had of the picture to be edited, and what became of it: it need not be edited again where it is
    /// the final one.
    private var kept: (input: DecodedImage, output: DecodedImage?)?

    init(_ processor: any ImageProcessor, of source: ImageSource, known: ProducedImage? = nil) {
        self.processor = processor
        self.source = source
        self.known = known
    }

    /// The update for whoever wants the edited picture. Faults are left to the end.
    func news(of update: ImageUpdate) -> ImageUpdate {
        var news = update
        news.preview = update.preview.flatMap { try? processor.edit($0) }
        news.cached = update.cached.flatMap { input in
            let output = known == nil ? try? processor.edit(input) : nil
            kept = (input, output)
            return output
        }
        return news
    }

    /// The final picture.
    func finish(_ input: ProducedImage) throws(ImageError) -> DecodedImage {
        if let kept, kept.input.bitmap.isIdentical(to: input.image.bitmap),
            let output = kept.output ?? known(of: input)
        {
            return output
        }
        do { return try processor.edit(input.image) } catch { throw ImageError(error, source) }
    }

    private func known(of input: ProducedImage) -> DecodedImage? {
        known.flatMap { Freshness.areOfSameBytes($0.freshness, input.freshness) ? $0.image : nil }
    }
}
