import BowerbirdCore

/// What a GIF file carries beside its pictures, collected block by block.
struct GIFExtras {
    enum Kind: Hashable {
        case comment, profile, xmp
    }

    private(set) var metadata = ImageMetadata()
    private(set) var profile = ColorProfile.unspecified

    /// Of the extension that is being read.
    private var bytes: [UInt8] = []
    /// What has been kept takes, and what of that is of the extension that is being read.
    private var cost = 0
    private var currentCost = 0
    private let limits: DecodingLimits
    private let keepsTexts: Bool
    /// Whether the rest of a text is left out, like its beginning.
    private var isTooLarge = false

    init(_ limits: DecodingLimits, keepsTexts: Bool) {
        self.limits = limits
        self.keepsTexts = keepsTexts
    }

    mutating func add(_ block: RawSpan, to kind: Kind) throws(DecodingError) {
        guard keepsTexts != (kind == .profile), !isTooLarge else { return }
        count(block)
        guard kind == .profile || cost <= limits.maximumMetadataByteCount else { return leaveOut() }
        try limits.check(metadataByteCount: cost)
        // XMP is written as if there were no blocks: what looks like their lengths is text.
        if kind == .xmp { bytes.append(UInt8(truncatingIfNeeded: block.byteCount)) }
        block.withUnsafeBytes { bytes.append(contentsOf: $0) }
    }

    private mutating func count(_ block: RawSpan) {
        let added = block.byteCount + (bytes.isEmpty ? MetadataAllowance.textCost : 0)
        cost += added
        currentCost += added
    }

    /// Without its profile a picture would have other colours; it needs no text.
    private mutating func leaveOut() {
        cost -= currentCost
        currentCost = 0
        bytes = []
        isTooLarge = true
    }

    mutating func end(_ kind: Kind) {
        defer {
            bytes = []
            currentCost = 0
            isTooLarge = false
        }
        guard !bytes.isEmpty else { return }
        switch kind {
        case .comment: metadata.texts.append(ImageMetadata.Text(keyword: "Comment", text: text))
        case .profile: profile = .icc(ICCProfile(bytes: bytes))
        case .xmp: metadata.xmp = Self.packet(bytes) ?? metadata.xmp
        }
    }

    /// UTF-8 where it is that, else Latin-1.
    private var text: String {
        String(validating: bytes, as: UTF8.self) ?? String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
    }

    /// Bytes that lead whoever takes XMP for blocks to the end of them.
    static let trailer: [UInt8] = [1] + (0...255).reversed()

    private static func packet(_ bytes: [UInt8]) -> [UInt8]? {
        guard bytes.count > trailer.count, bytes.suffix(trailer.count).elementsEqual(trailer) else { return nil }
        return Array(bytes.dropLast(trailer.count))
    }
}
