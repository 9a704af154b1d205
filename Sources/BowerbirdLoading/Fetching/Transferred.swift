import BowerbirdCore

/// What a transfer brought.
enum Transferred: Sendable {
    /// A whole file, with the head of its answer.
    case file(EncodedImage, ResponseHead, Freshness)
    /// The file that the asker has is still right (304).
    case unchanged(ResponseHead)
}
