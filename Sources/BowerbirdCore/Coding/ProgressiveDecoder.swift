/// The decoding of one file while it arrives. Owned by one task at a time; nothing is decoded twice: the final picture
/// comes from the same object as the previews, and is the one that `ImageDecoder.decode` would give.
public protocol ProgressiveDecoder: AnyObject {
    /// Goes on with all bytes so far. The memory may have moved since the last call; what was there has not changed.
    func update(_ prefix: RawSpan, isComplete: Bool) throws(DecodingError)

    /// The newest state that is worth showing, marked `isPreview`; nil when nothing new is. Each preview costs a pass
    /// over the picture, so a decoder gives only a few. The first may be a small picture that the file carries for this, with
    /// fewer pixels than the final one but of its shape; its header says the size of the file's picture.
    func preview() throws(DecodingError) -> DecodedImage?

    /// The frames of an animation that have wholly arrived, at least 2; nil for a still and while there are fewer. Costs
    /// no decoding.
    func frames() throws(DecodingError) -> (any FrameSource)?

    /// The final picture. Call it once, after an `update` with `isComplete`, or when no more bytes will come.
    func finish() throws(DecodingError) -> DecodedImage
}

extension ProgressiveDecoder {
    /// Nil: the format knows stills only.
    public func frames() throws(DecodingError) -> (any FrameSource)? { nil }
}
