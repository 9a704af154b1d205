/// The frames of a source that are there, and those that cannot be had.
struct FrameSlots: Sendable {
    private var slots: [Slot]
    private(set) var heldCount = 0
    private(set) var byteCount = 0
    private var emptyCount: Int
    /// What a frame takes: what its size says until one has been seen.
    private(set) var frameByteCount: Int
    /// Counts the uses, to tell which frame was used last.
    private var time: UInt64 = 0

    private enum Slot: Sendable {
        case empty
        case held(Bitmap, lastUse: UInt64)
        case failed(DecodingError)

        var byteCount: Int? { if case .held(let bitmap, _) = self { bitmap.byteCount } else { nil } }
        var lastUse: UInt64 { if case .held(_, let lastUse) = self { lastUse } else { 0 } }
        var isEmpty: Bool { if case .empty = self { true } else { false } }
    }

    init(_ source: any FrameSource) {
        slots = Array(repeating: .empty, count: source.frameCount)
        emptyCount = slots.count
        let (pixels, isHuge) = source.size.width.multipliedReportingOverflow(by: source.size.height)
        let (bytes, isLarge) = pixels.multipliedReportingOverflow(by: PixelFormat.bgra8Premultiplied.bytesPerPixel)
        frameByteCount = isHuge || isLarge ? .max : bytes
    }

    var count: Int { slots.count }
    /// Whether nothing is left to be decoded.
    var isSettled: Bool { emptyCount == 0 }
    var bitmaps: [Bitmap] { slots.indices.compactMap { bitmap(at: $0) } }

    func bitmap(at index: Int) -> Bitmap? {
        if slots.indices.contains(index), case .held(let bitmap, _) = slots[index] { bitmap } else { nil }
    }

    func failure(at index: Int) -> DecodingError? {
        if slots.indices.contains(index), case .failed(let error) = slots[index] { error } else { nil }
    }

    func readiness(of index: Int) -> FrameReadiness {
        guard slots.indices.contains(index) else { return .waiting }
        return switch slots[index] {
        case .empty: .waiting
        case .held: .ready
        case .failed: .failed
        }
    }

    func indexes(where matches: (FrameReadiness) -> Bool) -> [Int] {
        slots.indices.filter { matches(readiness(of: $0)) }
    }

    /// Nothing happens where there is no such frame.
    mutating func keep(_ bitmap: Bitmap, at index: Int) {
        frameByteCount = heldCount == 0 ? bitmap.byteCount : max(frameByteCount, bitmap.byteCount)
        set(.held(bitmap, lastUse: nextTime()), at: index)
    }

    mutating func fail(_ error: DecodingError, at index: Int) { set(.failed(error), at: index) }

    /// It is the last to be dropped now.
    mutating func use(_ index: Int) {
        if let bitmap = bitmap(at: index) { set(.held(bitmap, lastUse: nextTime()), at: index) }
    }

    /// For a file that grows: those that failed may have been cut off.
    mutating func grow(to count: Int) {
        forgetFailures { _ in true }
        emptyCount += count - slots.count
        slots += Array(repeating: .empty, count: count - slots.count)
    }

    mutating func forgetFailures(where matches: (DecodingError) -> Bool) {
        for index in slots.indices where failure(at: index).map(matches) == true { set(.empty, at: index) }
    }

    /// Drops those that were not used for longest, until no more than `limit` are held; none of `kept`, nor the first.
    mutating func drop(downTo limit: Int, keeping kept: [Int]) -> [Bitmap] {
        guard heldCount > limit else { return [] }
        var isKept = Array(repeating: false, count: slots.count)
        for index in kept + [0] { isKept[index] = true }
        let others = indexes { $0 == .ready }.filter { !isKept[$0] }.sorted { slots[$0].lastUse < slots[$1].lastUse }
        return others.prefix(heldCount - limit).compactMap { index in
            defer { set(.empty, at: index) }
            return bitmap(at: index)
        }
    }

    private mutating func set(_ slot: Slot, at index: Int) {
        guard slots.indices.contains(index) else { return }
        count(slots[index], by: -1)
        count(slot, by: 1)
        slots[index] = slot
    }

    private mutating func count(_ slot: Slot, by change: Int) {
        if slot.isEmpty { emptyCount += change }
        guard let bytes = slot.byteCount else { return }
        heldCount += change
        byteCount += change * bytes
    }

    private mutating func nextTime() -> UInt64 {
        time += 1
        return time
    }
}
