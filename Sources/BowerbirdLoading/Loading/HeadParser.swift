/// Gathers the header lines of an answer. Where several answers follow each other (redirects, 1xx), those of the last
/// are kept. They are taken apart when somebody asks, and not as they come.
struct HeadParser {
    private var lines: [UInt8] = []

    private static let lineBreak = UInt8(ascii: "\n")
    private static let usualFieldCount = 16

    mutating func receive(_ line: UnsafeRawBufferPointer) {
        if unsafe line.starts(with: "HTTP/".utf8) { return lines.removeAll(keepingCapacity: true) }
        unsafe lines.append(contentsOf: line)
    }

    /// Names in lower case. Fields of the same name are joined by commas, as HTTP says.
    var fields: [String: String] {
        var fields = [String: String](minimumCapacity: Self.usualFieldCount)
        for line in lines.split(separator: Self.lineBreak) { Self.add(line, to: &fields) }
        return fields
    }

    private static func add(_ line: ArraySlice<UInt8>, to fields: inout [String: String]) {
        let line = trimmed(line)
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { return }
        let name = String(decoding: line[..<colon], as: UTF8.self).lowercased()
        let value = String(decoding: trimmed(line[(colon + 1)...]), as: UTF8.self)
        fields[name] = fields[name].map { "\($0), \(value)" } ?? value
    }

    private static func trimmed(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let isSpace = { (byte: UInt8) in byte == 0x20 || byte == 0x09 || byte == 0x0D }
        let start = text.firstIndex { !isSpace($0) } ?? text.endIndex
        let end = text.lastIndex { !isSpace($0) }.map { $0 + 1 } ?? start
        return text[start..<end]
    }
}

extension [String: String] {
    /// The bytes on the wire are not those of the body.
    var saysContentIsEncoded: Bool { self["content-encoding"].map { $0.lowercased() != "identity" } ?? false }
}
