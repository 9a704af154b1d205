import BowerbirdCore

/// Reads the pixels of single fragments, in any order; any thread may call it, one at a time.
protocol FragmentReader: Sendable {
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
    private let progress = Lock(Progress())

    /// Where the canvas is. A frame costs all that lie between, so the canvas is kept for the next call.
    private struct Progress {
        var compositor: FrameCompositor?
        /// The frame that the canvas shows; meaningless without one.
        var index = 0
    }

    /// - Parameter header: Of the file; its size is the canvas's.
    init(
        _ header: ImageHeader, _ fragments: [Fragment], loopCount: LoopCount, _ options: DecodingOptions,
        _ reader: any FragmentReader
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
    }

    func frame(at index: Int) throws(DecodingError) -> Bitmap {
        precondition(fragments.indices.contains(index), "frame \(index) of \(fragments.count)")
        let canvas = try progress.withLock { progress throws(DecodingError) in
            try compose(index, &progress)
        }
        return try finishing.finish(canvas)
    }

    private func compose(_ index: Int, _ progress: inout Progress) throws(DecodingError) -> Bitmap {
        let next = try firstToDraw(for: index, &progress)
        guard let compositor = progress.compositor else { throw .outOfMemory(canvasSize) }
        // A frame that throws leaves no canvas behind: the next call begins anew.
        progress.compositor = nil
        for frame in next..<index + 1 {
            try DecodingError.checkCancellation()
            try compositor.add(fragments[frame], reader.pixels(ofFragment: frame))
        }
        let picture = try compositor.frame(isOpaque: isOpaque(index))
        progress.index = index
        progress.compositor = compositor
        return picture
    }

    /// Makes a canvas where there is none that `index` can be reached from.
    private func firstToDraw(for index: Int, _ progress: inout Progress) throws(DecodingError) -> Int {
        let start = startingPoints[index]
        if progress.compositor != nil, progress.index <= index, progress.index >= start { return progress.index + 1 }
        progress.compositor = FrameCompositor(size: canvasSize, format: format)
        return start
    }

    /// Known without looking at the pixels where an opaque fragment covers the canvas.
    private func isOpaque(_ index: Int) -> Bool {
        fragments[index].rect.contains(PixelRect(canvasSize)) && !fragments[index].hasAlpha
    }

    /// A frame is independent when it covers all of the canvas and hides what was there, or when the one before left the
    /// canvas empty.
    static func startingPoints(of fragments: [Fragment], on canvas: PixelSize) -> [Int] {
        let whole = PixelRect(canvas)
        var nearest = 0
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
