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
        case .exif: ExifProbe.check(bytes)
        case .png: PNGProbe(limits).check(bytes)
        case .gif: CodecProbe(GIFDecoder(), limits).check(bytes)
        case .bmp: CodecProbe(BMPDecoder(), limits).check(bytes)
        case .qoi: CodecProbe(QOIDecoder(), limits).check(bytes)
        case .ico: CodecProbe(ICODecoder(), limits).check(bytes)
        }
    }

    private var limits: DecodingLimits { DecodingLimits(maximumPixelCount: 1 << 16, maximumFrameCount: 100) }

    private func sniff(_ bytes: RawSpan) {
        guard ImageFormat(sniffing: bytes) != nil else { return }
        _ = try? CodecSet.builtIn.header(of: bytes)
    }
}
