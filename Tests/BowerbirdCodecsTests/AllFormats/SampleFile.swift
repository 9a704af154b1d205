import BowerbirdCodecs
import BowerbirdCore
import Testing

/// A small good file of one kind, and what decoders of the kind do not do.
struct SampleFile: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let format: ImageFormat
    /// Whether it has no pixels of its own.
    var isDrawing = false
    /// Whether a part of it can be shown while the rest arrives.
    var arrives = true
    /// Fewer where each decoding takes long.
    var tries = 40
    let make: @Sendable () throws -> [UInt8]

    init(
        _ description: String, _ format: ImageFormat, isDrawing: Bool = false, arrives: Bool = true, tries: Int = 40,
        _ make: @escaping @Sendable () throws -> [UInt8]
    ) {
        testDescription = description
        self.format = format
        self.isDrawing = isDrawing
        self.arrives = arrives
        self.tries = tries
        self.make = make
    }

    static let all = readable(stills + drawings + animations)

    private static func readable(_ samples: [SampleFile]) -> [SampleFile] {
        samples.filter { sample in
            let isWritten = WrittenFormat.all.contains { $0.format == sample.format }
            let isMadeByHand = [.svg, .ico].contains(sample.format)
            return isWritten || isMadeByHand && CodecSet.builtIn.decoder(for: sample.format) != nil
        }
    }

    private static let stills = [
        still("JPEG", .jpeg) { $0.profile = .icc(TestProfile.displayP3) },
        still("JPEG, progressive, turned", .jpeg) {
            $0.isProgressive = true
            $0.orientation = .rightTop
        },
        still("PNG", .png) { $0.orientation = .leftBottom },
        still("PNG of 16 bits", .png, .rgba16Straight) { $0.profile = .icc(TestProfile.displayP3) },
        still("GIF", .gif),
        // Behind the pixels the file says how to turn them: one that is cut short lies on its other side.
        still("WebP, lossy, turned", .webP) {
            $0.isLossless = false
            $0.orientation = .bottomRight
        },
        still("WebP, lossless", .webP),
        still("AVIF, turned", .avif, tries: 20) { $0.orientation = .rightTop },
        still("HEIF, turned", .heif, arrives: false, tries: 20) { $0.orientation = .rightTop },
        still("JPEG XL, lossless", .jxl, tries: 20),
        still("JPEG XL, progressive, turned", .jxl, tries: 20) {
            $0.isLossless = false
            $0.isProgressive = true
            $0.orientation = .rightTop
        },
        still("TIFF, turned", .tiff, arrives: false) { $0.orientation = .leftTop },
        still("TIFF of 16 bits", .tiff, .rgba16Straight, arrives: false),
        SampleFile("TIFF of several pages", .tiff, arrives: false) {
            let page = TIFFFile.page(6, 4, bits: [8], photometric: 1, parts: [Array(0..<24)])
            return TIFFFile(pages: [page, page, page]).bytes
        },
        still("BMP", .bmp, arrives: false),
        still("QOI", .qoi, arrives: false),
        // Of several pictures a file that is cut short shows another one.
        SampleFile("ICO", .ico, arrives: false) {
            let picture = ICOFile.bitmap(9, [10, 20, 30, 200])
            return ICOFile(pictures: [(width: 9, height: 9, depth: 32, bytes: picture)]).bytes
        },
    ]

    private static let drawings = [
        SampleFile("SVG", .svg, isDrawing: true, arrives: false, tries: 20) {
            let shapes = "<rect width='12' height='9' fill='red'/><circle cx='9' cy='9' r='5' fill='#00f8'/>"
            return Array("<svg xmlns='http://www.w3.org/2000/svg' width='18' height='14'>\(shapes)</svg>".utf8)
        }
    ]

    private static let animations = AnimatedFormat.all.map { row in
        SampleFile("\(row.format), animated", row.format, tries: row.format == .avif ? 8 : 15) {
            try row.write(SampleFilm(frameCount: 3, hasHalves: row.hasHalves))
        }
    }

    private static func still(
        _ description: String, _ format: ImageFormat, _ pixels: PixelFormat = .rgba8Straight, arrives: Bool = true,
        tries: Int = 40, _ change: @escaping @Sendable (inout EncodingOptions) -> Void = { _ in }
    ) -> SampleFile {
        SampleFile(description, format, arrives: arrives, tries: tries) {
            let row = try #require(WrittenFormat.all.first { $0.format == format })
            return try row.write(row.picture(20, 14, format: pixels), change)
        }
    }
}
