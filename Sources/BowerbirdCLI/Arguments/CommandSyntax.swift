/// What may stand behind the name of a command; `ParsedArguments` reads by it and its help page is written from it.
struct CommandSyntax: Sendable {
    let name: String
    /// One line, for the list of all commands.
    let summary: String
    /// How the words that are no options are called.
    let operands: String
    /// The operands with the options that must be there.
    let usage: String
    let options: [OptionSyntax]
    /// What the help page says below the options.
    let notes: String

    func option(named name: String) -> OptionSyntax? { options.first { $0.name == name || $0.shortName == name } }
}

/// One option of a command.
struct OptionSyntax: Sendable {
    /// With its dashes: `--size`.
    let name: String
    /// With its dash: `-o`.
    var shortName: String?
    /// How its value is called; nil where it takes none.
    var value: String?
    let help: String

    static let help = OptionSyntax(name: "--help", shortName: "-h", help: "show this help")
}
