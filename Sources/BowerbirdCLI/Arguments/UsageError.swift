/// What is wrong with the arguments, in one line, and where to read how they should be.
struct UsageError: Error, Hashable, CustomStringConvertible {
    let problem: String
    /// The command whose help is worth reading; nil for the list of commands.
    var command: String?

    var description: String {
        let page = command.map { "help \($0)" } ?? "help"
        return "bowerbird: \(problem.printable)\nTry 'bowerbird \(page)'."
    }
}
