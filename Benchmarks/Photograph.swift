import Bowerbird
import FoundationEssentials

/// What the topics decode: a real photograph, made anew as 4:2:0 JPEGs of one size, so that figures of different
/// machines mean the same.
struct Photograph: Sendable {
    static let size = PixelSize(width: 4000, height: 3000)

    /// 4000 × 3000, one scan.
    let baseline: EncodedImage
    /// 4000 × 3000, ten scans.
    let progressive: EncodedImage
    /// 2000 × 1500, ten scans.
    let smallProgressive: EncodedImage

    /// Made once, when it is first asked for.
    static func get() throws -> Photograph { try made.get() }

    private static let made = Result { try Photograph() }

    #if JPEG
        private init() throws {
            let half = PixelSize(width: Self.size.width / 2, height: Self.size.height / 2)
            let picture = try Self.bitmap(in: Self.size)
            let smallPicture = try Self.bitmap(in: half)
            baseline = try JPEGEncoder().encode(picture, EncodingOptions())
            progressive = try JPEGEncoder(isProgressive: true).encode(picture, EncodingOptions())
            smallProgressive = try JPEGEncoder(isProgressive: true).encode(smallPicture, EncodingOptions())
        }
    #else
        private init() throws { throw CannotMeasure("this build has no JPEG") }
    #endif

    /// Its pixels, brought to this size.
    static func bitmap(in size: PixelSize) throws -> Bitmap {
        let options = DecodingOptions(targetSize: size, scaleMode: .exact)
        return try found.get().withBytes { try CodecSet.builtIn.decode($0, options) }.bitmap
    }

    private static let found = Result { try source() }

    /// The photograph that loses least by being brought to that size.
    private static func source() throws -> EncodedImage {
        guard let folder = ProcessInfo.processInfo.environment["BOWERBIRD_PHOTOS"] else {
            throw CannotMeasure("BOWERBIRD_PHOTOS does not name a folder of photographs; Scripts/bench sets it")
        }
        let names = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".jpg") }
        let files = try names.sorted().map { try Data(contentsOf: URL(filePath: "\(folder)/\($0)")) }
        let sizes = files.map { (try? CodecSet.builtIn.header(of: $0.bytes).size) ?? PixelSize(width: 0, height: 0) }
        let large = zip(files, sizes).filter { $1.width >= size.width && $1.height >= size.height }
        let smallest = large.min { $0.1.pixelCount < $1.1.pixelCount }?.0
        guard let smallest, let file = EncodedImage(smallest) else {
            throw CannotMeasure("no photograph in \(folder) has \(size) pixels")
        }
        return file
    }
}
