#if TIFF
    import BowerbirdCore

    /// Where the pages of a file are: each is described by a directory, which says where the next one is.
    struct TIFFDirectories {
        /// Those whose list of entries lies in the bytes.
        private(set) var offsets: [UInt64] = []
        /// False where the next one lies behind the end of the bytes.
        private(set) var isComplete = false
        private let order: Order
        private let isBigTIFF: Bool

        private enum Order { case big, little }

        /// More are not looked for, whatever the limits say.
        private static let mostEntries: UInt64 = 1 << 16

        /// Finds no more than `maximum` and one. Throws where there is not even the first.
        init(of bytes: RawSpan, atMost maximum: Int) throws(DecodingError) {
            guard !bytes.isEmpty else { throw .empty }
            guard bytes.byteCount >= 8 else { throw .truncated(atByte: bytes.byteCount) }
            order = bytes.matches("II") ? .little : .big
            isBigTIFF = order == .little ? bytes.matches([43, 0], at: 2) : bytes.matches([0, 43], at: 2)
            let isClassic = order == .little ? bytes.matches([42, 0], at: 2) : bytes.matches([0, 42], at: 2)
            guard bytes.matches("II") || bytes.matches("MM"), isClassic || isBigTIFF else {
                throw .corrupt("it does not begin as a TIFF file does")
            }
            guard let first = offset(bytes, at: isBigTIFF ? 8 : 4) else { throw .truncated(atByte: bytes.byteCount) }
            follow(from: first, in: bytes, atMost: maximum)
            guard offsets.isEmpty else { return }
            throw isComplete ? .corrupt("it has no directory") : .truncated(atByte: bytes.byteCount)
        }

        /// One that leads back to an earlier one is the last.
        private mutating func follow(from first: UInt64, in bytes: RawSpan, atMost maximum: Int) {
            var next = first
            var seen: Set<UInt64> = []
            while next != 0, seen.insert(next).inserted, offsets.count <= maximum {
                guard next < UInt64(bytes.byteCount), let count = entryCount(bytes, at: Int(next)) else { return }
                guard count > 0, count <= Self.mostEntries else { break }
                let end = Int(next) + (isBigTIFF ? 8 + 20 * Int(count) : 2 + 12 * Int(count))
                guard end <= bytes.byteCount else { return }
                offsets.append(next)
                guard let following = offset(bytes, at: end) else { return }
                next = following
            }
            isComplete = true
        }

        /// Whether something of the first page that a header tells lies behind the end of the bytes.
        func lacksFacts(in bytes: RawSpan) -> Bool {
            guard let directory = offsets.first, let count = entryCount(bytes, at: Int(directory)) else { return true }
            let (start, entryByteCount) = (Int(directory) + (isBigTIFF ? 8 : 2), isBigTIFF ? 20 : 12)
            return (0..<Int(count)).contains { index in
                let entry = start + index * entryByteCount
                guard let tag = read16(bytes, at: entry), Self.facts.contains(tag) else { return false }
                return end(ofEntryAt: entry, in: bytes).map { $0 > UInt64(bytes.byteCount) } ?? false
            }
        }

        /// The bits of the samples, what kind they are, and the profile.
        private static let facts: Set<UInt16> = [258, 338, 339, 34675]
        private static let byteCounts: [UInt16: UInt64] = [
            1: 1, 2: 1, 3: 2, 4: 4, 6: 1, 7: 1, 8: 2, 9: 4, 16: 8, 17: 8,
        ]

        /// Where the values end that do not fit into their entry.
        private func end(ofEntryAt entry: Int, in bytes: RawSpan) -> UInt64? {
            guard let type = read16(bytes, at: entry + 2), let size = Self.byteCounts[type],
                let count = offset(bytes, at: entry + 4), let start = offset(bytes, at: entry + (isBigTIFF ? 12 : 8))
            else { return nil }
            let (byteCount, isHuge) = count.multipliedReportingOverflow(by: size)
            guard isHuge || byteCount > (isBigTIFF ? 8 : 4) else { return nil }
            let (end, isBeyond) = start.addingReportingOverflow(byteCount)
            return isHuge || isBeyond ? .max : end
        }

        private func entryCount(_ bytes: RawSpan, at offset: Int) -> UInt64? {
            isBigTIFF ? read64(bytes, at: offset) : read16(bytes, at: offset).map(UInt64.init)
        }

        private func offset(_ bytes: RawSpan, at offset: Int) -> UInt64? {
            isBigTIFF ? read64(bytes, at: offset) : read32(bytes, at: offset).map(UInt64.init)
        }

        private func read16(_ bytes: RawSpan, at offset: Int) -> UInt16? {
            order == .big ? bytes.bigEndian16(at: offset) : bytes.littleEndian16(at: offset)
        }

        private func read32(_ bytes: RawSpan, at offset: Int) -> UInt32? {
            order == .big ? bytes.bigEndian32(at: offset) : bytes.littleEndian32(at: offset)
        }

        private func read64(_ bytes: RawSpan, at offset: Int) -> UInt64? {
            guard let first = read32(bytes, at: offset), let second = read32(bytes, at: offset + 4) else { return nil }
            let (high, low) = order == .big ? (first, second) : (second, first)
            return UInt64(high) << 32 | UInt64(low)
        }
    }
#endif
