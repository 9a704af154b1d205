import BowerbirdCore
import BowerbirdTestSupport
import Dispatch
import Synchronization

@testable import BowerbirdLoading

/// A picture of one pixel that nobody else has, with the cost 10 unless more is said.
func pixel(
    cost: Int = 10, expiry: CacheExpiry? = nil, frames: (any FrameSource)? = nil
) throws -> CachedImage {
    let bitmap = try PixelBuffer.make(1, 1).freeze()
    let header = ImageHeader(format: .png, storedSize: bitmap.size)
    return CachedImage(DecodedImage(bitmap: bitmap, header: header, frames: frames), cost: cost, expiry: expiry)
}

extension MemoryCache {
    /// One that nobody tells of pressure, and that keeps whatever fits.
    convenience init(cost: Int = 1 << 40, count: Int = .max, expiry: CacheExpiry = .never, _ clock: ManualClock) {
        let limits = Limits(cost: cost, count: count, expiry: expiry, maximumEntryShare: 1)
        self.init(limits: limits, monitor: nil, clock: clock)
    }

    convenience init(cost: Int = 1 << 40, count: Int = .max) { self.init(cost: cost, count: count, ManualClock()) }

    /// Each with the cost 10, in this order.
    func fill(_ keys: String...) throws {
        for key in keys { store(try pixel(), for: CacheKey(key)) }
    }

    /// Those of a to f that are there. None becomes newer.
    var letters: String { "abcdef".filter { contains(CacheKey("\($0)")) } }
}

/// Frames that keep so much, and say on which thread they go.
final class HeavyFrames: FrameSource {
    let byteCount: Int
    let size = PixelSize(width: 1, height: 1)
    let delays = [Duration.milliseconds(100)]
    let loopCount = LoopCount.forever
    private let onDeinit: @Sendable () -> Void

    init(byteCount: Int = 0, onDeinit: @escaping @Sendable () -> Void = {}) {
        self.byteCount = byteCount
        self.onDeinit = onDeinit
    }

    deinit { onDeinit() }

    func frame(at index: Int) throws(DecodingError) -> Bitmap { throw .outOfMemory(size) }
}
