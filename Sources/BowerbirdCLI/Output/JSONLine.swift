/// One JSON object on one line, its members in the order in which they were added.
struct JSONLine: Equatable, Sendable {
    private var members: [String] = []

    var text: String { "{\(members.joined(separator: ","))}" }

    mutating func add(_ name: String, _ value: String) { add(name, raw: quoted(value)) }
    mutating func add(_ name: String, _ value: Int) { add(name, raw: String(value)) }
    mutating func add(_ name: String, _ value: Bool) { add(name, raw: String(value)) }
    mutating func add(_ name: String, _ value: Double) { add(name, raw: number(value)) }
    mutating func add(_ name: String, _ value: JSONLine) { add(name, raw: value.text) }
    mutating func add(_ name: String, _ values: [String]) { add(name, rawValues: values.map(quoted)) }
    mutating func add(_ name: String, _ values: [Double]) { add(name, rawValues: values.map(number)) }
    mutating func add(_ name: String, _ values: [JSONLine]) { add(name, rawValues: values.map(\.text)) }

    private mutating func add(_ name: String, rawValues: [String]) {
        add(name, raw: "[\(rawValues.joined(separator: ","))]")
    }

    private mutating func add(_ name: String, raw: String) { members.append("\(quoted(name)):\(raw)") }
}

private func quoted(_ text: String) -> String {
    "\"" + text.unicodeScalars.map(escaped).joined() + "\""
}

/// Whole numbers without a fraction. JSON has no word for what is no number, so that becomes null.
private func number(_ value: Double) -> String {
    guard value.isFinite else { return "null" }
    if let whole = Int(exactly: value) { return String(whole) }
    return "\(value)"
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
