// Options that several commands have.

extension OptionSyntax {
    static let output = OptionSyntax(
        name: "--output", shortName: "-o", value: "DIR", help: "where to write; made when it is missing")
    static let outputFile = OptionSyntax(
        name: "--output", shortName: "-o", value: "FILE", help: "the file to write; one that is there is replaced")
    static let json = OptionSyntax(name: "--json", help: "print one JSON object a line instead of text")
    static let noCache = OptionSyntax(name: "--no-cache", help: "neither read nor write the disk cache")
    static let cache = OptionSyntax(
        name: "--cache", value: "DIR", help: "the folder of the disk cache; default: the user's")
}

/// Where original bytes are kept from one run to the next.
enum CacheChoice: Hashable, Sendable {
    case none
    case standard
    case folder(String)

    init(_ arguments: ParsedArguments, _ command: String) throws(UsageError) {
        switch (arguments.contains("--no-cache"), arguments["--cache"]) {
        case (true, _?): throw UsageError(problem: "--cache and --no-cache exclude each other", command: command)
        case (true, nil): self = .none
        case (false, let folder?): self = .folder(folder)
        case (false, nil): self = .standard
        }
    }
}

extension ParsedArguments {
    /// The operands, of which there must be at least one.
    func inputs(_ syntax: CommandSyntax) throws(UsageError) -> [String] {
        guard !operands.isEmpty else {
            throw UsageError(problem: "\(syntax.name) of what? Give \(syntax.operands)", command: syntax.name)
        }
        return operands
    }

    /// The operand, of which there must be exactly one.
    func input(_ syntax: CommandSyntax) throws(UsageError) -> String {
        let inputs = try inputs(syntax)
        guard inputs.count == 1 else { throw syntax.problem("\(syntax.name) takes one input, not \(inputs.count)") }
        return inputs[0]
    }

    func outputFile(_ syntax: CommandSyntax) throws(UsageError) -> String {
        guard let file = self["--output"] else {
            throw syntax.problem("\(syntax.name) to what? Give a file: -o FILE")
        }
        return file
    }

    func outputFolder(_ syntax: CommandSyntax) throws(UsageError) -> String {
        guard let folder = self["--output"] else {
            throw UsageError(problem: "\(syntax.name) to where? Give a folder: -o DIR", command: syntax.name)
        }
        return folder
    }
}
