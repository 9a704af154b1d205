import BowerbirdCore

/// The list of pictures at the beginning of an icon or a cursor, the best first: the largest, then the deepest.
struct ICODirectory {
    let entries: [Entry]

    /// What the list says of one picture. The picture knows better.
    struct Entry {
        let size: PixelSize
        /// Bits of a pixel; 0 for cursors, which have other things there.
        let depth: Int
        let byteCount: Int
        let offset: Int
    }

    private static let headerByteCount = 6
    private static let entryByteCount = 16

    init(of bytes: RawSpan) throws(DecodingError) {
        guard !bytes.isEmpty else { throw .empty }
        let (reserved, kind) = (try bytes.required16(at: 0), try bytes.required16(at: 2))
        let count = try bytes.required16(at: 4)
        guard reserved == 0, kind == 1 || kind == 2 else { throw .corrupt("it does not begin as an icon does") }
        guard count > 0 else { throw .corrupt("it has no pictures") }
        guard Self.headerByteCount + Self.entryByteCount * count <= bytes.byteCount else {
            throw .truncated(atByte: bytes.byteCount)
        }
        var entries: [Entry] = []
        for index in 0..<count {
            let start = Self.headerByteCount + Self.entryByteCount * index
            entries.append(try Entry(bytes, at: start, isCursor: kind == 2))
        }
        // The sort is stable: equal ones stay in the order of the file.
        self.entries = entries.sorted { $0.quality > $1.quality }
    }

    /// The entries to try for a page, in this order: where the first is damaged, the next may not be.
    func candidates(for options: DecodingOptions) throws(DecodingError) -> [Entry] {
        try options.limits.check(frameCount: entries.count)
        guard entries.indices.contains(options.page) else {
            throw .noSuchFrame(options.page, count: entries.count)
        }
        if options.page > 0 { return [entries[options.page]] }
        guard let target = options.targetSize, options.pixels == .display, !target.isEmpty,
            let fitting = entries.lastIndex(where: { $0.isEnough(for: target, options.scaleMode) })
        else { return entries }
        return equals(of: fitting) + entries
    }

    /// Of entries of one size the deepest comes first.
    private func equals(of index: Int) -> [Entry] { entries.filter { $0.size == entries[index].size } }
}

extension ICODirectory.Entry {
    fileprivate init(_ bytes: RawSpan, at start: Int, isCursor: Bool) throws(DecodingError) {
        let (width, height) = (try bytes.required8(at: start), try bytes.required8(at: start + 1))
        size = PixelSize(width: width == 0 ? 256 : width, height: height == 0 ? 256 : height)
        depth = isCursor ? 0 : try bytes.required16(at: start + 6)
        byteCount = try bytes.required32(at: start + 8)
        offset = try bytes.required32(at: start + 12)
    }

    fileprivate var quality: (Int, Int, Int) { (size.pixelCount, depth, byteCount) }

    /// Whether a picture for `target` is made by making this one smaller.
    fileprivate func isEnough(for target: PixelSize, _ mode: ScaleMode) -> Bool {
        let (isWide, isHigh) = (size.width >= target.width, size.height >= target.height)
        return mode == .fit ? isWide || isHigh : isWide && isHigh
    }
}
