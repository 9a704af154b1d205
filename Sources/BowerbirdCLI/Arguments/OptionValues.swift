import Bowerbird

// The values of options, read and checked; a nil answer says that the option was not given.
extension ParsedArguments {
    /// `400` is `400x400`.
    func size(_ option: String, _ syntax: CommandSyntax) throws(UsageError) -> PixelSize? {
        guard let text = self[option] else { return nil }
        return try size(text, option, syntax)
    }

    /// The same of a text that the option had.
    func size(_ text: String, _ option: String, _ syntax: CommandSyntax) throws(UsageError) -> PixelSize {
        let sides = text.lowercased().split(separator: "x", omittingEmptySubsequences: false).map { Int($0) ?? 0 }
        guard (1...2).contains(sides.count), sides.allSatisfy((1...65_535).contains) else {
            throw syntax.problem("\(option) wants pixels, as in 400 or 400x300, not '\(text)'")
        }
        return PixelSize(width: sides[0], height: sides[sides.count - 1])
    }

    func integer(
        _ option: String, in range: ClosedRange<Int>, _ syntax: CommandSyntax
    ) throws(UsageError) -> Int? {
        guard let text = self[option] else { return nil }
        guard let number = Int(text), range.contains(number) else {
            let limit = range.upperBound == .max ? "up" : "to \(range.upperBound)"
            throw syntax.problem("\(option) is a number from \(range.lowerBound) \(limit), not '\(text)'")
        }
        return number
    }

    /// `20000`, `20k`, `2M`, `100MB`, `1G`: in decimal units.
    func byteCount(_ option: String, _ syntax: CommandSyntax) throws(UsageError) -> Int? {
        guard let text = self[option] else { return nil }
        let units = ["k": 1000, "m": 1_000_000, "g": 1_000_000_000]
        let name = text.drop { $0.isNumber }.lowercased()
        let unit = name.isEmpty ? 1 : units[name.hasSuffix("b") ? String(name.dropLast()) : name]
        let digits = text.prefix { $0.isNumber }
        let product = unit.flatMap { unit in Int(digits)?.multipliedReportingOverflow(by: unit) }
        guard let product, product.partialValue > 0, !product.overflow else {
            throw syntax.problem("\(option) wants a number of bytes, as in 20000 or 20k, not '\(text)'")
        }
        return product.partialValue
    }

    /// Percent in the text, 0 to 1 in the answer.
    func fraction(
        _ option: String, from lowest: Int, _ syntax: CommandSyntax
    ) throws(UsageError) -> Double? {
        try integer(option, in: lowest...100, syntax).map { Double($0) / 100 }
    }

    /// `#rrggbb`, with or without the sign.
    func color(_ option: String, _ syntax: CommandSyntax) throws(UsageError) -> Color? {
        guard let text = self[option] else { return nil }
        guard let color = Color(typed: text), color.alpha == 255 else {
            throw syntax.problem("\(option) wants a colour, as in #ff8000, not '\(text)'")
        }
        return color
    }

    func format(_ option: String, _ syntax: CommandSyntax) throws(UsageError) -> ImageFormat? {
        guard let text = self[option] else { return nil }
        guard let format = ImageFormat(named: text) else {
            throw syntax.problem("\(option) is one that 'bowerbird formats' lists, not '\(text)'")
        }
        return format
    }
}

extension CommandSyntax {
    func problem(_ text: String) -> UsageError { UsageError(problem: text, command: name) }
}
