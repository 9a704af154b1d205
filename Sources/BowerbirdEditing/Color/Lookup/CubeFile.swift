import BowerbirdRaster

/// What a `.cube` file says.
struct CubeFile {
    /// Whether it has a colour for every mixture; otherwise it has three curves.
    let isCube: Bool
    /// Of red, green and blue.
    let axes: [TableAxis]
    /// Red, green and blue of each entry.
    let values: [Float]

    init(isCube: Bool, axes: [TableAxis], values: [Float]) {
        self.isCube = isCube
        self.axes = axes
        self.values = values
    }

    init(_ text: String) throws(LookupTableError) {
        var reader = CubeReader()
        let bytes = text.utf8.starts(with: Self.byteOrderMark) ? text.utf8.dropFirst(3) : text.utf8[...]
        for line in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
            try reader.read(line)
        }
        self = try reader.finish()
    }

    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
}

/// Reads a `.cube` file line by line. Memory is taken as colours come, not as a size is claimed.
private struct CubeReader {
    private var line = 0
    private var size: Size?
    private var lower = [0.0, 0, 0]
    private var upper = [1.0, 1, 1]
    /// The last line that said something of the domain.
    private var domainLine = 0
    private var values: [Float] = []

    private struct Size {
        let side: Int
        let isCube: Bool
        var colorCount: Int { isCube ? side * side * side : side }
    }

    mutating func read(_ bytes: Substring.UTF8View) throws(LookupTableError) {
        line += 1
        let words = bytes.split { Self.spaces.contains($0) }.map { String(Substring($0)) }
        guard let name = words.first, !name.hasPrefix("#") else { return }
        guard let letter = name.utf8.first, Self.letters.contains(letter | 0x20) else { return try readColor(words) }
        try readKeyword(name, words.dropFirst())
    }

    func finish() throws(LookupTableError) -> CubeFile {
        guard let size else { throw .missingSize }
        guard values.count == 3 * size.colorCount else {
            throw .incomplete(expected: size.colorCount, found: values.count / 3)
        }
        for color in 0..<3 where lower[color] >= upper[color] {
            throw .invalidLine(domainLine, reason: "the domain must have a greater end than start")
        }
        let axes = (0..<3).map { TableAxis(count: size.side, lower: lower[$0], upper: upper[$0]) }
        return CubeFile(isCube: size.isCube, axes: axes, values: values)
    }

    private static let spaces = [UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r")]
    private static let letters = UInt8(ascii: "a")...UInt8(ascii: "z")

    private mutating func readKeyword(_ name: String, _ words: ArraySlice<String>) throws(LookupTableError) {
        guard values.isEmpty else { throw fault("\(name) must come before the table") }
        switch name {
        case "TITLE": break
        case "LUT_1D_SIZE": try readSize(words, 2...65536, isCube: false)
        case "LUT_3D_SIZE": try readSize(words, 2...256, isCube: true)
        case "DOMAIN_MIN": lower = try readDomain(words, count: 3)
        case "DOMAIN_MAX": upper = try readDomain(words, count: 3)
        case "LUT_1D_INPUT_RANGE", "LUT_3D_INPUT_RANGE":
            let range = try readDomain(words, count: 2)
            (lower, upper) = ([range[0], range[0], range[0]], [range[1], range[1], range[1]])
        default: throw fault("\(name) is not known")
        }
    }

    private mutating func readSize(
        _ words: ArraySlice<String>, _ range: ClosedRange<Int>, isCube: Bool
    ) throws(LookupTableError) {
        guard size == nil else { throw fault("a second size") }
        guard words.count == 1, let side = words.first.flatMap({ Int($0) }), range.contains(side) else {
            throw fault("a size from \(range.lowerBound) to \(range.upperBound) is wanted")
        }
        size = Size(side: side, isCube: isCube)
    }

    private mutating func readDomain(_ words: ArraySlice<String>, count: Int) throws(LookupTableError) -> [Double] {
        domainLine = line
        return try numbers(Array(words), count: count)
    }

    private mutating func readColor(_ words: [String]) throws(LookupTableError) {
        guard let size else { throw fault("a colour before the size of the table") }
        guard values.count < 3 * size.colorCount else { throw fault("more than \(size.colorCount) colours") }
        values += try numbers(words, count: 3).map(Float.init)
    }

    private func numbers(_ words: [String], count: Int) throws(LookupTableError) -> [Double] {
        let numbers = words.compactMap { Double($0) }.filter(\.isFinite)
        guard numbers.count == count, words.count == count else { throw fault("\(count) numbers are wanted") }
        return numbers
    }

    private func fault(_ reason: String) -> LookupTableError { .invalidLine(line, reason: reason) }
}
