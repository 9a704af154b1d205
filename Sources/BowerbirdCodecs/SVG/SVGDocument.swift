#if SVG
    import BowerbirdCore

    /// An SVG document that has been looked through before librsvg gets it: it is nested no deeper than the limits
    /// allow, its entities are plain text, and the pictures inside it are of kinds and sizes that may be decoded. What
    /// may not is taken out, with a warning.
    struct SVGDocument {
        let size: SVGSize
        private(set) var bytes: [UInt8]
        private(set) var warnings: [ImageWarning] = []

        /// How far the root is looked for.
        private static let headLength = 1 << 18

        /// The size of the root, from the first bytes.
        static func size(of bytes: RawSpan) throws(DecodingError) -> SVGSize {
            guard !bytes.isEmpty else { throw .empty }
            let head = bytes.extracting(first: headLength)
            var markup = SVGMarkup(head.withUnsafeBytes { Array($0) })
            while let piece = markup.next() {
                switch piece {
                case .start(let name, let attributes, _): return try size(of: name, attributes, markup)
                case .end: throw .corrupt("its first tag closes something")
                case .instruction, .documentType: continue
                }
            }
            if head.byteCount == bytes.byteCount { throw .truncated(atByte: bytes.byteCount) }
            throw .corrupt("it does not begin with an svg element")
        }

        private static func size(
            of name: Range<Int>, _ attributes: [SVGMarkup.Attribute], _ markup: SVGMarkup
        ) throws(DecodingError) -> SVGSize {
            guard markup.text(name).split(separator: ":").last == "svg" else {
                throw .corrupt("it does not begin with an svg element")
            }
            return SVGSize { name in
                attributes.first { markup.text($0.name) == name }.map { markup.text($0.value) }
            }
        }

        /// Looks through a whole document.
        init(_ file: RawSpan, _ limits: DecodingLimits) throws(DecodingError) {
            size = try Self.size(of: file)
            bytes = file.withUnsafeBytes { Array($0) }
            var markup = SVGMarkup(bytes)
            var depth = 0
            var entities = SVGEntities()
            var pictures = SVGPictures(limits)
            while let piece = markup.next() {
                try DecodingError.checkCancellation()
                switch piece {
                case .instruction(let range): try Self.checkEncoding(markup.plainText(range))
                case .documentType(let range): try entities.read(markup.plainText(range))
                case .end: depth -= 1
                case .start(_, let attributes, let isEmpty):
                    if !isEmpty { depth += 1 }
                    guard depth <= limits.maximumNestingDepth else {
                        throw .tooDeeplyNested(maximum: limits.maximumNestingDepth)
                    }
                    for attribute in attributes where Self.isReference(attribute, markup) {
                        let reference = try entities.expand(markup.text(attribute.value))
                        if !pictures.allows(reference) { takeOut(attribute.value) }
                    }
                }
            }
            if depth > 0 || !markup.isAtEnd { throw .truncated(atByte: file.byteCount) }
        }

        private static func isReference(_ attribute: SVGMarkup.Attribute, _ markup: SVGMarkup) -> Bool {
            markup.bytes[attribute.name].suffix(4).elementsEqual("href".utf8)
        }

        private mutating func takeOut(_ range: Range<Int>) {
            for index in range { bytes[index] = 0x20 }
            warnings = [.corrupt("a picture inside it is not drawn")]
        }

        /// Only where the bytes of ASCII characters are their own can markup be found.
        private static func checkEncoding(_ declaration: String) throws(DecodingError) {
            let text = declaration.lowercased()
            guard text.hasPrefix("<?xml "), let start = text.range(of: "encoding") else { return }
            let known = ["utf-8", "utf8", "ascii", "iso-8859-", "windows-125", "latin"]
            guard known.contains(where: { text[start...].contains($0) }) else {
                throw .corrupt("its characters are in an encoding that is not read")
            }
        }
    }

    extension String {
        fileprivate func range(of text: String) -> String.Index? {
            indices.first { self[$0...].hasPrefix(text) }
        }
    }

    /// The names that a document gives to pieces of text. Those with markup or other names in them are refused: they
    /// serve to make a small document large.
    struct SVGEntities {
        private var values: [String: String] = ["amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'"]
        private static let mostEntities = 256

        /// Takes the declarations of a document type one after the other.
        mutating func read(_ documentType: String) throws(DecodingError) {
            // Behind its own “<!”.
            var rest = documentType.dropFirst(2)
            while let start = rest.firstIndex(where: { $0 == "<" || $0 == "%" }) {
                rest = rest[start...]
                if rest.hasPrefix("<!--") {
                    rest = Self.behind("-->", rest.dropFirst(4))
                } else if rest.hasPrefix("<?") {
                    rest = Self.behind("?>", rest)
                } else {
                    rest = try readDeclaration(rest)
                }
            }
        }

        /// Elements and lists of attributes are of no use here, but they can give an attribute to an element that has
        /// none.
        private mutating func readDeclaration(_ text: Substring) throws(DecodingError) -> Substring {
            let isEntity = text.hasPrefix("<!ENTITY")
            var end = text.startIndex
            var quote: Character?
            for index in text.indices {
                end = text.index(after: index)
                if quote == nil, text[index] == ">" { break }
                if quote == text[index] {
                    quote = nil
                } else if "\"'".contains(text[index]) {
                    quote = quote ?? text[index]
                }
            }
            let declaration = text[..<end]
            guard isEntity || !declaration.contains("href"), text.first == "<" else { throw Self.refusal }
            if isEntity { try readEntity(declaration.dropFirst(8)) }
            return text[end...]
        }

        private mutating func readEntity(_ declaration: Substring) throws(DecodingError) {
            let text = declaration.drop { $0.isWhitespace }
            let name = text.prefix { !$0.isWhitespace && $0 != "\"" && $0 != "'" }
            let rest = text.dropFirst(name.count).drop { $0.isWhitespace }
            guard name != "%", values.count < Self.mostEntities else { throw Self.refusal }
            // Those that lie elsewhere are never loaded.
            guard let quote = rest.first, quote == "\"" || quote == "'" else { return }
            let value = rest.dropFirst().prefix { $0 != quote }
            guard !value.contains(where: { "<&%".contains($0) }) else { throw Self.refusal }
            // Of several with one name the first counts.
            if values[String(name)] == nil { values[String(name)] = String(value) }
        }

        private static func behind(_ mark: String, _ text: Substring) -> Substring {
            var rest = text
            while !rest.isEmpty, !rest.hasPrefix(mark) { rest = rest.dropFirst() }
            return rest.dropFirst(mark.count)
        }

        private static let refusal = DecodingError.corrupt("its entities are more than names for texts")

        /// What an attribute says once its references are replaced.
        func expand(_ text: String) throws(DecodingError) -> String {
            guard text.utf8.contains(UInt8(ascii: "&")) else { return text }
            var parts = text.split(separator: "&", omittingEmptySubsequences: false)[...]
            var result = String(parts.removeFirst())
            for part in parts {
                let name = part.prefix { $0 != ";" }
                guard name.count < part.count, let value = value(of: name) else {
                    throw .corrupt("“&\(name.prefix(20))” is not one of its entities")
                }
                result += value + part.dropFirst(name.count + 1)
            }
            return result
        }

        private func value(of name: Substring) -> String? {
            guard name.hasPrefix("#") else { return values[String(name)] }
            let isHexadecimal = name.dropFirst().first == "x"
            let digits = name.dropFirst(isHexadecimal ? 2 : 1)
            return UInt32(digits, radix: isHexadecimal ? 16 : 10).flatMap(Unicode.Scalar.init).map { String($0) }
        }
    }
#endif
