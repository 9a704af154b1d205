/// What the words of a command line ask for.
enum CommandLineRequest: Sendable {
    case fetch(Fetch)
    case thumbnail(Thumbnail)
    case info(Info)
    case convert(Convert)
    case frames(Frames)
    case formats(Formats)
    case cache(Cache)
    /// A text to print.
    case show(String)

    static let version = "0.1.0"
    static let syntaxes = [
        Fetch.syntax, Convert.syntax, Thumbnail.syntax, Frames.syntax, Info.syntax, Formats.syntax, Cache.syntax,
    ]

    /// - Parameter words: Without the name of the program.
    init(_ words: [String]) throws(UsageError) {
        guard let command = words.first else { throw UsageError(problem: "there is no command") }
        let rest = words.dropFirst()
        switch command {
        case "--version": self = .show("bowerbird \(Self.version)")
        case "help", "--help", "-h": self = .show(try Self.help(on: rest.first))
        default: self = try Self.command(try Self.syntax(named: command), rest)
        }
    }

    private static func help(on command: String?) throws(UsageError) -> String {
        guard let command else { return HelpPage.allCommands }
        return HelpPage.page(of: try syntax(named: command))
    }

    private static func syntax(named name: String) throws(UsageError) -> CommandSyntax {
        guard let syntax = syntaxes.first(where: { $0.name == name }) else {
            throw UsageError(problem: "there is no command '\(name)'")
        }
        return syntax
    }

    private static func command(_ syntax: CommandSyntax, _ words: ArraySlice<String>) throws(UsageError) -> Self {
        let options = words.prefix { $0 != "--" }
        guard !options.contains("--help"), !options.contains("-h") else { return .show(HelpPage.page(of: syntax)) }
        let arguments = try ParsedArguments(words, syntax)
        switch syntax.name {
        case Fetch.syntax.name: return .fetch(try Fetch(arguments))
        case Thumbnail.syntax.name: return .thumbnail(try Thumbnail(arguments))
        case Convert.syntax.name: return .convert(try Convert(arguments))
        case Frames.syntax.name: return .frames(try Frames(arguments))
        case Formats.syntax.name: return .formats(try Formats(arguments))
        case Cache.syntax.name: return .cache(try Cache(arguments))
        default: return .info(try Info(arguments))
        }
    }
}
