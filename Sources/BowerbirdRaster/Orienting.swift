package import BowerbirdCore

extension Bitmap {
    /// The picture as it is looked at, when this is how it is stored. Any pixel format; itself where nothing turns.
    package func oriented(_ orientation: Orientation) throws(RasterError) -> Bitmap {
        guard orientation != .topLeft else { return self }
        let size = orientation.displayedSize(of: self.size)
        guard var result = PixelBuffer(size: size, format: format, isOpaque: isOpaque) else {
            throw .outOfMemory(size)
        }
        switch format {
        case .bgra8Premultiplied, .rgba8Straight:
            try Turn(orientation, from: self.size, to: size).run(self, into: &result)
        case .rgba16Straight:
            try turn(into: &result, orientation, of: UInt64.self)
        }
        return result.freeze()
    }

    /// Blocks of a side that keep both pictures' rows in the nearest cache, whichever way they run.
    private static var blockSide: Int { 32 }

    private func turn<Pixel: BitwiseCopyable>(
        into result: inout PixelBuffer, _ orientation: Orientation, of pixel: Pixel.Type
    ) throws(RasterError) {
        let walk = SourceWalk(orientation, of: size)
        let size = result.size
        try unsafe withUnsafeBytes { source throws(RasterError) in
            try unsafe result.withUnsafeMutableBytes { destination throws(RasterError) in
                let source = unsafe source.assumingMemoryBound(to: Pixel.self)
                let destination = unsafe destination.assumingMemoryBound(to: Pixel.self)
                for top in stride(from: 0, to: size.height, by: Self.blockSide) {
                    guard !Task.isCancelled else { throw .cancelled }
                    for left in stride(from: 0, to: size.width, by: Self.blockSide) {
                        let columns = left..<min(left + Self.blockSide, size.width)
                        for row in top..<min(top + Self.blockSide, size.height) {
                            unsafe walk.copy(row, columns, width: size.width, from: source, to: destination)
                        }
                    }
                }
            }
        }
    }
}

/// Where in the stored picture the pixels of the displayed one are: the index of its first pixel, and the steps that
/// one column to the right and one row down are there. Rows of pictures have no gaps.
private struct SourceWalk {
    let origin: Int
    let column: Int
    let row: Int

    init(_ orientation: Orientation, of stored: PixelSize) {
        let right = stored.width - 1
        let bottom = (stored.height - 1) * stored.width
        let down = stored.width
        (origin, column, row) =
            switch orientation {
            case .topLeft: (0, 1, down)
            case .topRight: (right, -1, down)
            case .bottomRight: (bottom + right, -1, -down)
            case .bottomLeft: (bottom, 1, -down)
            case .leftTop: (0, down, 1)
            case .rightTop: (bottom, -down, 1)
            case .rightBottom: (bottom + right, -down, -1)
            case .leftBottom: (right, down, -1)
            }
    }

    @inline(__always)
    func copy<Pixel: BitwiseCopyable>(
        _ row: Int, _ columns: Range<Int>, width: Int,
        from source: UnsafeBufferPointer<Pixel>, to destination: UnsafeMutableBufferPointer<Pixel>
    ) {
        var index = origin + row * self.row + columns.lowerBound * column
        let rowStart = row * width
        for x in columns {
            unsafe destination[rowStart + x] = unsafe source[index]
            index += column
        }
    }
}
