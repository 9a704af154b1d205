import BowerbirdCore
import BowerbirdRaster

/// A picture as GIF can have it: each pixel a colour without alpha, `0xFFrrggbb`, or nothing, 0.
struct GIFPixels {
    static let nothing: UInt32 = 0

    let size: PixelSize
    private(set) var values: [UInt32]

    /// Nothing anywhere.
    init(_ size: PixelSize) {
        self.size = size
        values = Array(repeating: Self.nothing, count: size.pixelCount)
    }

    /// What is at least half opaque becomes wholly so, in its straight colour.
    init(_ bitmap: Bitmap) {
        self.init(bitmap.size)
        let format = bitmap.format
        values.withUnsafeMutableBufferPointer { values in
            bitmap.withUnsafeBytes { bytes in
                switch format {
                case .bgra8Premultiplied: Self.read(bgra: bytes, into: values)
                case .rgba8Straight: Self.read(rgba: bytes, into: values)
                case .rgba16Straight: Self.read(deep: bytes.assumingMemoryBound(to: UInt16.self), into: values)
                }
            }
        }
    }

    private static func read(bgra bytes: UnsafeRawBufferPointer, into values: UnsafeMutableBufferPointer<UInt32>) {
        for index in values.indices {
            let pixel = UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: 4 * index, as: UInt32.self))
            values[index] = pixel >> 24 == 255 ? pixel : straight(pixel)
        }
    }

    private static func straight(_ pixel: UInt32) -> UInt32 {
        let alpha = pixel >> 24
        guard alpha >= 128 else { return nothing }
        return [0, 8, 16].reduce(0xFF00_0000) { result, shift in
            let component = (pixel >> shift & 255) * 255 + alpha / 2
            return result | min(255, component / alpha) << shift
        }
    }

    private static func read(rgba bytes: UnsafeRawBufferPointer, into values: UnsafeMutableBufferPointer<UInt32>) {
        for index in values.indices {
            let pixel = UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: 4 * index, as: UInt32.self))
            values[index] = pixel & 255 >= 128 ? 0xFF00_0000 | pixel >> 8 : nothing
        }
    }

    private static func read(
        deep components: UnsafeBufferPointer<UInt16>, into values: UnsafeMutableBufferPointer<UInt32>
    ) {
        for index in values.indices where components[4 * index + 3] >= 32768 {
            values[index] = (0..<3).reduce(0xFF) { $0 << 8 | (UInt32(components[4 * index + $1]) + 128) / 257 }
        }
    }
}

// MARK: What an animation asks

extension GIFPixels {
    /// The smallest rectangle with all pixels that are not those of `other`; nil where there are none.
    func difference(to other: GIFPixels) -> PixelRect? {
        let width = size.width
        var (left, right, top, bottom) = (width, -1, size.height, -1)
        values.withUnsafeBufferPointer { ours in
            other.values.withUnsafeBufferPointer { theirs in
                for y in 0..<size.height {
                    let row = y * width..<(y + 1) * width
                    guard let first = row.first(where: { ours[$0] != theirs[$0] }) else { continue }
                    let last = row.last { ours[$0] != theirs[$0] } ?? first
                    (left, right) = (min(left, first - row.lowerBound), max(right, last - row.lowerBound))
                    (top, bottom) = (min(top, y), y)
                }
            }
        }
        guard bottom >= 0 else { return nil }
        return PixelRect(x: left, y: top, size: PixelSize(width: right - left + 1, height: bottom - top + 1))
    }

    /// Whether a pixel that is something here is nothing in `next`.
    func hasMore(than next: GIFPixels) -> Bool {
        values.withUnsafeBufferPointer { ours in
            next.values.withUnsafeBufferPointer { theirs in
                ours.indices.contains { theirs[$0] == Self.nothing && ours[$0] != Self.nothing }
            }
        }
    }

    /// The part in `rect`.
    func part(_ rect: PixelRect) -> GIFPixels {
        var part = GIFPixels(rect.size)
        for (row, y) in rect.rows.enumerated() {
            let source = y * size.width + rect.x
            let target = row * rect.size.width
            part.values.replaceSubrange(
                target..<target + rect.size.width, with: values[source..<source + rect.size.width])
        }
        return part
    }

    /// The same with nothing where it is like `other`, which is of the same size.
    func without(_ other: GIFPixels) -> GIFPixels {
        var rest = self
        rest.values.withUnsafeMutableBufferPointer { rest in
            other.values.withUnsafeBufferPointer { other in
                for index in rest.indices where rest[index] == other[index] { rest[index] = Self.nothing }
            }
        }
        return rest
    }

    /// In the order of an interlaced file.
    var interlaced: GIFPixels {
        var result = self
        let order = GIFInterlacing(height: size.height)
        for y in 0..<size.height {
            let target = order.storedRow(y) * size.width
            result.values.replaceSubrange(
                target..<target + size.width, with: values[y * size.width..<(y + 1) * size.width])
        }
        return result
    }
}
