import BowerbirdCodecs
import BowerbirdCore

enum ExifProbe {
    static func read(_ bytes: RawSpan) {}
}
enum PNGProbe {
    static func read(_ bytes: RawSpan, _ limits: DecodingLimits) {
        _ = try? CodecSet.builtIn.decode(bytes, DecodingOptions(limits: limits))
    }
}
