#if PNG
    import BowerbirdCore

    /// The chunks of text: keyword, zero, and the text, which may be compressed.
    enum PNGText {
        static let xmpKeyword = Array("XML:com.adobe.xmp".utf8)

        /// What a chunk says: the bytes of its text, once unpacked.
        struct Content {
            let keyword: [UInt8]
            let bytes: [UInt8]
            let isUTF8: Bool

            var text: ImageMetadata.Text {
                let decoded = isUTF8 ? String(decoding: bytes, as: UTF8.self) : String(latin1: bytes)
                return ImageMetadata.Text(keyword: String(latin1: keyword), text: decoded)
            }
        }

        /// From the data of a chunk; nil for what makes no sense. Throws where it is larger than the limit.
        static func content(
            _ type: PNGChunk.Kind, _ data: RawSpan, _ limits: DecodingLimits
        ) throws(DecodingError) -> Content? {
            guard let end = data.end(ofKeywordAt: 0) else { return nil }
            let rest = data.extracting(droppingFirst: end + 1)
            let keyword = Array(data, 0..<end)
            switch type {
            case .text: return Content(keyword: keyword, bytes: Array(rest, 0..<rest.byteCount), isUTF8: false)
            case .compressedText:
                guard rest.byte(at: 0) == 0 else { return nil }
                let bytes = try Inflating.inflate(rest.extracting(droppingFirst: 1), limits)
                return bytes.map { Content(keyword: keyword, bytes: $0, isUTF8: false) }
            default:
                return try international(rest, limits).map { Content(keyword: keyword, bytes: $0, isUTF8: true) }
            }
        }

        /// Whether it is compressed, how (0), a language, zero, the keyword in that language, zero, text.
        private static func international(_ data: RawSpan, _ limits: DecodingLimits) throws(DecodingError) -> [UInt8]? {
            guard let isCompressed = data.byte(at: 0), let language = data.firstZero(from: 2),
                let keyword = data.firstZero(from: language + 1)
            else { return nil }
            let text = data.extracting(droppingFirst: keyword + 1)
            if isCompressed == 0 { return Array(text, 0..<text.byteCount) }
            return data.byte(at: 1) == 0 ? try Inflating.inflate(text, limits) : nil
        }

        /// As Latin-1 where it can be, else as UTF-8.
        static func append(_ text: ImageMetadata.Text, to file: inout PNGFile) {
            let keyword = [UInt8](latin1: text.keyword).flatMap { (1...79).contains($0.count) ? $0 : nil }
            let bytes = text.text.filter { $0 != "\0" }
            if let latin = [UInt8](latin1: bytes) {
                file.append(.text, (keyword ?? Array("Comment".utf8)) + [0] + latin)
            } else {
                file.append(
                    .internationalText, (keyword ?? Array("Comment".utf8)) + [0, 0, 0, 0, 0] + Array(bytes.utf8))
            }
        }
    }

    extension RawSpan {
        fileprivate func firstZero(from start: Int) -> Int? {
            start < byteCount ? (start..<byteCount).first { byte(at: $0) == 0 } : nil
        }
    }

    extension [UInt8] {
        fileprivate init(_ bytes: RawSpan, _ range: Range<Int>) {
            self = bytes.extracting(range).withUnsafeBytes { Array($0) }
        }

        /// Nil where a character is not in Latin-1, or is the zero that ends keywords.
        fileprivate init?(latin1 text: String) {
            let scalars = text.unicodeScalars
            guard scalars.allSatisfy({ (1...255).contains($0.value) }) else { return nil }
            self = scalars.map { UInt8(truncatingIfNeeded: $0.value) }
        }
    }

    extension String {
        fileprivate init(latin1 bytes: [UInt8]) {
            self.init(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
        }
    }
#endif
