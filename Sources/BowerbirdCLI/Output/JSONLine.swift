/// One JSON object on one line, its members in the order in which they were added.
struct JSONLine: Equatable, Sendable {
    private var members: [String] = []

    var text: String { "{\(members.joined(separator: ","))}" }

    mutating func add(_ name: String, _ value: String) { members.append("\(quoted(name)):\(quoted(value))") }
    mutating func add(_ name: String, _ value: Int) { members.append("\(quoted(name)):\(value)") }
    mutating func add(_ name: String, _ value: Bool) { members.append("\(quoted(name)):\(value)") }
}

private func quoted(_ text: String) -> String {
    "\"" + text.unicodeScalars.map(escaped).joined() + "\""
}

/// RFC 8259 wants the first 32 characters escaped; other controls would end a line, or mean something to a terminal.
private func escaped(_ scalar: Unicode.Scalar) -> String {
    switch scalar {
    case "\"": "\\\""
    case "\\": "\\\\"
    case "\n": "\\n"
    case "\r": "\\r"
    case "\t": "\\t"
    case _ where scalar.isControl: hexadecimalEscape(scalar.value)
    default: String(scalar)
    }
}

private func hexadecimalEscape(_ value: UInt32) -> String {
    let digits = String(value, radix: 16)
    return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
}
