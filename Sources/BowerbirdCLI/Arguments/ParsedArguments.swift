/// The words behind the name of a command, sorted into options and operands.
///
/// Options may stand anywhere; everything behind `--` is an operand. A value follows its option as the next word, or as
/// in `--size=400` and `-oDIR`. An option given twice counts as it was given last, unless the order of all is what counts
/// (`occurrences`).
struct ParsedArguments: Equatable {
    private(set) var operands: [String] = []
    /// Every option in the order in which it was given, also where it was given before.
    private(set) var occurrences: [Occurrence] = []
    private var values: [String: String] = [:]

    struct Occurrence: Equatable {
        /// With its dashes.
        let name: String
        /// Empty for an option that takes none.
        let value: String
    }

    init(_ words: some Sequence<String>, _ syntax: CommandSyntax) throws(UsageError) {
        var words = Array(words)[...]
        while let word = words.popFirst() {
            if word == "--" {
                operands += words
                return
            }
            if word.hasPrefix("-"), word != "-" {
                try readOption(OptionWord(word), &words, syntax)
            } else {
                operands.append(word)
            }
        }
    }

    /// The value of an option; empty for one that takes none; nil where it was not given.
    subscript(name: String) -> String? { values[name] }

    func contains(_ name: String) -> Bool { values[name] != nil }

    private mutating func readOption(
        _ word: OptionWord, _ rest: inout ArraySlice<String>, _ syntax: CommandSyntax
    ) throws(UsageError) {
        guard let option = syntax.option(named: word.name) else {
            throw UsageError(problem: "there is no option '\(word.name)'", command: syntax.name)
        }
        let value = try value(of: option, word, &rest, syntax)
        values[option.name] = value
        occurrences.append(Occurrence(name: option.name, value: value))
    }

    private func value(
        of option: OptionSyntax, _ word: OptionWord, _ rest: inout ArraySlice<String>, _ syntax: CommandSyntax
    ) throws(UsageError) -> String {
        guard let name = option.value else {
            guard word.value == nil else {
                throw UsageError(problem: "\(word.name) takes no value", command: syntax.name)
            }
            return ""
        }
        guard let value = word.value ?? rest.popFirst(), !value.isEmpty else {
            throw UsageError(problem: "\(word.name) wants a value: \(word.name) \(name)", command: syntax.name)
        }
        return value
    }
}

/// `--name`, `--name=value`, `-n` or `-nvalue`.
private struct OptionWord {
    let name: String
    let value: String?

    init(_ word: String) {
        if word.hasPrefix("--") {
            let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            name = parts[0]
            value = parts.count > 1 ? parts[1] : nil
        } else {
            name = String(word.prefix(2))
            value = word.count > 2 ? String(word.dropFirst(2)) : nil
        }
    }
}
