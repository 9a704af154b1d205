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
        var rest = lines[...]
        while let end = rest.firstIndex(of: Self.lineBreak) {
            Self.add(rest[..<end], to: &fields)
            rest = rest[(end + 1)...]
        }
        Self.add(rest, to: &fields)
        return fields
    }

    private static func add(_ line: ArraySlice<UInt8>, to fields: inout [String: String]) {
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { return }
        let name = String(decoding: trimmed(line[..<colon]).map(lowerCased), as: UTF8.self)
        let value = String(decoding: trimmed(line[(colon + 1)...]), as: UTF8.self)
        if let former = fields.updateValue(value, forKey: name) { fields[name] = "\(former), \(value)" }
    }

    private static func trimmed(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var text = text
        while let first = text.first, isSpace(first) { text.removeFirst() }
        while let last = text.last, isSpace(last) { text.removeLast() }
        return text
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0D }

    private static func lowerCased(_ byte: UInt8) -> UInt8 { (0x41...0x5A).contains(byte) ? byte | 0x20 : byte }
}

extension [String: String] {
    /// The bytes on the wire are not those of the body.
    var saysContentIsEncoded: Bool { self["content-encoding"].map { $0.lowercased() != "identity" } ?? false }
}
