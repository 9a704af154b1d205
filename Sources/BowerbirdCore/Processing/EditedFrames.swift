/// The frames of another animation, each edited when it is asked for: never all at once, and nothing of them is kept.
///
/// Its pictures are new ones each time; whoever plays it keeps some in a `FrameBuffer`.
public struct EditedFrames: FrameSource {
    private let source: any FrameSource
    private let processor: any ImageProcessor
    /// What is known of the picture, for the processor to look at.
    private let image: DecodedImage

    public let size: PixelSize
    public var delays: [Duration] { source.delays }
    public var loopCount: LoopCount { source.loopCount }
    public var byteCount: Int { source.byteCount }

    /// - Parameters:
    ///   - image: The animation.
    ///   - size: That of every frame after the edit.
    init(_ source: any FrameSource, of image: DecodedImage, by processor: any ImageProcessor, size: PixelSize) {
        self.source = source
        self.image = image.with(image.bitmap)
        self.processor = processor
        self.size = size
    }

    /// Throws what the source does, and `.corrupt` with the reason where the frame cannot be edited, or has another size
    /// then than the first.
    public func frame(at index: Int) throws(DecodingError) -> Bitmap {
        let frame = image.with(try source.frame(at: index))
        let edited: DecodedImage
        do throws(ProcessingError) { edited = try processor.process(frame) } catch { throw DecodingError(error) }
        guard edited.size == size else {
            throw .corrupt("frame \(index) is \(edited.size) pixels after an edit, and the first is \(size)")
        }
        return edited.bitmap
    }
}

extension DecodingError {
    fileprivate init(_ error: ProcessingError) {
        switch error {
        case .cancelled: self = .cancelled
        case .outOfMemory(let size): self = .outOfMemory(size)
        case .invalidParameter, .unsupportedPixels: self = .corrupt("it cannot be edited: \(error)")
        }
    }
}

extension ImageProcessor {
    /// The edited picture, with the frames of an animation, each of which is edited when it is asked for. What a pipeline
    /// calls.
    public func edit(_ image: DecodedImage) throws(ProcessingError) -> DecodedImage {
        // It meets the first frame as it meets all others: as a still.
        var edited = try process(image.with(image.bitmap))
        if let frames = image.frames, edited.frames == nil {
            edited.frames = EditedFrames(frames, of: image, by: self, size: edited.size)
        }
        return edited
    }
}
