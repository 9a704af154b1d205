import Bowerbird

/// The frames of another source; tells when one is asked for.
struct WatchedFrames: FrameSource {
    let source: any FrameSource
    /// Called with the number of the frame, counted from 0.
    let onFrame: @Sendable (Int) -> Void

    var size: PixelSize { source.size }
    var delays: [Duration] { source.delays }
    var loopCount: LoopCount { source.loopCount }
    var byteCount: Int { source.byteCount }

    func frame(at index: Int) throws(DecodingError) -> Bitmap {
        onFrame(index)
        return try source.frame(at: index)
    }
}
