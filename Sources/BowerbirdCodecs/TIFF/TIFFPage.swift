#if TIFF
    import BowerbirdCore
    import CTIFF

    /// What the directory of a page claims, read before libtiff opens it.
    struct TIFFPage {
        /// Of its directory.
        let offset: UInt64
        /// Nil where it is not said in a way that we understand.
        let size: PixelSize?
        /// Whether the file says what samples beyond the colours are: libtiff makes that up where it does not.
        let saysExtraSamples: Bool
        private let fields: [TIFFField]

        init(at offset: UInt64, _ structure: TIFFStructure, in bytes: RawSpan) {
            let fields = structure.fields(ofDirectoryAt: offset, in: bytes)
            let sides = [TIFFTAG_IMAGEWIDTH, TIFFTAG_IMAGELENGTH].map { tag in
                fields.first { $0.tag == tag }.flatMap { structure.number($0, in: bytes) }.map { Int(clamping: $0) }
            }
            self.offset = offset
            self.fields = fields
            size = sides[0].flatMap { width in sides[1].map { PixelSize(width: width, height: $0) } }
            saysExtraSamples = fields.contains { $0.tag == TIFFTAG_EXTRASAMPLES }
        }

        private func field(_ tag: Int32) -> TIFFField? { fields.first { $0.tag == tag } }

        /// Whether something that a header tells lies behind the end of the bytes.
        func lacksFacts(in bytes: RawSpan) -> Bool {
            let facts = [TIFFTAG_BITSPERSAMPLE, TIFFTAG_EXTRASAMPLES, TIFFTAG_SAMPLEFORMAT, TIFFTAG_ICCPROFILE]
            return facts.compactMap(field).contains { $0.range(in: bytes) == nil }
        }

        /// Throws where the page wants more than is allowed.
        func check(_ limits: DecodingLimits) throws(DecodingError) {
            if let size { try limits.check(size) }
            guard let profile = field(TIFFTAG_ICCPROFILE) else { return }
            try limits.check(metadataByteCount: Int(clamping: profile.byteCount))
        }

        /// What is allowed for a row, a tile or any other block of memory beside the picture.
        var largestBlock: Int { Self.largestBlock(of: size ?? PixelSize(width: 0, height: 0)) }

        /// No picture has more than 64 MB of rows in one block that are worth reading, unless it is as large itself.
        static func largestBlock(of size: PixelSize) -> Int {
            let (byteCount, isHuge) = size.pixelCount.multipliedReportingOverflow(by: 16)
            return isHuge ? 1 << 26 : max(1 << 26, byteCount)
        }

        /// The XMP packet, where it is not over the limit.
        func xmp(in bytes: RawSpan, _ limits: DecodingLimits) -> [UInt8]? {
            guard let range = field(TIFFTAG_XMLPACKET)?.range(in: bytes),
                range.count <= limits.maximumMetadataByteCount
            else { return nil }
            return bytes.extracting(range).withUnsafeBytes { Array($0) }
        }
    }
#endif
