import BowerbirdCore

/// What may still be kept of what a file carries beside its picture. A block that is too large is left out; those behind it
/// are kept where there is room.
struct MetadataAllowance {
    private(set) var remaining: Int

    /// What a text takes in memory beside its bytes: files have room for millions of empty ones.
    static let textCost = 64

    init(_ limits: DecodingLimits) { remaining = max(0, limits.maximumMetadataByteCount) }

    /// Whether a block of so many bytes is kept, which takes its room.
    mutating func admits(_ count: Int) -> Bool {
        guard count <= remaining else { return false }
        remaining -= count
        return true
    }

    /// The block where it is kept.
    mutating func admitted(_ block: [UInt8]?) -> [UInt8]? { block.flatMap { admits($0.count) ? $0 : nil } }
}
