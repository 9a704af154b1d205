import BowerbirdCodecs
import BowerbirdCore
import FoundationEssentials

/// The files of one public suite.
struct ConformanceSuite: Sendable, CustomStringConvertible {
    let name: String
    /// What is compared, for people.
    let expectation: String
    let cases: @Sendable () throws -> [ConformanceCase]

    var description: String { name }

    static let all = [
        references("image-rs/reference", of: "image-rs/images"), webPReferences, webPAnimations, jxl, kimono,
        orientations, pngSuite, bmpSuite, bmpReferences, decodable("sdwebimage"), decodable("image-gif"),
        decodable("avif"), decodable("heif"), decodable("pillow"), decodable("pillow/avif"),
    ]

    /// Files that a build without their format's library cannot decode are left out.
    fileprivate static func isDecodable(_ path: String) -> Bool {
        guard let bytes = try? Corpus.bytes(path) else { return false }
        return (try? CodecSet.builtIn.decoder(for: bytes.span.bytes)) != nil
    }

    fileprivate static func compared(_ path: String, with reference: String, _ tolerance: Tolerance) -> ConformanceCase
    {
        ConformanceCase(name: path) {
            tolerance.outcome(try ExactPicture.still(path), try ExactPicture.still(reference))
        }
    }
}

// MARK: image-rs

extension ConformanceSuite {
    private static let lossyFormats = ["jpg", "webp/lossy", "webp/extended", "tiff/testsuite/ycbcr"]

    /// Their references have the colours as they are in the files, multiplied by alpha, though a PNG file means them not
    /// to be.
    private static let premultiplied = ["tiff/testsuite/hpredict.tiff", "tiff/testsuite/hpredict_packbits.tiff"]

    /// `reference/gif/anim/x.gif.png` is the picture of `images/gif/anim/x.gif`, `….anim_02.png` its second frame.
    fileprivate static func references(_ references: String, of images: String) -> ConformanceSuite {
        ConformanceSuite(name: images, expectation: "equal to the references; lossy formats within 2 levels on average")
        {
            try Corpus.allFiles(under: references).compactMap { reference in
                let name = reference.dropFirst(references.count + 1).dropLast(4)
                let parts = name.components(separatedBy: ".anim_")
                let path = images + "/" + parts[0]
                guard isDecodable(path) else { return nil }
                let isLossy = lossyFormats.contains { path.contains($0) }
                let tolerance = isLossy ? Tolerance(maximum: 64, mean: 2) : .none
                if premultiplied.contains(where: { path.hasSuffix($0) }) {
                    return ConformanceCase(name: path) {
                        tolerance.outcome(try ExactPicture.premultiplied(path), try ExactPicture.still(reference))
                    }
                }
                guard parts.count == 2, let number = Int(parts[1]) else {
                    return compared(path, with: reference, tolerance)
                }
                return ConformanceCase(name: "\(path) frame \(number)") {
                    tolerance.outcome(try ExactPicture.frame(number - 1, of: path), try ExactPicture.still(reference))
                }
            }
        }
    }
}

// MARK: WebP

extension ConformanceSuite {
    fileprivate static let webPReferences = ConformanceSuite(
        name: "image-webp", expectation: "equal to the references where lossless, else within 1 level on average"
    ) {
        try ["gallery1", "gallery2", "regression"].flatMap { folder in
            try Corpus.files(in: "image-webp/reference/" + folder, ending: ".png").compactMap { reference in
                let path = String(reference.replacing("/reference/", with: "/images/").dropLast(4)) + ".webp"
                guard isDecodable(path) else { return nil }
                let isLossless = path.contains("_ll") || path.contains("lossless") || path.contains("color_index")
                return compared(path, with: reference, isLossless ? .none : Tolerance(maximum: 64, mean: 1))
            }
        }
    }

