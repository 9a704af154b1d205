import BowerbirdCodecs
import BowerbirdCore

/// Reads EXIF data in every way, and changes them.
enum ExifProbe {
    static func check(_ bytes: RawSpan) {
        _ = ExifReader.orientation(in: bytes)
        _ = ExifReader.density(in: bytes)
        _ = ExifReader.photograph(in: bytes)
        if let range = ExifReader.thumbnail(in: bytes) { _ = bytes.extracting(range) }
        let data = bytes.withUnsafeBytes { Array($0) }
        for number in 1...8 as ClosedRange<UInt8> { checkSetting(Orientation(rawValue: number) ?? .topLeft, in: data) }
    }

    /// What was written is what is read, and nothing else has changed.
    private static func checkSetting(_ orientation: Orientation, in data: [UInt8]) {
        guard let changed = ExifWriter.setting(orientation, in: data) else {
            return expect(orientation == .topLeft, "the orientation \(orientation) is not written")
        }
        let read = ExifReader.orientation(in: changed.span.bytes)
        expect(read ?? .topLeft == orientation, "the orientation \(orientation) is read as \(String(describing: read))")
        let again = ExifWriter.setting(orientation, in: changed)
        expect(again == changed, "the orientation \(orientation) is written twice")
    }
}
