#if SVG
    import BowerbirdCore

    /// The tags of an SVG document, one after the other. It knows as much of XML as it takes to find them; what is no
    /// XML at all is left to librsvg to refuse.
    struct SVGMarkup {
        let bytes: [UInt8]
        private var position = 0

        init(_ bytes: [UInt8]) {
            self.bytes = bytes
            if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
        }

        enum Piece {
            /// A tag that opens an element; `isEmpty` when it closes it as well.
            case start(name: Range<Int>, [Attribute], isEmpty: Bool)
            case end
            /// The XML declaration and other instructions.
            case instruction(Range<Int>)
            /// All between `<!DOCTYPE` and the `>` that belongs to it.
            case documentType(Range<Int>)
        }

        struct Attribute {
            let name: Range<Int>
            /// Without the quotes.
            let value: Range<Int>
        }

        /// The next piece; nil behind the last, and where the bytes end in one.
        mutating func next() -> Piece? {
            while let start = bytes[position...].firstIndex(of: UInt8(ascii: "<")) {
                position = start
                if matches("<!--") {
                    guard skip(to: "-->") != nil else { return nil }
                } else if matches("<![CDATA[") {
                    guard skip(to: "]]>") != nil else { return nil }
                } else if matches("<?") {
                    return skip(to: "?>").map { .instruction($0) }
                } else if matches("<!") {
                    return documentType()
                } else if matches("</") {
                    return skip(to: ">").map { _ in .end }
                } else {
                    return startTag()
                }
            }
            position = bytes.count
            return nil
        }

        /// Whether all bytes have been looked at, so that `next()` did not end in a piece.
        var isAtEnd: Bool { position >= bytes.count }

        func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

        /// The same with question marks for all that is not ASCII, so that no character hides another.
        func plainText(_ range: Range<Int>) -> String {
            String(decoding: bytes[range].map { $0 < 0x80 ? $0 : UInt8(ascii: "?") }, as: UTF8.self)
        }

        private func matches(_ text: StaticString) -> Bool {
            bytes.span.bytes.matches(text, at: position)
        }

        /// Goes behind the next `mark`; gives what was before it.
        private mutating func skip(to mark: StaticString) -> Range<Int>? {
            let start = position
            while position < bytes.count {
                if matches(mark) {
                    defer { position += mark.utf8CodeUnitCount }
                    return start..<position
                }
                position += 1
            }
            position = start
            return nil
        }

        /// The internal part has brackets around it, and `>` of its own.
        private mutating func documentType() -> Piece? {
            let start = position
            var quote: UInt8?
            var depth = 0
            var commentEnd = start
            for index in start..<bytes.count where index >= commentEnd {
                let byte = bytes[index]
                if quote == nil, bytes.span.bytes.matches("<!--", at: index) {
                    guard let end = self.index(behind: "-->", from: index + 4) else { return nil }
                    commentEnd = end
                    continue
                }
                if let open = quote {
                    if byte == open { quote = nil }
                    continue
                }
                switch byte {
                case UInt8(ascii: "\""), UInt8(ascii: "'"): quote = byte
                case UInt8(ascii: "["): depth += 1
                case UInt8(ascii: "]"): depth -= 1
                case UInt8(ascii: ">") where depth <= 0:
                    position = index + 1
                    return .documentType(start..<index)
                default: break
                }
            }
            return nil
        }

        private func index(behind mark: StaticString, from start: Int) -> Int? {
            (start..<max(start, bytes.count)).first { bytes.span.bytes.matches(mark, at: $0) }
                .map { $0 + mark.utf8CodeUnitCount }
        }

        private mutating func startTag() -> Piece? {
            let start = position
            var index = start + 1
            var attributes: [Attribute] = []
            let name = takeName(&index)
            while index < bytes.count {
                let byte = bytes[index]
                if byte == UInt8(ascii: ">") {
                    position = index + 1
                    return .start(name: name, attributes, isEmpty: bytes[index - 1] == UInt8(ascii: "/"))
                }
                guard !Self.isSpace(byte), byte != UInt8(ascii: "/") else {
                    index += 1
                    continue
                }
                guard let attribute = takeAttribute(&index) else { return nil }
                attributes.append(attribute)
            }
            return nil
        }

        private func takeName(_ index: inout Int) -> Range<Int> {
            let start = index
            while index < bytes.count, !Self.isSpace(bytes[index]), !Self.ends.contains(bytes[index]) { index += 1 }
            return start..<index
        }

        /// What has no value between quotes is taken for an attribute with none.
        private func takeAttribute(_ index: inout Int) -> Attribute? {
            let name = takeName(&index)
            skipSpaces(&index)
            guard index < bytes.count, bytes[index] == UInt8(ascii: "=") else {
                index = max(index, name.lowerBound + 1)
                return Attribute(name: name, value: index..<index)
            }
            index += 1
            skipSpaces(&index)
            guard index < bytes.count else { return nil }
            let quote = bytes[index]
            guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
                return Attribute(name: name, value: index..<index)
            }
            guard let end = bytes[(index + 1)...].firstIndex(of: quote) else { return nil }
            defer { index = end + 1 }
            return Attribute(name: name, value: index + 1..<end)
        }

        private func skipSpaces(_ index: inout Int) {
            while index < bytes.count, Self.isSpace(bytes[index]) { index += 1 }
        }

        private static let ends = Array("=>/\"'".utf8)

        private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
    }
#endif
