import BowerbirdCodecs
import BowerbirdCore

/// Frames of few colours: a square that moves over patches, some of them half transparent, and a hole that comes and goes.
struct SampleFilm: FrameSource {
    let pictures: [Bitmap]
    let delays: [Duration]
    var loopCount = LoopCount.forever

    var size: PixelSize { pictures[0].size }

    private static let delays = [20, 30, 50, 70, 100, 110, 40, 200, 1000, 60, 90, 500]

    /// - Parameter hasHalves: Whether some pixels are half transparent; else each is there or not.
    init(frameCount: Int = 12, hasHalves: Bool = true) throws {
        pictures = try (0..<frameCount).map { try Self.picture($0, hasHalves: hasHalves) }
        delays = (0..<frameCount).map { .milliseconds(Self.delays[$0 % Self.delays.count]) }
    }

    func frame(at index: Int) throws(DecodingError) -> Bitmap { pictures[index] }

    private static func picture(_ index: Int, hasHalves: Bool) throws -> Bitmap {
        try paint(40, 30, isOpaque: false) { x, y in
            let isSquare = (2 * index..<2 * index + 6).contains(x) && (index..<index + 6).contains(y)
            if isSquare { return [200, 20 * index, 40, 255] }
            if x >= 30, y < 9 { return index % 3 == 1 ? [0, 0, 0, 0] : [10, 20, 30, 255] }
            if x < 8, y >= 20 { return [0, 0, 0, 0] }
            let isHalf = hasHalves && x >= 32 && y >= 20
            return [x / 8 * 50, y / 6 * 50, 90, isHalf ? 128 : 255]
        }
    }
}

/// Two large pictures of one colour and a small square each, by turns.
struct LongFilm: FrameSource {
    let pictures: [Bitmap]
    let delays: [Duration]
    let loopCount = LoopCount.forever

    static let size = PixelSize(width: 960, height: 540)

    var size: PixelSize { Self.size }

    init(frameCount: Int) throws {
        pictures = try (0..<2).map { try Self.picture($0) }
        delays = Array(repeating: .milliseconds(40), count: frameCount)
    }

    func frame(at index: Int) throws(DecodingError) -> Bitmap { pictures[index % 2] }

    private static func picture(_ index: Int) throws -> Bitmap {
        var buffer = try makeBuffer(size.width, size.height, .rgba8Straight, isOpaque: true)
        buffer.withUnsafeMutableBytes { bytes in
            _ = bytes.initializeMemory(as: UInt32.self, repeating: 0xFF40_8020)
        }
        for y in 100..<116 {
            buffer.withRow(y) { row in
                for x in 0..<16 {
                    let offset = 4 * (100 + 40 * index + x)
                    row.storeBytes(of: UInt32(0xFF00_00FF), toByteOffset: offset, as: UInt32.self)
                }
            }
        }
        return buffer.freeze()
    }
}
