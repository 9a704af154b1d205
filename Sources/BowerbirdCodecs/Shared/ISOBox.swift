#if AVIF || HEIF
    import BowerbirdCore

    /// A box of an ISO base media file, the container of AVIF and HEIF. Nothing in it is trusted: it never reaches beyond
    /// the box that it lies in, but may reach beyond the bytes that have arrived.
    struct ISOBox: Hashable {
        private let start: Int
        /// What it holds, behind its size and type.
        let contents: Range<Int>

        /// Its end.
        var end: Int { contents.upperBound }

        func hasType(_ type: StaticString, in bytes: RawSpan) -> Bool { bytes.matches(type, at: start + 4) }

        /// The box at `start` in a part that ends at `limit`; nil where its size makes no sense or has not arrived.
        init?(at start: Int, before limit: Int, in bytes: RawSpan) {
            guard let shortSize = bytes.bigEndian32(at: start), bytes.byte(at: start + 7) != nil else { return nil }
            var size = Int(shortSize)
            var headerSize = 8
            if size == 1 {
                guard let high = bytes.bigEndian32(at: start + 8), let low = bytes.bigEndian32(at: start + 12),
                    let longSize = Int(exactly: UInt64(high) << 32 | UInt64(low))
                else { return nil }
                (size, headerSize) = (longSize, 16)
            } else if size == 0 {
                size = limit - start
            }
            guard size >= headerSize, start + headerSize <= limit else { return nil }
            self.start = start
            contents = start + headerSize..<start + min(size, limit - start)
        }

        /// The boxes in `part`, until one makes no sense.
        static func all(in part: Range<Int>, of bytes: RawSpan) -> [ISOBox] {
            var boxes: [ISOBox] = []
            var offset = part.lowerBound
            while offset < part.upperBound, let box = ISOBox(at: offset, before: part.upperBound, in: bytes) {
                boxes.append(box)
                offset = box.end
            }
            return boxes
        }

        /// The first box of a type in `part`.
        static func first(_ type: StaticString, in part: Range<Int>, of bytes: RawSpan) -> ISOBox? {
            var offset = part.lowerBound
            while offset < part.upperBound, let box = ISOBox(at: offset, before: part.upperBound, in: bytes) {
                if box.hasType(type, in: bytes) { return box }
                offset = box.end
            }
            return nil
        }

        /// The first box of a type in it, then the first in that one, and so on.
        func descendant(_ types: StaticString..., in bytes: RawSpan) -> ISOBox? {
            var box = self
            for type in types {
                guard let child = Self.first(type, in: box.contents, of: bytes) else { return nil }
                box = child
            }
            return box
        }
    }
#endif
