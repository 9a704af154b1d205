import BowerbirdCore
import BowerbirdTestSupport

/// Frames of 2 × 2 pixels whose first byte is their index; counts what is asked for.
final class ScriptedFrames: FrameSource {
    let size: PixelSize
    let delays: [Duration]
    let loopCount: LoopCount
    private let failures: [Int: DecodingError]
    private let asked = Lock<[Int]>([])
    private let onDecode = Lock<@Sendable (Int) -> Void>({ _ in })

    init(
        _ count: Int, side: Int = 2, delay: Duration = .milliseconds(100), loopCount: LoopCount = .forever,
        failures: [Int: DecodingError] = [:]
    ) {
        size = PixelSize(width: side, height: side)
        delays = Array(repeating: delay, count: count)
        self.loopCount = loopCount
        self.failures = failures
    }

    /// In the order of asking.
    var decoded: [Int] { asked.withLock { $0 } }

    /// What happens while a frame is being decoded, on the thread that decodes it.
    func whileDecoding(_ body: @escaping @Sendable (Int) -> Void) { onDecode.withLock { $0 = body } }

    func frame(at index: Int) throws(DecodingError) -> Bitmap {
        asked.withLock { $0.append(index) }
        onDecode.withLock { $0 }(index)
        if Task.isCancelled { throw .cancelled }
        if let failure = failures[index] { throw failure }
        return try Self.bitmap(index, side: size.width)
    }

    static func bitmap(_ index: Int, side: Int = 2) throws(DecodingError) -> Bitmap {
        let size = PixelSize(width: side, height: side)
        guard var buffer = PixelBuffer(size: size) else { throw .outOfMemory(size) }
        buffer.withRow(0) { $0.storeBytes(of: UInt8(index & 0xFF), toByteOffset: 0, as: UInt8.self) }
        return buffer.freeze()
    }
}

extension Bitmap {
    /// The index that `ScriptedFrames` wrote.
    var frameNumber: Int? { withRow(0) { $0.byte(at: 0) }.map(Int.init) }
}
