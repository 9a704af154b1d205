import BowerbirdCore
import BowerbirdRaster

extension DecodedImage {
    /// The picture in the middle of a canvas of another size: what juts out is cut off, what is free is `background`.
    func recanvased(to canvas: PixelSize, background: Color) throws(ProcessingError) -> DecodedImage {
        let kept = size.clamped(to: canvas)
        let place = Anchor.center.rect(kept, in: canvas)
        return try placed(Anchor.center.rect(kept, in: size), atX: place.x, y: place.y, in: canvas, background)
    }

    /// `part` of the picture at (`x`, `y`) of a canvas that is `background` elsewhere. The part lies in both.
    func placed(
        _ part: PixelRect, atX x: Int, y: Int, in canvas: PixelSize, _ background: Color
    ) throws(ProcessingError) -> DecodedImage {
        guard part.size != canvas else { return try cropped(to: part) }
        let isOpaque = bitmap.isOpaque && background.alpha == 255
        return try redrawn(canvas, isOpaque: isOpaque) { source, pixels throws(ProcessingError) in
            let place = PixelRect(x: x, y: y, size: part.size)
            if background.alpha > 0 { try pixels.fill(around: place, with: background) }
            try pixels.copy(part, of: source, toX: x, y: y)
        }
    }
}

extension PixelBuffer {
    /// Lays `color` over every pixel that is not in `hole`, a part of the picture.
    mutating func fill(around hole: PixelRect, with color: Color) throws(ProcessingError) {
        let pixel = color.premultipliedPixel
        let width = size.width
        try size.forEachBand { rows in
            for row in rows {
                guard hole.rows.contains(row) else {
                    lay(pixel, over: 0..<width, ofRow: row)
                    continue
                }
                lay(pixel, over: 0..<hole.columns.lowerBound, ofRow: row)
                lay(pixel, over: hole.columns.upperBound..<width, ofRow: row)
            }
        }
    }

    /// Lays a premultiplied pixel over some of a row.
    mutating func lay(_ color: UInt32, over columns: Range<Int>, ofRow row: Int) {
        withRow(row) { bytes in bytes.lay(color, over: columns) }
    }
}

extension MutableRawSpan {
    /// Lays a premultiplied pixel over some of the pixels of a row.
    mutating func lay(_ color: UInt32, over columns: Range<Int>) {
        precondition(columns.lowerBound >= 0 && columns.upperBound * 4 <= byteCount)
        unsafe withUnsafeMutableBytes { bytes in
            // The columns lie in the row, as was checked above.
            let part = unsafe bytes[columns.lowerBound * 4..<columns.upperBound * 4]
            unsafe Covering.lay(color, over: UnsafeMutableRawBufferPointer(rebasing: part))
        }
    }
}
