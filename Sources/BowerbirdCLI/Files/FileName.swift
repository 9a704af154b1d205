/// A name for a new file in one given folder, whatever the name was made from.
///
/// It is one component: no slash, never `.` or `..`, no control characters, not hidden (no dot first), not to be taken
/// for an option (no dash first), and at most 255 bytes of UTF-8, which is the limit of Linux.
struct FileName: Hashable {
    static let maximumByteCount = 255

    let stem: String
    /// With its dot; empty where there is none.
    let suffix: String

    /// The name that a server or a user gave, made harmless. Without a name it is `image`.
    ///
    /// - Parameter fallbackExtension: Added, without its dot, to a name that has none.
    init(_ name: String, fallbackExtension: String?) {
        let parts = Self.parts(of: Self.harmless(name))
        stem = parts.stem.isEmpty ? "image" : parts.stem
        suffix = parts.suffix.isEmpty ? fallbackExtension.map { "." + $0 } ?? "" : parts.suffix
    }

    /// The same, with the extension in place of the name's own.
    init(_ name: String, replacingExtensionBy newExtension: String) {
        let stem = Self.parts(of: Self.harmless(name)).stem
        self.stem = stem.isEmpty ? "image" : stem
        suffix = "." + newExtension
    }

    /// The first is the plain name, the second `photo-2.jpg`. A name that is too long loses the end of its stem, at the
    /// boundary of a character.
    func numbered(_ number: Int) -> String {
        let tail = (number > 1 ? "-\(number)" : "") + suffix
        let head = stem.cut(toByteCount: Self.maximumByteCount - tail.utf8.count)
        // One character can be longer than any name may be.
        return (head.isEmpty ? "image" : head) + tail
    }

    private static func harmless(_ name: String) -> Substring {
        var scalars = String.UnicodeScalarView()
        for scalar in name.unicodeScalars { scalars.append(scalar == "/" || scalar.isControl ? "_" : scalar) }
        let visible = String(scalars).drop { $0 == "." || $0 == " " }
        let end = visible.lastIndex { $0 != "." && $0 != " " }.map(visible.index(after:)) ?? visible.startIndex
        let trimmed = visible[..<end]
        return trimmed.hasPrefix("-") ? "_" + trimmed.dropFirst() : trimmed
    }

    /// What looks like an extension is one: up to ten letters and digits, not digits alone (`IMG.2024` has none).
    private static func parts(of name: Substring) -> (stem: String, suffix: String) {
        guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return (String(name), "") }
        let ending = name[name.index(after: dot)...]
        let isExtension =
            (1...10).contains(ending.count) && ending.contains(where: \.isLetter)
            && ending.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
        return isExtension ? (String(name[..<dot]), String(name[dot...])) : (String(name), "")
    }
}

extension String {
    fileprivate func cut(toByteCount limit: Int) -> String {
        var rest = limit
        return String(
            prefix { character in
                rest -= character.utf8.count
                return rest >= 0
            })
    }
}
