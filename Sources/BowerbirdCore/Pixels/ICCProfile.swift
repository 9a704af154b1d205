/// The bytes of an ICC profile, and what can be read of them without a library. Nothing of it is trusted.
public struct ICCProfile: Hashable, Sendable {
    /// Byte for byte as the file has them.
    public let bytes: [UInt8]

    /// Takes any bytes; the ones that are no profile have no `colorSpace`.
    public init(bytes: [UInt8]) { self.bytes = bytes }

    /// What pixels it is for; nil for bytes that are no profile, and for kinds that pictures do not have.
    public var colorSpace: ColorSpace? {
        let header = unsafe bytes.span.bytes
        guard header.matches("acsp", at: 36) else { return nil }
        return ColorSpace.allCases.first { header.matches(Array($0.rawValue.utf8), at: 16) }
    }

    public enum ColorSpace: String, Hashable, Sendable, CaseIterable {
        case rgb = "RGB "
        case gray = "GRAY"
        case cmyk = "CMYK"
        case lab = "Lab "
    }

    /// The name that it gives itself, `Display P3` for example.
    public var name: String? {
        guard let entry = tag("desc") else { return nil }
        let description = entry.trimmed
        return description.isEmpty ? nil : description
    }

    /// The text of a tag; of the kinds `desc` (version 2, ASCII) and `mluc` (version 4, UTF-16, its first language).
    private func tag(_ name: StaticString) -> String? {
        let file = unsafe bytes.span.bytes
        guard let count = file.bigEndian32(at: 128), count <= 200 else { return nil }
        for index in 0..<Int(count) where file.matches(name, at: 132 + 12 * index) {
            guard let offset = file.bigEndian32(at: 136 + 12 * index) else { return nil }
            return Self.text(in: file, at: Int(offset))
        }
        return nil
    }

    private static func text(in file: RawSpan, at start: Int) -> String? {
        if file.matches("desc", at: start) {
            guard let length = file.bigEndian32(at: start + 8) else { return nil }
            let characters = (0..<min(Int(length), 256)).compactMap { file.byte(at: start + 12 + $0) }
            return String(decoding: characters.prefix { $0 != 0 }, as: UTF8.self)
        }
        guard file.matches("mluc", at: start), let length = file.bigEndian32(at: start + 20),
            let offset = file.bigEndian32(at: start + 24)
        else { return nil }
        let units = (0..<min(Int(length) / 2, 256)).compactMap { file.bigEndian16(at: start + Int(offset) + 2 * $0) }
        return String(decoding: units.prefix { $0 != 0 }, as: UTF16.self)
    }
}

extension String {
    fileprivate var trimmed: String {
        let isSpace: (Character) -> Bool = { $0.isWhitespace || $0 == "\0" }
        guard let first = firstIndex(where: { !isSpace($0) }), let last = lastIndex(where: { !isSpace($0) }) else {
            return ""
        }
        return String(self[first...last])
    }
}
