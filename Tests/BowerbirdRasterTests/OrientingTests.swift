import BowerbirdCore
import BowerbirdRaster
import Testing

@Suite("Turning pictures upright")
struct OrientingTests {
    /// Each pixel says where it is stored.
    private func numbered(_ width: Int, _ height: Int, _ format: PixelFormat) throws -> Bitmap {
        var buffer = try makeBuffer(width, height, format)
        for y in 0..<height {
            buffer.withRow(y) { row in
                for x in 0..<width {
                    row.storeBytes(
                        of: UInt32(y << 16 | x), toByteOffset: x * format.bytesPerPixel, as: UInt32.self)
                }
            }
        }
        return buffer.freeze()
    }

    private func origin(_ bitmap: Bitmap, _ x: Int, _ y: Int) -> (x: Int, y: Int) {
        let value = bitmap.withUnsafeBytes {
            $0.loadUnaligned(fromByteOffset: y * bitmap.bytesPerRow + x * bitmap.format.bytesPerPixel, as: UInt32.self)
        }
        return (Int(value & 0xFFFF), Int(value >> 16))
    }

    /// Where the pixel shown at (x, y) is stored, from the words of the standard: what the stored first row and first
    /// column become.
    private func stored(_ x: Int, _ y: Int, _ orientation: Orientation, _ size: PixelSize) -> (x: Int, y: Int) {
        let (right, bottom) = (size.width - 1, size.height - 1)
        return switch orientation {
        case .topLeft: (x, y)
        case .topRight: (right - x, y)
        case .bottomRight: (right - x, bottom - y)
        case .bottomLeft: (x, bottom - y)
        case .leftTop: (y, x)
        case .rightTop: (y, bottom - x)
        case .rightBottom: (right - y, bottom - x)
        case .leftBottom: (right - y, x)
        }
    }

    @Test(arguments: Orientation.allCases, PixelFormat.allCases)
    func everyPixelGoesToItsPlace(orientation: Orientation, format: PixelFormat) throws {
        for size in [PixelSize(width: 1, height: 1), PixelSize(width: 71, height: 33), PixelSize(width: 3, height: 64)]
        {
            let picture = try numbered(size.width, size.height, format)
            let turned = try picture.oriented(orientation)
            #expect(turned.size == orientation.displayedSize(of: size) && turned.format == format)
            for y in 0..<turned.size.height {
                for x in 0..<turned.size.width where origin(turned, x, y) != stored(x, y, orientation, size) {
                    Issue.record("\(orientation) of \(size): (\(x), \(y))")
                    return
                }
            }
        }
    }

    @Test func whatIsUprightIsTheSameMemory() throws {
        let picture = try numbered(4, 4, .bgra8Premultiplied)
        #expect(try picture.oriented(.topLeft).isIdentical(to: picture))
    }
}