    /// Blending makes levels of its own, which libraries round in different ways.
    fileprivate static let webPAnimations = ConformanceSuite(
        name: "image-webp/animated", expectation: "frames within 1 level, lossy ones within 2 on average"
    ) {
        try Corpus.files(in: "image-webp/reference/animated", ending: ".png").compactMap { reference in
            let name = reference.split(separator: "/").last?.dropLast(4).split(separator: "-") ?? []
            guard name.count == 2, let number = Int(name[1]) else { return nil }
            let path = "image-webp/images/animated/\(name[0]).webp"
            guard isDecodable(path) else { return nil }
            let tolerance = path.contains("lossless") ? Tolerance(maximum: 1, mean: 1) : Tolerance(maximum: 64, mean: 2)
            return ConformanceCase(name: "\(path) frame \(number)") {
                tolerance.outcome(try ExactPicture.frame(number - 1, of: path), try ExactPicture.still(reference))
            }
        }
    }
}

// MARK: JPEG XL

extension ConformanceSuite {
    /// The suite's own tolerance is for floating point; a reference of 8 or 16 bits adds half a level of its own.
    fileprivate static let jxl = ConformanceSuite(
        name: "jxl", expectation: "within the tolerance of each case's test.json and one level of rounding"
    ) {
        try Corpus.folders(in: "jxl").flatMap { folder -> [ConformanceCase] in
            let input = folder + "/input.jxl"
            guard isDecodable(input) else { return [] }
            let names = ["ref.png", "ref.apng", "ref.gif"].map { folder + "/" + $0 }
            guard let reference = names.first(where: { (try? Corpus.bytes($0)) != nil }) else {
                return [
                    ConformanceCase(name: input) {
                        _ = try ExactPicture.still(input); return .decoded
                    }
                ]
            }
            guard isDecodable(reference) else { return [] }
            // A GIF has not all colours of the frames, and is no worse a witness of where they are.
            let isPalette = reference.hasSuffix(".gif")
            let exact = try JXLTolerance(folder + "/test.json").tolerance
            let tolerance = isPalette ? Tolerance(maximum: 255, mean: 1) : exact
            return framesToCompare(of: try frameCount(of: reference)).map { index in
                ConformanceCase(name: index == 0 ? input : "\(input) frame \(index + 1)") {
                    let picture = try ExactPicture.frame(index, of: input)
                    return tolerance.outcome(picture, try ExactPicture.frame(index, of: reference))
                }
            }
        }
    }

    /// All for the report; every eighth and the last for the tests, which are run more often.
    private static func framesToCompare(of count: Int) -> [Int] {
        let step = ConformanceReport.folder == nil ? 8 : 1
        return (0..<count).filter { $0.isMultiple(of: step) || $0 == count - 1 }
    }

    private static func frameCount(of path: String) throws -> Int {
        guard let file = EncodedImage(try Corpus.bytes(path)) else { return 1 }
        return try CodecSet.builtIn.frames(in: file)?.frameCount ?? 1
    }
}

/// What a case of the JPEG XL suite allows.
private struct JXLTolerance: Decodable {
    let frames: [Frame]

    struct Frame: Decodable {
        let rms_error: Double
        let peak_error: Double
    }

    init(_ path: String) throws {
        self = try JSONDecoder().decode(JXLTolerance.self, from: Data(try Corpus.bytes(path)))
    }

    var tolerance: Tolerance {
        let peak = frames.map(\.peak_error).max() ?? 0
        let mean = frames.map(\.rms_error).max() ?? 0
        return Tolerance(maximum: peak * 255 + 1, mean: mean * 255 + 0.5)
    }
}

// MARK: AVIF and orientation

extension ConformanceSuite {
    /// The mirrored and turned files are stored so that all show the same picture.
    fileprivate static let kimono = ConformanceSuite(
        name: "avif/kimono", expectation: "upright and cut as its PNG, within 4 levels on average"
    ) {
        try Corpus.files(in: "avif", ending: ".avif").filter { $0.contains("kimono") && isDecodable($0) }.map { path in
            let reference = path.contains("crop") ? "avif/kimono.crop.png" : "avif/kimono.png"
            return compared(path, with: reference, Tolerance(maximum: 128, mean: 4))
        }
    }

