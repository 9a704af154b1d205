import Bowerbird

/// An animation in which little changes from one frame to the next, like recordings of screens.
struct MovingSquare: FrameSource {
    let delays: [Duration]
    let loopCount = LoopCount.forever
    private let background: Bitmap

    private static let side = 96

    init(frameCount: Int, in size: PixelSize) throws {
        delays = Array(repeating: .milliseconds(40), count: frameCount)
        background = try FlatPicture.bitmap(in: size)
    }

    var size: PixelSize { background.size }

    func frame(at index: Int) throws(DecodingError) -> Bitmap {
        guard var buffer = PixelBuffer(copying: background) else { throw .outOfMemory(size) }
        let left = index * 24 % (size.width - Self.side)
        let top = index * 8 % (size.height - Self.side)
        for row in top..<top + Self.side {
            buffer.withRow(row) { bytes in
                bytes.withUnsafeMutableBytes { bytes in
                    let square = bytes[4 * left..<4 * (left + Self.side)]
                    UnsafeMutableRawBufferPointer(rebasing: square).initializeMemory(as: UInt8.self, repeating: 255)
                }
            }
        }
        return buffer.freeze()
    }
}
