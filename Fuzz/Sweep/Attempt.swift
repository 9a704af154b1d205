import Bowerbird
import BowerbirdCore

/// Everything that the decoders can be asked of one file.
struct Attempt {
    enum Outcome: String {
        case shown, refused
    }

    let codecs: CodecSet
    let bytes: [UInt8]
    let index: Int

    /// Small enough that no forged size takes long, large enough for most files of the suites.
    private static let limits = DecodingLimits(
        maximumPixelCount: 1 << 24, maximumScanCount: 50, maximumFrameCount: 1000, maximumMetadataByteCount: 4 << 20)

    /// Throws only what is no `DecodingError`, which nothing may.
    func run() throws -> Outcome {
        let span = bytes.span.bytes
        _ = try? codecs.header(of: span)
        _ = try? codecs.metadata(of: span, Self.limits)
        let isShown = (try? codecs.decode(span, options)) != nil
        if index % 3 == 0 { playFrames() }
        if index % 3 == 1 { decodeWhileArriving(span) }
        return isShown ? .shown : .refused
    }

    /// Straight to size, whole, and as stored in turn.
    private var options: DecodingOptions {
        switch index % 4 {
        case 0: DecodingOptions(targetSize: PixelSize(width: 64, height: 64), limits: Self.limits)
        case 1: DecodingOptions(pixels: .exact, color: .asStored, limits: Self.limits)
        case 2:
            DecodingOptions(
                targetSize: PixelSize(width: 33, height: 77), scaleMode: .exact, scaling: .fast, limits: Self.limits)
        default: DecodingOptions(limits: Self.limits)
        }
    }

    private func playFrames() {
        guard let file = EncodedImage(bytes), let frames = try? codecs.frames(in: file, options) else { return }
        for frame in [0, 1, frames.frameCount / 2, frames.frameCount - 1, 0] where frame < frames.frameCount {
            _ = try? frames.frame(at: frame)
        }
    }

    private func decodeWhileArriving(_ span: RawSpan) {
        guard let decoder = (try? codecs.decoder(for: span))?.makeProgressiveDecoder(options) else { return }
        do {
            for part in 1...4 {
                try decoder.update(span.extracting(first: span.byteCount * part / 4), isComplete: part == 4)
                if part < 4 { _ = try decoder.preview() }
                _ = try decoder.frames()
            }
            _ = try decoder.finish()
        } catch {
            // A typed error: the compiler says so.
        }
    }
}
