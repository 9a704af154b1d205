import BowerbirdCodecs
import BowerbirdCore

/// One file of a public suite and what is expected of it.
struct ConformanceCase: Sendable {
    /// Of the corpus: `image-rs/images/gif/simple/sample_1.gif`, with ` frame 3` where it is about one.
    let name: String
    let check: @Sendable () throws -> ConformanceOutcome

    /// Never throws: what goes wrong is the outcome.
    func run() -> ConformanceOutcome {
        do { return try check() } catch { return .failed("\(error)") }
    }
}

/// What became of a file.
enum ConformanceOutcome: Sendable {
    /// Every pixel is the expected one.
    case exact
    /// As near as the suite wants.
    case near(PixelDifference)
    /// It could be shown; there is nothing to compare it with.
    case decoded
    /// A broken file threw.
    case refused
    case failed(String)

    var isFailure: Bool { if case .failed = self { true } else { false } }
}

/// How near to the expected pixels is near enough, in levels of 255.
struct Tolerance: Sendable {
    var maximum: Double
    var mean: Double

    /// Every pixel equal.
    static let none = Tolerance(maximum: 0, mean: 0)

    func outcome(_ picture: Bitmap, _ expected: Bitmap) -> ConformanceOutcome {
        guard let difference = PixelDifference(picture, expected) else {
            return .failed("\(picture.size) instead of \(expected.size)")
        }
        if difference.isZero { return .exact }
        guard difference.maximum <= maximum, difference.mean <= mean else { return .failed("differs by \(difference)") }
        return .near(difference)
    }
}

/// Decoding as the suites expect it: the values of the file.
enum ExactPicture {
    static let options = DecodingOptions(pixels: .exact, color: .asStored)

    static func still(_ path: String, _ options: DecodingOptions = options) throws -> Bitmap {
        let bytes = try Corpus.bytes(path)
        return try CodecSet.builtIn.decode(bytes.span.bytes, options).bitmap
    }

    /// With its colours multiplied by alpha, as if they were not.
    static func premultiplied(_ path: String) throws -> Bitmap {
        let picture = try still(path, DecodingOptions(pixels: .display, color: .asStored))
        guard picture.format == .bgra8Premultiplied,
            var buffer = PixelBuffer(size: picture.size, format: .rgba8Straight, isOpaque: picture.isOpaque)
        else { throw DecodingError.outOfMemory(picture.size) }
        buffer.withUnsafeMutableBytes { result in
            picture.withUnsafeBytes { result.copyMemory(from: $0) }
            for blue in stride(from: 0, to: result.count, by: 4) { result.swapAt(blue, blue + 2) }
        }
        return buffer.freeze()
    }

    /// Frame `index`, counted from 0; of a still the picture.
    static func frame(_ index: Int, of path: String) throws -> Bitmap {
        guard let file = EncodedImage(try Corpus.bytes(path)) else { throw DecodingError.empty }
        guard let frames = try CodecSet.builtIn.frames(in: file, options) else {
            guard index == 0 else { throw DecodingError.noSuchFrame(index, count: 1) }
            return try still(path)
        }
        guard index < frames.frameCount else { throw DecodingError.noSuchFrame(index, count: frames.frameCount) }
        return try frames.frame(at: index)
    }
}
