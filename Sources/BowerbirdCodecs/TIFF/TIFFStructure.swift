#if TIFF
    import BowerbirdCore

    /// How the numbers and directories of a file are written, classic or BigTIFF. What they claim is read by ourselves,
    /// so that it is known before libtiff takes memory for it.
    struct TIFFStructure {
        let order: ByteOrder
        let isBigTIFF: Bool

        /// More are not looked at.
        private static let mostEntries: UInt64 = 1 << 16

        /// Nil for what does not begin as a TIFF file does.
        init?(of bytes: RawSpan) {
            guard bytes.matches("II") || bytes.matches("MM") else { return nil }
            order = bytes.matches("II") ? .little : .big
            switch order.read16(bytes, at: 2) {
            case 42: isBigTIFF = false
            case 43: isBigTIFF = true
            default: return nil
            }
        }

        /// Where the offset of the first directory is.
        var firstLink: Int { isBigTIFF ? 8 : 4 }
        private var countSize: Int { isBigTIFF ? 8 : 2 }
        private var entrySize: Int { isBigTIFF ? 20 : 12 }

        /// An offset, or a count of values.
        func readOffset(_ bytes: RawSpan, at place: Int) -> UInt64? {
            isBigTIFF ? read64(bytes, at: place) : order.read32(bytes, at: place).map(UInt64.init)
        }

        private func read64(_ bytes: RawSpan, at place: Int) -> UInt64? {
            guard let first = order.read32(bytes, at: place), let second = order.read32(bytes, at: place + 4) else {
                return nil
            }
            let (high, low) = order == .big ? (first, second) : (second, first)
            return UInt64(high) << 32 | UInt64(low)
        }

        /// Where the entries of a directory are; nil where they do not lie in the bytes.
        func entries(ofDirectoryAt offset: UInt64, in bytes: RawSpan) -> Range<Int>? {
            guard offset < UInt64(bytes.byteCount), let count = entryCount(bytes, at: Int(offset)),
                count <= Self.mostEntries
            else { return nil }
            let start = Int(offset) + countSize
            let end = start + entrySize * Int(count)
            return end <= bytes.byteCount ? start..<end : nil
        }

        /// Nil where the directory lies behind the end of the bytes.
        func entryCount(_ bytes: RawSpan, at directory: Int) -> UInt64? {
            isBigTIFF ? read64(bytes, at: directory) : order.read16(bytes, at: directory).map(UInt64.init)
        }

        /// Whether a directory could have so many.
        func isPossible(entryCount: UInt64) -> Bool { entryCount > 0 && entryCount <= Self.mostEntries }

        /// What is in a directory, in the order of the file.
        func fields(ofDirectoryAt offset: UInt64, in bytes: RawSpan) -> [TIFFField] {
            guard let entries = entries(ofDirectoryAt: offset, in: bytes) else { return [] }
            return (0..<entries.count / entrySize).compactMap { index in
                field(bytes, at: entries.lowerBound + index * entrySize)
            }
        }

        private func field(_ bytes: RawSpan, at entry: Int) -> TIFFField? {
            let value = entry + (isBigTIFF ? 12 : 8)
            guard let tag = order.read16(bytes, at: entry), let type = order.read16(bytes, at: entry + 2),
                let count = readOffset(bytes, at: entry + 4), let offset = readOffset(bytes, at: value)
            else { return nil }
            let (byteCount, isHuge) = count.multipliedReportingOverflow(by: TIFFField.byteCount(ofType: type))
            let isInEntry = !isHuge && byteCount <= (isBigTIFF ? 8 : 4)
            return TIFFField(
                tag: tag, type: type, count: count, offset: isInEntry ? UInt64(value) : offset,
                byteCount: isHuge ? .max : byteCount)
        }

        /// The first value of a field, where that is a whole number and not negative.
        func number(_ field: TIFFField, in bytes: RawSpan) -> UInt64? {
            guard field.count > 0, let place = field.range(in: bytes)?.lowerBound else { return nil }
            switch field.type {
            case 1: return bytes.byte(at: place).map(UInt64.init)
            case 3: return order.read16(bytes, at: place).map(UInt64.init)
            case 4, 13: return order.read32(bytes, at: place).map(UInt64.init)
            case 16, 18: return read64(bytes, at: place)
            default: return nil
            }
        }
    }

    /// An entry of a directory, as it claims to be.
    struct TIFFField {
        let tag: UInt16
        let type: UInt16
        let count: UInt64
        /// Where its values begin.
        let offset: UInt64
        /// Of all values; 0 for types that nobody knows.
        let byteCount: UInt64

        /// Where its values are; nil where that is not wholly in the bytes.
        func range(in bytes: RawSpan) -> Range<Int>? {
            guard let end, end <= UInt64(bytes.byteCount) else { return nil }
            return Int(offset)..<Int(end)
        }

        /// Nil behind the end of all numbers.
        private var end: UInt64? {
            let (end, isBeyond) = offset.addingReportingOverflow(byteCount)
            return isBeyond ? nil : end
        }

        static func byteCount(ofType type: UInt16) -> UInt64 {
            switch type {
            case 1, 2, 6, 7, 129: 1
            case 3, 8: 2
            case 4, 9, 11, 13: 4
            case 5, 10, 12, 16, 17, 18: 8
            default: 0
            }
        }
    }
#endif
