import BowerbirdCore
import BowerbirdRaster

/// Where on a picture the copies of an overlay lie.
struct TileGrid {
    private let columns: TileAxis
    private let rows: TileAxis

    init(of layer: PixelSize, _ placement: Overlay.Placement, on picture: PixelSize) {
        let (anchor, offset, spacing) = placement.parts
        columns = TileAxis(
            length: layer.width, on: picture.width, anchor: anchor.x, offset: offset.x, spacing: spacing?.width)
        rows = TileAxis(
            length: layer.height, on: picture.height, anchor: anchor.y, offset: offset.y, spacing: spacing?.height)
    }

    /// Whether every pixel of the picture lies under the overlay.
    var coverEverything: Bool { columns.coversAll && rows.coversAll }

    /// `bytes` are those of `strip`, some rows of the picture.
    func draw(
        _ layer: Bitmap, _ blending: Blending, on bytes: UnsafeMutableRawBufferPointer, _ strip: Range<Int>
    ) {
        let bytesPerRow = columns.side * 4
        for row in strip {
            guard let layerRow = rows.place(of: row) else { continue }
            let start = (row - strip.lowerBound) * bytesPerRow
            let line = unsafe UnsafeMutableRawBufferPointer(rebasing: bytes[start..<start + bytesPerRow])
            unsafe draw(layer, row: layerRow, blending, on: line)
        }
    }

    /// `line` is a row of the picture; each copy is cut to it.
    private func draw(_ layer: Bitmap, row: Int, _ blending: Blending, on line: UnsafeMutableRawBufferPointer) {
        unsafe layer.withUnsafeBytes { pixels in
            let first = row * layer.bytesPerRow
            for start in columns.starts {
                let visible = (start..<start + columns.length).clamped(to: 0..<columns.side)
                guard !visible.isEmpty else { continue }
                let source = first + (visible.lowerBound - start) * 4..<first + (visible.upperBound - start) * 4
                unsafe blending.blend(
                    UnsafeRawBufferPointer(rebasing: pixels[source]),
                    on: UnsafeMutableRawBufferPointer(rebasing: line[visible.lowerBound * 4..<visible.upperBound * 4]))
            }
        }
    }
}

/// The copies along one side of the picture. A single one counts as one of many that are too far apart to be seen.
private struct TileAxis {
    /// Farther than any picture is wide, and so little that sums of a few of them never overflow.
    private static let farAway = 1 << 40

    /// Of one copy.
    let length: Int
    /// Of the picture.
    let side: Int
    private let first: Int
    private let period: Int

    init(length: Int, on side: Int, anchor: Double, offset: Int, spacing: Int?) {
        self.length = length
        self.side = side
        let place = Self.limited((anchor * Double(side - length)).rounded())
        first = place + min(max(offset, -Self.farAway), Self.farAway)
        period = length + min(spacing ?? .max, 4 * Self.farAway)
    }

    private static func limited(_ place: Double) -> Int {
        Int(min(max(place, -Double(farAway)), Double(farAway)))
    }

    /// Where copies begin; the first may lie wholly before the picture.
    var starts: StrideTo<Int> { stride(from: remainder(first) - period, to: side, by: period) }

    var coversAll: Bool { period == length || (first <= 0 && first + length >= side) }

    /// Which pixel of a copy lies on this one.
    func place(of pixel: Int) -> Int? {
        let distance = remainder(pixel - first)
        return distance < length ? distance : nil
    }

    private func remainder(_ place: Int) -> Int {
        let remainder = place % period
        return remainder < 0 ? remainder + period : remainder
    }
}

extension Overlay.Placement {
    /// Without spacing there is one copy.
    fileprivate var parts: (anchor: UnitPoint, offset: Overlay.Offset, spacing: PixelSize?) {
        switch self {
        case .once(let anchor, let offset): (anchor, offset, nil)
        case .tiled(let anchor, let offset, let spacing): (anchor, offset, spacing)
        case .stretched: (.topLeft, .zero, nil)
        }
    }
}
