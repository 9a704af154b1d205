import Bowerbird

extension Topic {
    /// A picture of 12 megapixels for a room of 400 pixels, beside the least that libjpeg-turbo can do about it.
    static let thumbnails = Topic("Thumbnails") {
        let file = try Photograph.get().baseline
        return try await decoding(file, targetSide: 400, scaling: .quality, eighths: 1, limit: 1.6)
            + decoding(file, targetSide: 400, scaling: .fast, eighths: 1, limit: 1.25)
    }

    /// The whole picture at its full size.
    static let fullDecode = Topic("FullDecode") {
        try await decoding(Photograph.get().baseline, targetSide: nil, scaling: .quality, eighths: 8, limit: 1.05)
    }
}

#if JPEG
    private func decoding(
        _ file: EncodedImage, targetSide: Int?, scaling: DecodingOptions.Scaling, eighths: UInt32, limit: Double
    ) async throws -> [Figure] {
        let targetSize = targetSide.map { PixelSize(width: $0, height: $0) }
        let options = DecodingOptions(targetSize: targetSize, scaling: scaling)
        let codecs = CodecSet.builtIn
        let comparison = try await Comparison.interleaved(.processor) {
            _ = try file.withBytes { try codecs.decode($0, options) }
        } _: {
            file.withUnsafeBytes { RawJPEG.decode($0, eighths: eighths) }
        }
        let name = targetSide.map { "to \($0) px, \(scaling.rawValue)" } ?? "\(Photograph.size)"
        return comparison.figures(name, "libjpeg-turbo, \(eighths)/8", limit: .atMost(limit))
    }
#else
    private func decoding(
        _ file: EncodedImage, targetSide: Int?, scaling: DecodingOptions.Scaling, eighths: UInt32, limit: Double
    ) async throws -> [Figure] { [] }
#endif
