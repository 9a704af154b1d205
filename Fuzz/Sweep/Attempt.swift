import Bowerbird
import BowerbirdCore

/// Everything that the decoders can be asked of one file.
struct Attempt {
    enum Outcome: String {
        case shown, refused
    }

    private let bytes: [UInt8]
    private let codecs: CodecSet
    /// What is asked, beside header, metadata and picture.
    private let question: Question
    private let options: DecodingOptions

    private enum Question: CaseIterable {
        case nothing, frames, arrival
    }

    /// Small enough that no forged size takes long, large enough for most files of the suites.
    private static let limits = DecodingLimits(
        maximumPixelCount: 1 << 24, maximumScanCount: 50, maximumFrameCount: 1000, maximumMetadataByteCount: 4 << 20)

    init(_ bytes: [UInt8], in codecs: CodecSet, _ random: inout SplitMix) {
        self.bytes = bytes
        self.codecs = codecs
        question = Question.allCases.randomElement(using: &random) ?? .nothing
        options = Self.options.randomElement(using: &random) ?? DecodingOptions(limits: Self.limits)
    }

    /// Throws only what is no `DecodingError`, which nothing may. Ends the process where a promise is broken.
    func run() throws -> Outcome {
        let span = bytes.span.bytes
        _ = try? codecs.header(of: span)
        _ = try? codecs.metadata(of: span, Self.limits)
        let picture = try? codecs.decode(span, options).bitmap
        switch question {
        case .nothing: break
        case .frames: playFrames()
        case .arrival: decodeWhileArriving(span, whole: picture)
        }
        return picture == nil ? .refused : .shown
    }

    /// Straight to size, whole, and as stored.
    private static let options = [
        DecodingOptions(targetSize: PixelSize(width: 64, height: 64), limits: limits),
        DecodingOptions(pixels: .exact, color: .asStored, limits: limits),
        DecodingOptions(
            targetSize: PixelSize(width: 33, height: 77), scaleMode: .exact, scaling: .fast, limits: limits),
        DecodingOptions(limits: limits),
    ]

    private func playFrames() {
        guard let file = EncodedImage(bytes), let frames = try? codecs.frames(in: file, options) else { return }
        for frame in [0, 1, frames.frameCount / 2, frames.frameCount - 1, 0] where frame < frames.frameCount {
            _ = try? frames.frame(at: frame)
        }
    }

    /// What a file becomes does not depend on how it came.
    private func decodeWhileArriving(_ span: RawSpan, whole: Bitmap?) {
        guard let decoder = (try? codecs.decoder(for: span))?.makeProgressiveDecoder(options) else { return }
        let arrived = try? finish(decoder, span)
        switch (arrived, whole) {
        case (nil, nil): break
        case (nil, _): fatalError("shown only when it comes at once")
        case (_, nil): fatalError("shown only when it comes in parts")
        case (let arrived?, let whole?):
            if !arrived.hasPixels(of: whole) { fatalError("another picture when it comes in parts") }
        }
    }

    private func finish(_ decoder: any ProgressiveDecoder, _ span: RawSpan) throws(DecodingError) -> Bitmap {
        for part in 1...4 {
            try decoder.update(span.extracting(first: span.byteCount * part / 4), isComplete: part == 4)
            if part < 4 { _ = try decoder.preview() }
            // More frames than the limit allows are no reason to show no picture.
            _ = try? decoder.frames()
        }
        return try decoder.finish().bitmap
    }
}

extension Bitmap {
    fileprivate func hasPixels(of other: Bitmap) -> Bool {
        guard size == other.size, format == other.format, bytesPerRow == other.bytesPerRow else { return false }
        return withUnsafeBytes { ours in
            other.withUnsafeBytes { theirs in
                (0..<size.height).allSatisfy { row in
                    let pixels = row * bytesPerRow..<row * bytesPerRow + size.width * format.bytesPerPixel
                    return ours[pixels].elementsEqual(theirs[pixels])
                }
            }
        }
    }
}
