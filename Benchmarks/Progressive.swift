import Bowerbird

extension Topic {
    /// What it costs to show a progressive file while it arrives, beside decoding it once at the end.
    static let progressive = Topic("Progressive") {
        let photograph = try Photograph.get()
        return try await arriving(photograph.smallProgressive, "2000 × 1500", previews: 3, limit: 1.7)
            + arriving(photograph.progressive, "4000 × 3000 to 1000 px", targetSide: 1000, previews: 3, limit: 1.7)
            + arriving(photograph.progressive, "4000 × 3000", previews: 1, limit: 1.3)
            + arriving(photograph.progressive, "4000 × 3000", previews: 0, limit: 1.3)
    }
}

private func arriving(
    _ file: EncodedImage, _ name: String, targetSide: Int? = nil, previews: Int, limit: Double
) async throws -> [Figure] {
    let options = DecodingOptions(targetSize: targetSide.map { PixelSize(width: $0, height: $0) })
    let codecs = CodecSet.builtIn
    let comparison = try await Comparison.interleaved(.processor) {
        let shown = try Arrival(of: file, options, showsPreviews: previews > 0).decode()
        guard shown == previews else { throw CannotMeasure("\(name) gave \(shown) previews, not \(previews)") }
    } _: {
        _ = try file.withBytes { try codecs.decode($0, options) }
    }
    let count = previews == 1 ? "1 preview" : "\(previews) previews"
    return comparison.figures("\(name), \(count)", "at once", limit: .atMost(limit))
}

/// A file that comes in steps of the size that networks give.
private struct Arrival {
    let file: EncodedImage
    let decoder: any ProgressiveDecoder
    let showsPreviews: Bool

    private static let step = 64 << 10

    init(of file: EncodedImage, _ options: DecodingOptions, showsPreviews: Bool) throws {
        guard let decoder = CodecSet.builtIn.decoder(for: file)?.makeProgressiveDecoder(options) else {
            throw CannotMeasure("this build shows no previews")
        }
        self.file = file
        self.decoder = decoder
        self.showsPreviews = showsPreviews
    }

    /// How many previews there were.
    func decode() throws -> Int {
        var previewCount = 0
        for end in stride(from: Self.step, to: file.count, by: Self.step) {
            try file.withBytes { try decoder.update($0.extracting(first: end), isComplete: false) }
            if try showsPreviews && decoder.preview() != nil { previewCount += 1 }
        }
        try file.withBytes { try decoder.update($0, isComplete: true) }
        _ = try decoder.finish()
        return previewCount
    }
}
