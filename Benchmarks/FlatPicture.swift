import Bowerbird

/// A drawing in sixteen colours without shades, as diagrams and logos are: tiles with discs.
enum FlatPicture {
    private static let tileSide = 160
    private static let radius = 60

    static func bitmap(in size: PixelSize) throws -> Bitmap {
        guard var buffer = PixelBuffer(size: size, isOpaque: true) else { throw CannotMeasure("there is no memory") }
        buffer.withUnsafeMutableBytes { bytes in
            let pixels = bytes.assumingMemoryBound(to: UInt32.self)
            for y in 0..<size.height {
                for x in 0..<size.width { pixels[y * size.width + x] = color(x, y) }
            }
        }
        return buffer.freeze()
    }

    private static func color(_ x: Int, _ y: Int) -> UInt32 {
        let tile = x / tileSide + 7 * (y / tileSide)
        let (right, down) = (x % tileSide - tileSide / 2, y % tileSide - tileSide / 2)
        let isInDisc = right * right + down * down < radius * radius
        let number = UInt32(truncatingIfNeeded: isInDisc ? tile * 5 + 3 : tile) & 15
        return 0xFF00_0000 | number * 0x0F_1D_2B & 0xFF_FFFF
    }
}