    fileprivate static let orientations = ConformanceSuite(
        name: "exif-orientation", expectation: "upright: within 5 levels of orientation 1 on average"
    ) {
        (2...8).map { "exif-orientation/Landscape_\($0).jpg" }.filter(isDecodable).map { path in
            compared(path, with: "exif-orientation/Landscape_1.jpg", Tolerance(maximum: 255, mean: 5))
        }
    }
}

// MARK: PngSuite and bmpsuite

extension ConformanceSuite {
    /// A broken file need not even look like one of its format.
    fileprivate static let pngSuite = ConformanceSuite(
        name: "pngsuite", expectation: "equal pixels, by their digests; broken files refused"
    ) {
        guard isDecodable("pngsuite/basn0g01.png") else { return [] }
        return try Corpus.files(in: "pngsuite", ending: ".png").map { path in
            let name = path.dropFirst("pngsuite/".count).dropLast(".png".count)
            return name.hasPrefix("x") ? refused(path) : digested(path, String(name))
        }
    }

    private static func digested(_ path: String, _ name: String) -> ConformanceCase {
        ConformanceCase(name: path) {
            let pixels = try ExactPicture.still(path).withUnsafeBytes { Array($0) }
            let digest = pixels.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
            return digest == pngSuiteDigests[name] ? .exact : .failed("other pixels")
        }
    }

    private static func refused(_ path: String) -> ConformanceCase {
        ConformanceCase(name: path) {
            do throws(DecodingError) {
                let bytes = (try? Corpus.bytes(path)) ?? []
                _ = try CodecSet.builtIn.decode(bytes.span.bytes, ExactPicture.options)
                return .failed("shown, though it is broken")
            } catch {
                return .refused
            }
        }
    }

    fileprivate static func decoded(_ path: String) -> ConformanceCase {
        ConformanceCase(name: path) {
            _ = try ExactPicture.still(path)
            return .decoded
        }
    }

    /// What the suite calls questionable may be refused.
    fileprivate static let bmpSuite = ConformanceSuite(
        name: "pillow/bmp", expectation: "good files decoded; questionable and bad ones decoded or refused"
    ) {
        let good = try Corpus.files(in: "pillow/bmp/g", ending: ".bmp").filter(isDecodable).map(decoded)
        let others = try ["q", "b"].flatMap { try Corpus.files(in: "pillow/bmp/" + $0, ending: ".bmp") }
        return good
            + others.filter(isDecodable).map { path in
                ConformanceCase(name: path) {
                    do { _ = try ExactPicture.still(path) } catch is DecodingError { return .refused }
                    return .decoded
                }
            }
    }

    fileprivate static let bmpReferences = ConformanceSuite(
        name: "pillow/bmp/html", expectation: "good files within 1 level of the references"
    ) {
        try Corpus.files(in: "pillow/bmp/html", ending: ".png").compactMap { reference in
            guard let name = reference.split(separator: "/").last?.dropLast(4) else { return nil }
            let path = "pillow/bmp/g/\(name).bmp"
            return isDecodable(path) ? compared(path, with: reference, Tolerance(maximum: 1, mean: 1)) : nil
        }
    }
}

// MARK: Everything else

extension ConformanceSuite {
    fileprivate static func decodable(_ folder: String) -> ConformanceSuite {
        ConformanceSuite(name: folder, expectation: "decoded, every frame") {
            try Corpus.files(in: folder, ending: "").filter(isDecodable).map { path in
                ConformanceCase(name: path) {
                    _ = try ExactPicture.still(path)
                    guard let file = EncodedImage(try Corpus.bytes(path)),
                        let frames = try CodecSet.builtIn.frames(in: file, ExactPicture.options)
                    else { return .decoded }
                    for index in 0..<frames.frameCount { _ = try frames.frame(at: index) }
                    return .decoded
                }
            }
        }
    }
}
