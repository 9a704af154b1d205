import BowerbirdCore

/// One picture of a GIF file, as its descriptor and the graphic control before it say. Offsets are from the start of the
/// bytes that the picture is read from.
struct GIFFrame: Hashable, Sendable {
    /// On the canvas, and perhaps beyond it.
    var rect: PixelRect
    /// Where its own palette is; nil where it has that of the file.
    var palette: Range<Int>?
    var isInterlaced: Bool
    var control: GIFControl
    /// From the file; only 1 to 8 can be decoded.
    var minimumCodeSize: Int
    /// The first block of its data.
    var dataStart: Int
    /// Behind the block that ends its data; nil where that has not come.
    var dataEnd: Int?

    var hasAlpha: Bool { control.transparentIndex != nil || hasNoData }

    /// Nothing but the block that ends the data: nothing is drawn.
    private var hasNoData: Bool { dataEnd == dataStart + 1 }

    /// The part that is seen on the canvas.
    func fragment(on canvas: PixelSize) -> Fragment {
        Fragment(
            rect: rect.intersection(PixelRect(canvas)), disposal: control.disposal, delay: control.delay,
            hasAlpha: hasAlpha)
    }

    /// The same picture where only the bytes from `start` on are there.
    func moved(by start: Int) -> GIFFrame {
        var frame = self
        frame.palette = palette.map { $0.lowerBound - start..<$0.upperBound - start }
        frame.dataStart -= start
        frame.dataEnd = dataEnd.map { $0 - start }
        return frame
    }
}

/// How a picture is shown: the graphic control extension before it.
struct GIFControl: Hashable, Sendable {
    var disposal = Fragment.Disposal.keep
    var delay = Duration.zero
    /// The colour that is none.
    var transparentIndex: UInt8?

    init() {}

    /// From the four bytes of the block.
    init(_ flags: UInt8, delay: UInt16, index: UInt8) {
        // Some writers have 4 for what the standard numbers 3; browsers take both.
        disposal =
            switch flags >> 2 & 7 {
            case 2: .clear
            case 3, 4: .restore
            default: .keep
            }
        self.delay = .milliseconds(10 * Int(delay))
        transparentIndex = flags & 1 == 0 ? nil : index
    }
}
