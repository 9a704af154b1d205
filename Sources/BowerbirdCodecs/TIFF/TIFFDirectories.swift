#if TIFF
    import BowerbirdCore

    /// Where the pages of a file are: each is described by a directory, which says where the next one is.
    struct TIFFDirectories {
        /// Those whose list of entries lies in the bytes.
        private(set) var offsets: [UInt64] = []
        /// False where the next one lies behind the end of the bytes.
        private(set) var isComplete = false
        let structure: TIFFStructure

        /// Finds no more than `maximum` and one. Throws where there is not even the first.
        init(of bytes: RawSpan, atMost maximum: Int) throws(DecodingError) {
            guard !bytes.isEmpty else { throw .empty }
            guard bytes.byteCount >= 8 else { throw .truncated(atByte: bytes.byteCount) }
            guard let structure = TIFFStructure(of: bytes) else {
                throw .corrupt("it does not begin as a TIFF file does")
            }
            self.structure = structure
            guard let first = structure.readOffset(bytes, at: structure.firstLink) else {
                throw .truncated(atByte: bytes.byteCount)
            }
            follow(from: first, in: bytes, atMost: maximum)
            guard offsets.isEmpty else { return }
            throw isComplete ? .corrupt("it has no directory") : .truncated(atByte: bytes.byteCount)
        }

        /// One that leads back to an earlier one is the last.
        private mutating func follow(from first: UInt64, in bytes: RawSpan, atMost maximum: Int) {
            var next = first
            var seen: Set<UInt64> = []
            while next != 0, seen.insert(next).inserted, offsets.count <= maximum {
                guard next < UInt64(bytes.byteCount), let count = structure.entryCount(bytes, at: Int(next)) else {
                    return
                }
                guard structure.isPossible(entryCount: count) else { break }
                guard let entries = structure.entries(ofDirectoryAt: next, in: bytes) else { return }
                offsets.append(next)
                guard let following = structure.readOffset(bytes, at: entries.upperBound) else { return }
                next = following
            }
            isComplete = true
        }

        /// What the directory of a page says, as far as we look at it before libtiff does.
        func page(_ index: Int, in bytes: RawSpan) throws(DecodingError) -> TIFFPage {
            guard offsets.indices.contains(index) else { throw .noSuchFrame(index, count: offsets.count) }
            return TIFFPage(at: offsets[index], structure, in: bytes)
        }
    }
#endif
