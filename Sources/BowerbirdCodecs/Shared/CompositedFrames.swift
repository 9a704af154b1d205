import BowerbirdCore

/// Reads the pixels of single fragments, in any order; any thread may call it, one at a time.
protocol FragmentReader: Sendable {
    /// What it keeps of the file.
    var byteCount: Int { get }

    /// The pixels of a fragment in the size of its rectangle, in the format that the frames are composed in.
    func pixels(ofFragment index: Int) throws(DecodingError) -> Bitmap
}

/// The frames of a format whose files hold fragments: composed on a canvas in order, from the nearest frame that needs
/// none of those before it. Keeps one canvas and at most one more, however many frames there are.
final class CompositedFrames: FrameSource {
    let size: PixelSize
    let delays: [Duration]
    let loopCount: LoopCount

    private let fragments: [Fragment]
    /// For each frame the nearest one, itself or before it, that does not depend on others.
    private let startingPoints: [Int]
    private let canvasSize: PixelSize
    private let format: PixelFormat
    private let reader: any FragmentReader
    private let finishing: Finishing
    private let canvas: Canvas

    /// - Parameters:
    ///   - header: Of the file; its size is the canvas's.
    ///   - earlier: The frames of the same file when fewer of them had arrived: whoever played those goes on with
    ///     these without composing them again.
    init(
        _ header: ImageHeader, _ fragments: [Fragment], loopCount: LoopCount, _ options: DecodingOptions,
        _ reader: any FragmentReader, continuing earlier: CompositedFrames? = nil
    ) {
        precondition(!fragments.isEmpty)
        let finishing = Finishing(header, options)
        self.finishing = finishing
        size = finishing.size
        canvasSize = header.storedSize
        format = options.pixels.format(bitsPerComponent: header.bitsPerComponent)
        delays = fragments.map { FrameDelay.shown($0.delay) }
        self.loopCount = loopCount
        self.fragments = fragments
        startingPoints = Self.startingPoints(of: fragments, on: header.storedSize)
        self.reader = reader
        canvas = earlier?.canvas ?? Canvas()
    }

    /// The file, a canvas, and what a fragment that is undone has hidden.
    var byteCount: Int {
        let canvasCount = fragments.contains { $0.disposal == .restore } ? 2 : 1
        return reader.byteCount + canvasCount * format.byteCount(of: canvasSize)
    }

    func frame(at index: Int) throws(DecodingError) -> Bitmap {
        precondition(fragments.indices.contains(index), "frame \(index) of \(fragments.count)")
        let picture = try canvas.progress.withLock { progress throws(DecodingError) in
            try compose(index, &progress)
        }
        return try finishing.finish(picture)
    }

    private func compose(_ index: Int, _ progress: inout Progress) throws(DecodingError) -> Bitmap {
        for frame in firstToDraw(for: index, &progress)..<index + 1 {
            try DecodingError.checkCancellation()
            try advance(to: frame, isShown: frame == index, &progress)
        }
        guard let compositor = progress.compositor else { throw .outOfMemory(canvasSize) }
        return try compositor.frame()
    }

    /// Makes the canvas forget what `index` cannot be reached from.
    private func firstToDraw(for index: Int, _ progress: inout Progress) -> Int {
        let start = startingPoints[index]
        let isOnTheWay = progress.index < index || progress.index == index && progress.isShown
        if progress.compositor != nil, isOnTheWay, progress.index >= start { return progress.index + 1 }
        progress.compositor = nil
        return start
    }

    /// One frame further. A fragment that cannot be read leaves the canvas where it was.
    private func advance(to index: Int, isShown: Bool, _ progress: inout Progress) throws(DecodingError) {
        let fragment = fragments[index]
        let isPassed = !isShown && fragment.disposal != .keep
        let isVisible = !fragment.rect.intersection(PixelRect(canvasSize)).isEmpty
        let pixels = isPassed || !isVisible ? nil : try reader.pixels(ofFragment: index)
        guard let compositor = progress.compositor.take() ?? FrameCompositor(size: canvasSize, format: format) else {
            throw .outOfMemory(canvasSize)
        }
        if isPassed { try compositor.pass(fragment) } else { try compositor.add(fragment, pixels) }
        progress = Progress(compositor: compositor, index: index, isShown: !isPassed)
    }

    /// Where the canvas is. A frame costs all that lie between, so the canvas is kept for the next call.
    private struct Progress {
        var compositor: FrameCompositor?
        /// The last frame that was laid on the canvas, or passed.
        var index = 0
        /// Whether the canvas shows that frame.
        var isShown = false
    }

    private final class Canvas: Sendable {
        let progress = Lock(Progress())
    }

    /// A frame is independent when it covers all of the canvas and hides what was there, or when the one before left the
    /// canvas empty. One that is undone is not: what it brings back was there before it.
    static func startingPoints(of fragments: [Fragment], on canvas: PixelSize) -> [Int] {
        let whole = PixelRect(canvas)
        var nearest = 0
        // Whether the canvas is empty before the fragment.
        var leavesNothing = true
        return fragments.indices.map { index in
            let fragment = fragments[index]
            let isWhole = fragment.rect.contains(whole)
            let hidesAll = isWhole && (fragment.blend == .source || !fragment.hasAlpha) && fragment.disposal != .restore
            if leavesNothing || hidesAll { nearest = index }
            leavesNothing =
                fragment.disposal == .clear && isWhole
                || fragment.disposal == .restore && leavesNothing
                || fragment.disposal == .clear && leavesNothing
            return nearest
        }
    }
}

extension DecodingOptions.Pixels {
    /// The layout of decoded pixels for a file of this depth.
    func format(bitsPerComponent: Int) -> PixelFormat {
        switch self {
        case .display: .bgra8Premultiplied
        case .exact: bitsPerComponent > 8 ? .rgba16Straight : .rgba8Straight
        }
    }
}
