import BowerbirdCodecs
import BowerbirdCore

/// What is fed with bytes that a fuzzer makes up: our own parsers, each by itself.
enum FuzzTarget: String, CaseIterable {
    case gif, bmp, qoi, ico, png, exif, sniffing

    /// Set once, before the fuzzer runs, which has one thread.
    nonisolated(unsafe) static var current = FuzzTarget.sniffing

    /// Ends in a picture or in a typed error; whatever else happens is a finding.
    func run(_ bytes: RawSpan) {
        switch self {
        case .sniffing: sniff(bytes)
        case .exif: ExifProbe.read(bytes)
        case .png: PNGProbe.read(bytes, limits)
        case .gif, .bmp, .qoi, .ico: decode(bytes)
        }
    }

    private var format: ImageFormat? {
        switch self {
        case .gif: .gif
        case .bmp: .bmp
        case .qoi: .qoi
        case .ico: .ico
        case .png, .exif, .sniffing: nil
        }
    }

    private var limits: DecodingLimits { DecodingLimits(maximumPixelCount: 1 << 20, maximumFrameCount: 100) }

    private func sniff(_ bytes: RawSpan) {
        guard ImageFormat(sniffing: bytes) != nil else { return }
        _ = try? CodecSet.builtIn.header(of: bytes)
    }

    private func decode(_ bytes: RawSpan) {
        guard let format, let decoder = CodecSet.builtIn.decoder(for: format) else { return }
        let options = DecodingOptions(pixels: .exact, limits: limits)
        _ = try? decoder.header(of: bytes)
        _ = try? decoder.metadata(of: bytes, limits)
        _ = try? decoder.decode(bytes, options)
        guard let file = bytes.withUnsafeBytes({ EncodedImage($0) }),
            let frames = try? decoder.frames(in: file, options)
        else { return }
        for index in 0..<min(8, frames.frameCount) { _ = try? frames.frame(at: index) }
    }
}
