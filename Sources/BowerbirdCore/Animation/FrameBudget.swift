/// How many frames of an animation a `FrameBuffer` keeps. Whatever it says, the first frame, and for each view the one
/// that is shown and the next, are kept.
public enum FrameBudget: Hashable, Sendable {
    /// What fits into a fifth of the memory that this process may use, or into three fifths of what is free of it if
    /// that is less; no less than 10 MB, and 512 frames at most. It is reckoned when the buffer is made, and anew when it
    /// may grow again.
    case automatic
    /// What fits into so many bytes.
    case bytes(Int)
    /// So many.
    case frames(Int)
    /// All of them: each is decoded once.
    case all

    /// - Parameter byteCount: What one frame takes.
    func frameCount(of count: Int, byteCount: Int, memory: MemoryAvailability) -> Int {
        let limit =
            switch self {
            case .automatic: min(Self.automaticByteCount(memory) / max(1, byteCount), 512)
            case .bytes(let bytes): bytes / max(1, byteCount)
            case .frames(let frames): frames
            case .all: count
            }
        return min(max(1, limit), count)
    }

    private static func automaticByteCount(_ memory: MemoryAvailability) -> Int {
        max(10 << 20, min(memory.total / 5, memory.free / 5 * 3))
    }
}
