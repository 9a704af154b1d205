/// International host names as people read them, from the form in which they travel (RFC 3492).
enum Punycode {
    /// The host, with or without a port, in one form for all its spellings: lower case, `%HH` and `xn--` decoded. What
    /// makes no sense stays as it is.
    static func readable(_ host: some StringProtocol) -> String {
        let host = decodedHost(host)
        guard host.contains("xn--") else { return host }
        let end = host.firstIndex(of: ":") ?? host.endIndex
        let labels = host[..<end].split(separator: ".", omittingEmptySubsequences: false)
        return labels.map(label).joined(separator: ".") + host[end...]
    }

    /// An escape that hides what ends a host is left alone: decoded, it would make the host another's.
    private static func decodedHost(_ host: some StringProtocol) -> String {
        let decoded = host.percentDecoded
        let isAltered = host.utf8.count(where: isDelimiter) != decoded.utf8.count(where: isDelimiter)
        return isAltered ? host.lowercased() : decoded.lowercased()
    }

    private static func isDelimiter(_ byte: UInt8) -> Bool {
        byte <= UInt8(ascii: " ") || byte == 127 || ":/?#[]@\\".utf8.contains(byte)
    }

    private static func label(_ label: Substring) -> String {
        guard label.hasPrefix("xn--") else { return String(label) }
        return decoded(label.dropFirst(4)) ?? String(label)
    }

    // Section 5 of the RFC.
    private static let base = 36, tMin = 1, tMax = 26, skew = 38, damp = 700, initialBias = 72, initialScalar = 128

    private static func decoded(_ text: Substring) -> String? {
        let delimiter = text.lastIndex(of: "-")
        var scalars = delimiter.map { Array(text[..<$0].unicodeScalars) } ?? []
        var digits = (delimiter.map { text[text.index(after: $0)...] } ?? text).utf8[...]
        var (scalar, position, bias, isFirst) = (initialScalar, 0, initialBias, true)
        while !digits.isEmpty {
            guard let delta = delta(&digits, bias) else { return nil }
            let count = scalars.count + 1
            position += delta
            bias = adapted(delta, count, isFirst: isFirst)
            isFirst = false
            scalar += position / count
            position %= count
            guard let new = UInt32(exactly: scalar).flatMap(Unicode.Scalar.init) else { return nil }
            scalars.insert(new, at: position)
            position += 1
        }
        // A name without any other letter would not have been written so.
        return scalars.allSatisfy(\.isASCII) ? nil : String(String.UnicodeScalarView(scalars))
    }

    /// One number of variable length; nil where the digits are none, end early or stand for too much.
    private static func delta(_ digits: inout Substring.UTF8View.SubSequence, _ bias: Int) -> Int? {
        var (delta, weight, step) = (0, 1, base)
        while let digit = digits.popFirst().flatMap(value) {
            // A host name has 255 bytes, so what is larger than this is made up.
            guard weight < 1 << 24, delta < 1 << 24 else { return nil }
            delta += digit * weight
            let threshold = min(max(step - bias, tMin), tMax)
            if digit < threshold { return delta }
            weight *= base - threshold
            step += base
        }
        return nil
    }

    private static func value(of digit: UInt8) -> Int? {
        switch digit {
        case UInt8(ascii: "a")...UInt8(ascii: "z"): Int(digit - UInt8(ascii: "a"))
        case UInt8(ascii: "0")...UInt8(ascii: "9"): Int(digit - UInt8(ascii: "0")) + 26
        default: nil
        }
    }

    private static func adapted(_ delta: Int, _ count: Int, isFirst: Bool) -> Int {
        var delta = isFirst ? delta / damp : delta / 2
        delta += delta / count
        var bias = 0
        while delta > (base - tMin) * tMax / 2 {
            delta /= base - tMin
            bias += base
        }
        return bias + (base - tMin + 1) * delta / (delta + skew)
    }
}
