#if PNG
    import BowerbirdCore
    import CDeflate

    /// One chunk of a PNG file, by its place: four bytes of length, four of type, the data, and a checksum.
    struct PNGChunk: Hashable, Sendable {
        let type: Kind
        /// Where its length stands.
        let start: Int
        let dataCount: Int

        static let headerCount = 8
        static let checksumCount = 4

        var data: Range<Int> { start + Self.headerCount..<start + Self.headerCount + dataCount }
        /// Behind its checksum.
        var end: Int { data.upperBound + Self.checksumCount }

        /// The chunk whose header stands at `offset`; nil where the bytes end before that. Throws where there is no
        /// such thing.
        init?(at offset: Int, in bytes: RawSpan) throws(DecodingError) {
            guard let length = bytes.bigEndian32(at: offset), let type = bytes.bigEndian32(at: offset + 4) else {
                return nil
            }
            guard length <= Int32.max else { throw .corrupt("a chunk of \(length) bytes") }
            self.type = Kind(rawValue: type)
            start = offset
            dataCount = Int(length)
            guard self.type.isValid else { throw .corrupt("bytes that are no chunk at \(offset)") }
        }

        func isComplete(in bytes: RawSpan) -> Bool { end <= bytes.byteCount }

        /// Whether all of it is there and its checksum is right.
        func isSound(in bytes: RawSpan) -> Bool {
            guard isComplete(in: bytes), let checksum = bytes.bigEndian32(at: data.upperBound) else { return false }
            return PNGChecksum.of(bytes.extracting(start + 4..<data.upperBound)) == checksum
        }

        /// Four letters, which say by their case what may be done with chunks that are not known.
        struct Kind: RawRepresentable, Hashable, Sendable {
            let rawValue: UInt32

            init(rawValue: UInt32) { self.rawValue = rawValue }

            init(_ name: StaticString) {
                let letters = UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount)
                rawValue = letters.reduce(0) { $0 << 8 | UInt32($1) }
            }

            /// Whether a picture can be shown without it.
            var isAncillary: Bool { rawValue & 0x2000_0000 != 0 }

            fileprivate var isValid: Bool {
                (0..<4).allSatisfy { index in
                    let letter = UInt8(truncatingIfNeeded: rawValue >> (8 * index)) | 0x20
                    return (0x61...0x7A).contains(letter)
                }
            }

            static let header = Self("IHDR")
            static let palette = Self("PLTE")
            static let imageData = Self("IDAT")
            static let end = Self("IEND")
            static let transparency = Self("tRNS")
            static let exif = Self("eXIf")
            static let iccProfile = Self("iCCP")
            static let sRGB = Self("sRGB")
            static let codingPoints = Self("cICP")
            static let density = Self("pHYs")
            static let text = Self("tEXt")
            static let compressedText = Self("zTXt")
            static let internationalText = Self("iTXt")
            static let animation = Self("acTL")
            static let frame = Self("fcTL")
            static let frameData = Self("fdAT")
        }
    }

    /// CRC-32, as chunks have it.
    enum PNGChecksum {
        static func of(_ bytes: RawSpan, after start: UInt32 = 0) -> UInt32 {
            bytes.withUnsafeBytes { libdeflate_crc32(start, $0.baseAddress, $0.count) }
        }
    }

    /// The chunks of a file one after the other, as far as they can be told apart.
    struct PNGChunks {
        static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

        /// Where the next one begins.
        private(set) var offset = Self.signature.count

        /// The next chunk whose header is there, whether all of it is or not; nil where the bytes end.
        mutating func next(in bytes: RawSpan) throws(DecodingError) -> PNGChunk? {
            guard let chunk = try PNGChunk(at: offset, in: bytes) else { return nil }
            offset = chunk.end
            return chunk
        }

        /// Throws where the file does not begin like PNG; `.truncated` where it is too short to tell.
        static func checkSignature(of bytes: RawSpan) throws(DecodingError) {
            let beginning = bytes.extracting(first: signature.count)
            guard beginning.matches(Array(signature.prefix(beginning.byteCount))) else {
                throw .corrupt("it does not begin like a PNG file")
            }
            guard beginning.byteCount == signature.count else { throw .truncated(atByte: bytes.byteCount) }
        }
    }
#endif
