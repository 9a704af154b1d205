/// The frames of one animated file, made when they are asked for. Immutable: of a file that is still arriving, a longer
/// one replaces it.
///
/// Any thread may ask, several at once; each call blocks for as long as the work takes, and looks at `Task.isCancelled`.
/// Asking in order is cheapest. What is kept between calls is bounded, however many frames there are.
public protocol FrameSource: Sendable {
    /// The size of every frame, upright and scaled as `DecodingOptions` asked for.
    var size: PixelSize { get }

    /// How long each frame is shown; its count is that of the frames, at least 1. Those that nobody could see have
    /// become the usual 100 ms, see `FrameDelay`.
    var delays: [Duration] { get }

    /// How often the file wants to be played.
    var loopCount: LoopCount { get }

    /// One whole picture as it is looked at: what earlier frames left is in it. Traps when `index` is not one of
    /// `delays`. A damaged frame throws; those before it can still be had.
    func frame(at index: Int) throws(DecodingError) -> Bitmap

    /// The memory that it keeps or will keep while frames are asked for, in bytes: its file, and what it composes on.
    /// What a cache counts of it; 0 unless it is said.
    var byteCount: Int { get }
}

extension FrameSource {
    public var byteCount: Int { 0 }
    /// How many frames there are.
    public var frameCount: Int { delays.count }
    /// The time that one round takes.
    public var duration: Duration { delays.reduce(.zero, +) }
}

/// The one rule for the time that a frame is shown.
public enum FrameDelay {
    /// Files made long ago ask for no delay, or one that no screen can show, and mean “as usual”: what is under 11 ms
    /// becomes 100 ms, as in browsers and SDWebImage.
    public static func shown(_ asked: Duration) -> Duration { asked < .milliseconds(11) ? .milliseconds(100) : asked }
}
