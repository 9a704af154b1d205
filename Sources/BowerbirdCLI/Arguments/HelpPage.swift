/// What `help` shows.
enum HelpPage {
    static var allCommands: String {
        let rows = CommandLineRequest.syntaxes.map { ([$0.name, $0.operands].words, $0.summary) }
        return """
            bowerbird loads images, from servers, files and its own disk cache, and writes
            them in other formats and sizes.

            Usage: bowerbird COMMAND [OPTIONS]

            Commands:
            \(columns(rows + [("help [COMMAND]", "show how a command is used")]))

            Options:
            \(columns([("-h, --help", "show this help"), ("--version", "show the version")]))

            Exit status: 0 all well, 1 something failed, 2 the arguments make no sense.
            """
    }

    static func page(of syntax: CommandSyntax) -> String {
        let options = syntax.options + [.help]
        return """
            \(syntax.summary.prefix(1).uppercased() + syntax.summary.dropFirst()).

            Usage: \(["bowerbird", syntax.name, syntax.usage, "[OPTIONS]"].words)

            Options:
            \(columns(options.map { ($0.spelling, $0.help) }))

            \(syntax.notes)
            """
    }

    private static func columns(_ rows: [(name: String, text: String)]) -> String {
        let width = rows.map(\.name.count).max() ?? 0
        return rows.map { "  \($0.name.padded(to: width))  \($0.text)" }.joined(separator: "\n")
    }
}

extension OptionSyntax {
    fileprivate var spelling: String {
        let names = [shortName, name].compactMap(\.self).joined(separator: ", ")
        return value.map { "\(names) \($0)" } ?? names
    }
}

extension [String] {
    /// As a line; empty ones leave no gap.
    fileprivate var words: String { filter { !$0.isEmpty }.joined(separator: " ") }
}
