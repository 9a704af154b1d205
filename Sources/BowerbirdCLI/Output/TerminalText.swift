// Text as a terminal shows it.

extension Unicode.Scalar {
    /// Whether it would move a cursor, end a line, ring a bell or turn the direction of what follows. Names from servers
    /// may contain such.
    var isControl: Bool {
        switch properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator, .surrogate: true
        case .format: (0x202A...0x202E).contains(value) || (0x2066...0x2069).contains(value)
        default: false
        }
    }
}

extension StringProtocol {
    /// The text on one line, safe to be shown: control characters become `�`.
    var printable: String {
        var result = String.UnicodeScalarView()
        for scalar in unicodeScalars { result.append(scalar.isControl ? "\u{FFFD}" : scalar) }
        return String(result)
    }

    /// How many columns of a terminal it takes: two for the characters of East Asia and for emoji.
    var columnCount: Int { reduce(0) { $0 + $1.columnCount } }

    /// With spaces behind it to make it `width` columns wide.
    func padded(to width: Int) -> String {
        self + String(repeating: " ", count: Swift.max(0, width - columnCount))
    }

    /// Cut to `width` columns, the cut marked by `~`.
    func cut(to width: Int) -> String {
        guard columnCount > width else { return String(self) }
        var columns = 1
        return prefix { character in
            columns += character.columnCount
            return columns <= width
        } + (width > 0 ? "~" : "")
    }
}

extension Character {
    var columnCount: Int { unicodeScalars.contains(where: \.isWide) ? 2 : 1 }
}

extension Unicode.Scalar {
    /// The wide ranges of Unicode's East Asian Width, with their small gaps left in; and emoji.
    fileprivate var isWide: Bool {
        switch value {
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF,
            0xFE30...0xFE6F, 0xFF01...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1FAFF, 0x20000...0x3FFFD:
            true
        default: properties.isEmojiPresentation
        }
    }
}
