import BowerbirdCore

/// The frames of an animation on their way into a file: each as the rectangle that differs from what is on the canvas.
///
/// A frame is written when the next one is known: where that has less than it, which nothing laid over it can bring about,
/// all of it is taken away before.
struct GIFAnimation {
    private var writer: GIFWriter
    private let options: EncodingOptions
    private let delays: [Int]
    private let loopCount: LoopCount
    /// Of the first frame, and of those that need no other colours.
    private var palette = GIFPalette()
    /// What is there before `waiting` is drawn.
    private var canvas: GIFPixels
    private var waiting: GIFPixels?
    private var writtenCount = 0

    init(_ writer: GIFWriter, _ size: PixelSize, _ frames: any FrameSource, _ options: EncodingOptions) {
        self.writer = writer
        self.options = options
        self.delays = Self.hundredths(frames.delays)
        loopCount = frames.loopCount
        canvas = GIFPixels(size)
    }

    mutating func add(_ pixels: GIFPixels) throws(EncodingError) {
        if let waiting {
            let isTakenAway = waiting.hasMore(than: pixels)
            try write(waiting, isTakenAway: isTakenAway)
            canvas = isTakenAway ? GIFPixels(pixels.size) : waiting
        }
        waiting = pixels
    }

    mutating func finish() throws(EncodingError) -> EncodedImage {
        if let waiting { try write(waiting, isTakenAway: false) }
        return try writer.file()
    }

    private mutating func write(_ frame: GIFPixels, isTakenAway: Bool) throws(EncodingError) {
        let rect = rect(of: frame, isTakenAway: isTakenAway)
        let part = frame.part(rect)
        if writtenCount == 0 { palette = GIFPalette(leavingRoomBeside: part) ?? palette }
        let picture = try IndexedPicture(
            part.without(canvas.part(rect)), instead: part, shared: &palette, options)
        if writtenCount == 0 { writer.writeBeginning(frame.size, palette, loopCount, options) }
        var control = GIFControl()
        control.disposal = isTakenAway ? .clear : .keep
        control.delay = .milliseconds(10 * delays[writtenCount])
        writer.write(
            picture, rect, control, hasOwnPalette: picture.palette.colors != palette.colors, isInterlaced: false)
        writtenCount += 1
    }

    /// All of the first frame, so that nobody mistakes the size of the picture; of one that is taken away all that there
    /// is, because no more than its rectangle will be; of others what is new.
    private func rect(of frame: GIFPixels, isTakenAway: Bool) -> PixelRect {
        if writtenCount == 0 { return PixelRect(frame.size) }
        let rect = isTakenAway ? frame.difference(to: GIFPixels(frame.size)) : frame.difference(to: canvas)
        return rect ?? PixelRect(PixelSize(width: 1, height: 1))
    }

    /// Rounded so that the sum is kept, but for delays that are brought into the range that can be written and is shown.
    static func hundredths(_ delays: [Duration]) -> [Int] {
        var owed = Duration.zero
        return delays.map { delay in
            let wanted = delay + owed
            let rounded = (wanted / .milliseconds(10)).rounded()
            let written = min(max(rounded, 2), Double(UInt16.max))
            owed = written == rounded ? wanted - .milliseconds(10 * Int(written)) : .zero
            return Int(written)
        }
    }
}

extension GIFPalette {
    /// The colours of a first frame, and nothing, for what later frames leave as it is; nil where they are too many.
    fileprivate init?(leavingRoomBeside pixels: GIFPixels) {
        self.init()
        guard insert(pixels) != nil, insert(GIFPixels.nothing) != nil else { return nil }
    }
}
