#if HEIF
    import BowerbirdCore

    /// How the parts of a HEIF file hang together, looked at before libheif sees the file: it follows references wherever
    /// they lead, in circles too.
    struct HEIFParts {
        /// Where the file says that it ends; the boxes that have come say so.
        private(set) var end = 0
        private var references: [UInt32: [UInt32]] = [:]

        /// Pictures that one is put together from: a photograph of 200 megapixels has 800.
        private static let maximumPartCount = 20_000
        /// Throws `.truncated` where the facts of the file have not all come.
        init(in bytes: RawSpan) throws(DecodingError) {
            var facts: ISOBox?
            var isSequence = false
            while end < bytes.byteCount, let box = ISOBox(at: end, before: 1 << 62, in: bytes) {
                if box.hasType("meta", in: bytes) { facts = box }
                isSequence = isSequence || box.hasType("moov", in: bytes)
                end = box.end
            }
            guard let facts else { throw Self.missing(isSequence: isSequence, bytes.byteCount) }
            guard facts.end <= bytes.byteCount else { throw .truncated(atByte: bytes.byteCount) }
            readReferences(in: facts.contents.dropFirst(4), of: bytes)
        }

        private static func missing(isSequence: Bool, _ count: Int) -> DecodingError {
            isSequence ? .corrupt("it is a sequence without a still picture") : .truncated(atByte: count)
        }

        /// Throws where a picture is made of itself, of parts in too many layers, or of too many parts.
        func check(_ limits: DecodingLimits) throws(DecodingError) {
            var known: [UInt32: Extent] = [:]
            for item in references.keys {
                let extent = try extent(of: item, depth: 0, limits.maximumNestingDepth, &known)
                guard extent.partCount <= Self.maximumPartCount else { throw .corrupt("it has more than 20,000 parts") }
            }
        }

        /// How many pictures one is made of, itself among them, and in how many layers.
        private struct Extent {
            var partCount = 1
            var layerCount = 1
        }

        private func extent(
            of item: UInt32, depth: Int, _ maximumDepth: Int, _ known: inout [UInt32: Extent]
        ) throws(DecodingError) -> Extent {
            var extent = known[item] ?? Extent()
            guard depth + extent.layerCount <= maximumDepth else { throw .tooDeeplyNested(maximum: maximumDepth) }
            if known[item] != nil { return extent }
            for part in references[item] ?? [] {
                let below = try self.extent(of: part, depth: depth + 1, maximumDepth, &known)
                // One too many is enough to be refused, and far from an overflow.
                extent.partCount = min(extent.partCount + below.partCount, Self.maximumPartCount + 1)
                extent.layerCount = max(extent.layerCount, below.layerCount + 1)
            }
            known[item] = extent
            return extent
        }

        /// A picture is made of others (`dimg`), and it has an alpha that points to it (`auxl`).
        private mutating func readReferences(in facts: Range<Int>, of bytes: RawSpan) {
            guard let box = ISOBox.first("iref", in: facts, of: bytes) else { return }
            let width = bytes.byte(at: box.contents.lowerBound) == 0 ? 2 : 4
            for reference in ISOBox.all(in: box.contents.dropFirst(4), of: bytes) {
                let isPart = reference.hasType("dimg", in: bytes)
                guard isPart || reference.hasType("auxl", in: bytes) else { continue }
                let start = reference.contents.lowerBound
                let count = Int(bytes.bigEndian16(at: start + width) ?? 0)
                let room = max(0, reference.contents.count - width - 2) / width
                guard let item = Self.item(at: start, width, in: bytes) else { continue }
                for index in 0..<min(count, room) {
                    guard let other = Self.item(at: start + width + 2 + index * width, width, in: bytes) else { break }
                    if isPart { references[item, default: []].append(other) }
                    if !isPart { references[other, default: []].append(item) }
                }
            }
        }

        private static func item(at offset: Int, _ width: Int, in bytes: RawSpan) -> UInt32? {
            width == 2 ? bytes.bigEndian16(at: offset).map(UInt32.init) : bytes.bigEndian32(at: offset)
        }
    }
#endif
