/// Why bytes did not become a picture.
public enum DecodingError: Error, Hashable, Sendable, CustomStringConvertible {
    /// There are no bytes at all.
    case empty
    /// The bytes begin like no format that this build can decode. `format` says which it is, where that is known;
    /// `beginning` shows the first bytes as text, which tells an error page from a picture.
    case unsupportedFormat(ImageFormat?, beginning: String)
    /// The file ends before anything of the picture can be shown.
    case truncated(atByte: Int)
    /// The file contradicts its format. The text says how.
    case corrupt(String)
    /// The picture has more pixels than `DecodingLimits` allows. Nothing was allocated for it.
    case tooLarge(PixelSize, maximumPixelCount: Int)
    /// A progressive file has more scans than `DecodingLimits` allows.
    case tooManyScans(maximum: Int)
    /// An animation has more frames, or a document more pages, than `DecodingLimits` allows.
    case tooManyFrames(maximum: Int)
    /// What a file carries beside its picture (profiles, EXIF, texts) is larger than `DecodingLimits` allows.
    case tooMuchMetadata(maximumByteCount: Int)
    /// The parts of a file lie in each other deeper than `DecodingLimits` allows.
    case tooDeeplyNested(maximum: Int)
    /// A drawing took longer than `DecodingLimits` allows.
    case tookTooLong(maximum: Duration)
    /// The file has no frame or page of this number, counted from 0.
    case noSuchFrame(Int, count: Int)
    /// The machine has no memory for a picture of this size.
    case outOfMemory(PixelSize)
    /// The task that asked was cancelled.
    case cancelled

    public var description: String {
        switch self {
        case .empty: "the file is empty"
        case .unsupportedFormat(let format?, _): "\(format) is not a format that this build can decode"
        case .unsupportedFormat(nil, let beginning): "this is no image: it begins with “\(beginning)”"
        case .truncated(let offset): "the file ends at byte \(offset), before any of the picture"
        case .corrupt(let reason): "the file is damaged: \(reason)"
        case .tooLarge(let size, let maximum):
            "the picture claims \(size) pixels; the limit is \(maximum) in all"
        case .tooManyScans(let maximum): "the file has more than \(maximum) scans"
        case .tooManyFrames(let maximum): "the file has more than \(maximum) frames"
        case .tooMuchMetadata(let maximum): "the file carries more than \(maximum) bytes beside its picture"
        case .tooDeeplyNested(let maximum): "the file is nested deeper than \(maximum) levels"
        case .tookTooLong(let maximum): "the drawing took longer than \(maximum)"
        case .noSuchFrame(let index, let count): "there is no frame \(index): the file has \(count)"
        case .outOfMemory(let size): "there is no memory for a picture of \(size) pixels"
        case .cancelled: "the decoding was cancelled"
        }
    }
}

extension DecodingError {
    /// `.empty` or `.unsupportedFormat`, with what can be said of the bytes.
    package static func unrecognized(_ bytes: RawSpan) -> DecodingError {
        if bytes.isEmpty { return .empty }
        return .unsupportedFormat(ImageFormat(sniffing: bytes), beginning: beginning(of: bytes))
    }

    /// The first bytes as text: printable ASCII, everything else a middle dot.
    private static func beginning(of bytes: RawSpan) -> String {
        String(
            (0..<min(bytes.byteCount, 24)).map { index -> Character in
                guard let byte = bytes.byte(at: index), (0x20..<0x7F).contains(byte) else { return "·" }
                return Character(Unicode.Scalar(byte))
            })
    }
}
