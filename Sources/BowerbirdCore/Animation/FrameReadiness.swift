/// Whether a frame can be shown.
public enum FrameReadiness: Hashable, Sendable {
    /// Not yet.
    case waiting
    case ready
    /// It cannot be had, for it is damaged.
    case failed
}
