import BowerbirdCore
import BowerbirdTestSupport
import Testing

@Suite
struct `Sniffing a format` {
    static func format(_ bytes: [UInt8]) -> ImageFormat? {
        let span = bytes.span
        return ImageFormat(sniffing: span.bytes)
    }

    static func box(_ brands: String...) -> [UInt8] {
        [0, 0, 0, UInt8(8 + brands.count * 4 + 4)] + Array("ftyp".utf8) + Array(brands[0].utf8) + [0, 0, 0, 0]
            + brands.dropFirst().flatMap { Array($0.utf8) }
    }

    static let beginnings: [(bytes: [UInt8], format: ImageFormat)] = [
        ([0xFF, 0xD8, 0xFF, 0xE0], .jpeg),
        ([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], .png),
        (text("GIF87a"), .gif),
        (text("GIF89a"), .gif),
        (text("RIFF1234WEBP"), .webP),
        ([0xFF, 0x0A], .jxl),
        ([0, 0, 0, 0x0C, 0x4A, 0x58, 0x4C, 0x20, 0x0D, 0x0A, 0x87, 0x0A], .jxl),
        (text("qoif"), .qoi),
        ([0x49, 0x49, 0x2A, 0], .tiff),
        ([0x4D, 0x4D, 0, 0x2A], .tiff),
        ([0x49, 0x49, 0x2B, 0], .tiff),
        (box("avif"), .avif),
        (box("avis", "mif1"), .avif),
        (box("mif1", "mif1", "avif"), .avif),
        (box("heic"), .heif),
        (box("mif1", "heic"), .heif),
        ([0, 0, 1, 0, 1, 0, 16, 16, 0, 0], .ico),
        (text("BM123456789012") + [40, 0, 0, 0], .bmp),
        (text("<svg xmlns='x'>"), .svg),
        (text("\u{FEFF}<?xml version='1.0'?>\n<!-- a > b -->\n<!DOCTYPE svg>\n<svg>"), .svg),
    ]

    static func text(_ text: String) -> [UInt8] { Array(text.utf8) }

    @Test(arguments: beginnings)
    func knowsEveryFormatOfTheField(bytes: [UInt8], format: ImageFormat) {
        #expect(Self.format(bytes) == format)
    }

    static let others: [[UInt8]] = [
        [], [0xFF], [0xFF, 0xD8], text("BMW is a car maker, not a bitmap"), text("GIF88a"), text("RIFF....WAVE"),
        text("<html><svg></svg></html>"), text("<svgx>"), text("<!DOCTYPE html><title>Not found</title>"),
        box("isom", "mp42"), [0, 0, 1, 0, 0, 0, 0, 0, 0, 0], text("{\"error\": 404}"), text("<!-- never closed"),
        text("<?"),
    ]

    @Test(arguments: others)
    func takesNothingElseForAPicture(bytes: [UInt8]) {
        #expect(Self.format(bytes) == nil)
    }

    @Test func neverReadsBeyondItsBytes() {
        for seed in 0..<2000 {
            var generator = SeededRandom(seed: UInt64(seed))
            let starts: [[UInt8]] = [
                [], [0xFF, 0xD8], Array("RIFF".utf8), Self.box("mif1"), Array("<?".utf8), [0, 0, 1, 0],
            ]
            let tail = (0..<Int.random(in: 0...40, using: &generator)).map { _ in
                UInt8.random(in: 0...255, using: &generator)
            }
            _ = Self.format(starts[seed % starts.count] + tail)
        }
    }

    /// A body that never says what it is would be searched from its beginning with each piece that arrives.
    @Test func looksAtTheBeginningOnly() {
        let space = [UInt8](repeating: 0x20, count: 5000)
        #expect(Self.format(Array(space[..<4000]) + Self.text("<svg>")) == .svg)
        #expect(Self.format(space + Self.text("<svg>")) == nil)
        #expect(Self.format(Array(repeating: Self.text("<!---->"), count: 1000).joined() + Self.text("<svg>")) == nil)
        let box = [0xFF, 0xFF, 0xFF, 0xFF] + Self.text("ftypnone") + [0, 0, 0, 0]
        #expect(Self.format(box + [UInt8](repeating: 0, count: 4000) + Self.text("avif")) == .avif)
        #expect(Self.format(box + [UInt8](repeating: 0, count: 8000) + Self.text("avif")) == nil)
    }
}
