import BowerbirdCore

/// A TIFF file put together by hand, not compressed.
struct TIFFFile {
    /// What stands in a directory: 16-bit numbers (type 3), 32-bit ones (4), or bytes (1, 7).
    struct Entry {
        var tag: Int
        var type: Int
        var values: [Int]
    }

    struct Page {
        var entries: [Entry]
        /// One for each strip or tile.
        var parts: [[UInt8]]
        var isTiled = false
    }

    var pages: [Page]
    var isBigEndian = false
    var isBigTIFF = false
    /// The page that the last one leads to; nil for none.
    var loopsTo: Int?

    /// A page whose strips or tiles are given.
    static func page(
        _ width: Int, _ height: Int, bits: [Int], photometric: Int, rowsPerStrip: Int? = nil, tile: Int? = nil,
        planar: Int = 1, _ more: [Entry] = [], parts: [[UInt8]]
    ) -> Page {
        var entries = [
            Entry(tag: 256, type: 3, values: [width]), Entry(tag: 257, type: 3, values: [height]),
            Entry(tag: 258, type: 3, values: bits), Entry(tag: 259, type: 3, values: [1]),
            Entry(tag: 262, type: 3, values: [photometric]), Entry(tag: 277, type: 3, values: [bits.count]),
            Entry(tag: 284, type: 3, values: [planar]),
        ]
        if let tile {
            entries += [Entry(tag: 322, type: 3, values: [tile]), Entry(tag: 323, type: 3, values: [tile])]
        } else {
            entries.append(Entry(tag: 278, type: 3, values: [rowsPerStrip ?? height]))
        }
        return Page(entries: entries + more, parts: parts, isTiled: tile != nil)
    }

    var bytes: [UInt8] {
        var file = Array((isBigEndian ? "MM" : "II").utf8)
        file += isBigTIFF ? number(43, 2) + number(8, 2) + number(0, 2) + number(16, 8) : number(42, 2) + number(8, 4)
        var directories: [Int] = []
        for (index, page) in pages.enumerated() {
            directories.append(file.count)
            file += directory(page, at: file.count, isLast: index == pages.count - 1, directories)
        }
        return file
    }

    private func directory(_ page: Page, at start: Int, isLast: Bool, _ directories: [Int]) -> [UInt8] {
        let (entrySize, countSize, offsetSize) = isBigTIFF ? (20, 8, 8) : (12, 2, 4)
        let dataStart = start + countSize + entrySize * (page.entries.count + 2) + offsetSize
        var data: [UInt8] = []
        var offsets: [Int] = []
        for part in page.parts {
            offsets.append(dataStart + data.count)
            data += part + Array(repeating: 0, count: part.count % 2)
        }
        let places = [
            Entry(tag: page.isTiled ? 324 : 273, type: 4, values: offsets),
            Entry(tag: page.isTiled ? 325 : 279, type: 4, values: page.parts.map(\.count)),
        ]
        let entries = (page.entries + places).sorted { $0.tag < $1.tag }
        var table = number(entries.count, countSize)
        for entry in entries {
            let size = [1: 1, 2: 1, 3: 2, 4: 4, 7: 1, 11: 4][entry.type] ?? 1
            let values = entry.values.flatMap { number($0, size) }
            table += number(entry.tag, 2) + number(entry.type, 2) + number(entry.values.count, offsetSize)
            if values.count <= offsetSize {
                table += values + Array(repeating: 0, count: offsetSize - values.count)
            } else {
                table += number(dataStart + data.count, offsetSize)
                data += values + Array(repeating: 0, count: values.count % 2)
            }
        }
        let next = isLast ? loopsTo.map { directories[$0] } ?? 0 : dataStart + data.count
        return table + number(next, offsetSize) + data
    }

    func number(_ value: Int, _ count: Int) -> [UInt8] {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
        return isBigEndian ? bytes.reversed() : bytes
    }
}
