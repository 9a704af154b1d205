import BowerbirdCore

/// Looks for the best quality whose file is small enough, by halving the range between one that fits and one that does
/// not.
struct QualitySearch {
    private let options: EncodingOptions
    private let maximumByteCount: Int?

    /// After these, the quality is known to a 64th of the range.
    private static let halvings = 6

    /// From the quality of `options` downwards. Without a maximum every file fits.
    init(_ options: EncodingOptions, _ maximumByteCount: Int?) {
        self.options = options
        self.maximumByteCount = maximumByteCount
    }

    /// `encode` is called up to eight times.
    func run(
        _ encode: (EncodingOptions) throws(EncodingError) -> EncodedImage
    ) throws(EncodingError) -> EncodedImage {
        let first = try encode(options)
        guard let maximumByteCount, first.count > maximumByteCount else { return first }
        guard !options.isLossless else { throw .cannotFit(maximumByteCount: maximumByteCount) }
        var best = try self.encode(at: 0, encode)
        guard best.count <= maximumByteCount else { throw .cannotFit(maximumByteCount: maximumByteCount) }
        var (low, high) = (0.0, options.clampedQuality)
        for _ in 0..<Self.halvings {
            let middle = (low + high) / 2
            let file = try self.encode(at: middle, encode)
            if file.count <= maximumByteCount { (best, low) = (file, middle) } else { high = middle }
        }
        return best
    }

    private func encode(
        at quality: Double, _ encode: (EncodingOptions) throws(EncodingError) -> EncodedImage
    ) throws(EncodingError) -> EncodedImage {
        if Task.isCancelled { throw .cancelled }
        var options = options
        options.quality = quality
        return try encode(options)
    }
}
