#if SVG
    import BowerbirdCore

    /// Decides which references of a drawing librsvg may follow. It follows none out of the document but `data:`, and
    /// what comes that way is decoded without limits: so only pictures may whose size we know.
    struct SVGPictures {
        private var remainingPixelCount: Int
        private static let formats: Set<ImageFormat> = [.png, .jpeg, .gif, .webP]

        init(_ limits: DecodingLimits) { remainingPixelCount = limits.maximumPixelCount }

        /// Whether the reference may stay.
        mutating func allows(_ reference: String) -> Bool {
            // Addresses may have white space anywhere, which does not count.
            let text = Array(reference.utf8.lazy.filter { $0 > 0x20 })
            guard String(decoding: text.prefix(5), as: UTF8.self).lowercased() == "data:" else { return true }
            guard let comma = text.firstIndex(of: UInt8(ascii: ",")) else { return false }
            let kind = String(decoding: text[..<comma], as: UTF8.self).lowercased()
            guard kind.hasSuffix(";base64"), let picture = Base64.decode(text[(comma + 1)...]) else { return false }
            return allows(picture)
        }

        private mutating func allows(_ picture: [UInt8]) -> Bool {
            let bytes = picture.span.bytes
            guard let header = try? CodecSet.builtIn.header(of: bytes), Self.formats.contains(header.format),
                !header.size.isEmpty, header.size.pixelCount <= remainingPixelCount
            else { return false }
            remainingPixelCount -= header.size.pixelCount
            return true
        }
    }

    /// The usual alphabet, percent signs in an address included.
    private enum Base64 {
        /// Nil where other characters are in it. Stops at the padding.
        static func decode(_ text: ArraySlice<UInt8>) -> [UInt8]? {
            var result: [UInt8] = []
            result.reserveCapacity(text.count * 3 / 4)
            var (buffer, bitCount, index) = (UInt32(0), 0, text.startIndex)
            while index < text.endIndex {
                var byte = text[index]
                index += 1
                if byte == UInt8(ascii: "%"), let escaped = escape(text[index...]) {
                    byte = escaped
                    index += 2
                }
                if byte == UInt8(ascii: "=") { break }
                if byte <= 0x20 { continue }
                guard let value = value(of: byte) else { return nil }
                buffer = buffer << 6 | value
                bitCount += 6
                guard bitCount >= 8 else { continue }
                bitCount -= 8
                result.append(UInt8(truncatingIfNeeded: buffer >> UInt32(bitCount)))
            }
            return result
        }

        private static func escape(_ text: ArraySlice<UInt8>) -> UInt8? {
            guard text.count >= 2 else { return nil }
            return UInt8(String(decoding: text.prefix(2), as: UTF8.self), radix: 16)
        }

        private static func value(of byte: UInt8) -> UInt32? {
            switch byte {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(byte) - 65
            case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(byte) - 71
            case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte) + 4
            case UInt8(ascii: "+"): 62
            case UInt8(ascii: "/"): 63
            default: nil
            }
        }
    }
#endif
