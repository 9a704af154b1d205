import Bowerbird

/// A library's own way to the pixels of a file.
typealias RawDecoding = (UnsafeRawBufferPointer, UnsafeMutableRawBufferPointer) throws -> Void

/// Decoding a whole file beside a library that gives the same pixels.
func decoding(
    _ file: EncodedImage, _ name: String, _ options: DecodingOptions = DecodingOptions(), beside library: String,
    limit: Figure.Limit, by raw: RawDecoding
) async throws -> [Figure] {
    let codecs = CodecSet.builtIn
    let ours = try file.withBytes { try codecs.decode($0, options) }.bitmap
    try withPixels(ours.byteCount) { pixels in
        try file.withUnsafeBytes { try raw($0, pixels) }
        guard ours.isLike(pixels) else { throw CannotMeasure("\(library) gives other pixels for \(name)") }
    }
    let comparison = try await Comparison.interleaved(.processor) {
        _ = try file.withBytes { try codecs.decode($0, options) }
    } _: {
        try withPixels(ours.byteCount) { pixels in try file.withUnsafeBytes { try raw($0, pixels) } }
    }
    return comparison.figures(name, library, limit: limit)
}

/// Memory that is new each time, as our pixels are.
private func withPixels(_ byteCount: Int, _ body: (UnsafeMutableRawBufferPointer) throws -> Void) rethrows {
    let pixels = UnsafeMutableRawBufferPointer.allocate(byteCount: byteCount, alignment: 64)
    defer { pixels.deallocate() }
    try body(pixels)
}

extension Bitmap {
    /// But for what rounding may do.
    fileprivate func isLike(_ pixels: UnsafeMutableRawBufferPointer) -> Bool {
        withUnsafeBytes { ours in
            ours.count == pixels.count && ours.indices.allSatisfy { abs(Int(ours[$0]) - Int(pixels[$0])) <= 1 }
        }
    }
}
