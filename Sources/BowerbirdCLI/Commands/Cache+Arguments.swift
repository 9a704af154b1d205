import Bowerbird
import FoundationEssentials

extension OptionSyntax {
    static let host = OptionSyntax(name: "--host", value: "NAME", help: "files from this host")
    static let prefix = OptionSyntax(name: "--prefix", value: "URL", help: "files whose address begins like this")
    static let tag = OptionSyntax(name: "--tag", value: "TAG", help: "files with this tag")
    static let olderThan = OptionSyntax(name: "--older-than", value: "AGE", help: "files stored so long ago: 7d")
    static let unusedFor = OptionSyntax(name: "--unused-for", value: "AGE", help: "files not used for so long: 12h")
    static let pinned = OptionSyntax(name: "--pinned", help: "pinned files")
    static let limit = OptionSyntax(name: "--limit", value: "N", help: "list no more than this")
    static let to = OptionSyntax(name: "--to", value: "SIZE", help: "what may be left: 100MB")
}

extension Cache {
    /// What the first word behind `cache` may be.
    enum Name: String, CaseIterable {
        case stats, list, get, remove, clear, trim, verify

        private static let filters: Set<String> = [
            "--host", "--prefix", "--tag", "--older-than", "--unused-for", "--pinned",
        ]

        private var options: Set<String> {
            switch self {
            case .list: Self.filters.union(["--limit"])
            case .remove: Self.filters
            case .get: ["--output"]
            case .trim: ["--to"]
            case .stats, .clear, .verify: []
            }
        }

        /// An option that does nothing here is a misunderstanding, and `clear --host` a dear one.
        func check(_ arguments: ParsedArguments) throws(UsageError) {
            for option in Cache.syntax.options.map(\.name) where arguments.contains(option) {
                guard options.union(["--cache", "--json"]).contains(option) else {
                    throw Cache.syntax.problem("cache \(rawValue) has no \(option)")
                }
            }
            let hasAddresses = self == .get || self == .remove
            guard hasAddresses || arguments.operands.count == 1 else {
                throw Cache.syntax.problem("cache \(rawValue) takes no addresses")
            }
        }
    }
}

extension Cache.Action {
    init(_ name: Cache.Name, _ arguments: ParsedArguments) throws(UsageError) {
        let syntax = Cache.syntax
        let addresses = Array(arguments.operands.dropFirst())
        switch name {
        case .stats: self = .stats
        case .clear: self = .clear
        case .verify: self = .verify
        case .list:
            let limit = try arguments.integer("--limit", in: 1 ... .max, syntax)
            self = .list(try DiskCache.Query(arguments), limit: limit ?? .max)
        case .get:
            guard addresses.count == 1 else { throw syntax.problem("cache get takes one address: URL -o FILE") }
            self = .get(addresses[0], output: try arguments.outputFile(syntax))
        case .remove:
            let query = try DiskCache.Query(arguments)
            guard addresses.isEmpty != (query == DiskCache.Query()) else {
                throw syntax.problem("cache remove wants addresses or filters, and not both")
            }
            self = .remove(addresses, query)
        case .trim:
            guard let byteCount = try arguments.byteCount("--to", syntax) else {
                throw syntax.problem("cache trim to what? Give a size: --to 100MB")
            }
            self = .trim(byteCount: byteCount)
        }
    }
}

extension DiskCache.Query {
    /// By the filters among the options.
    fileprivate init(_ arguments: ParsedArguments) throws(UsageError) {
        let now = Date()
        func time(_ option: String) throws(UsageError) -> Date? {
            try arguments.age(option, Cache.syntax).map { now.addingTimeInterval(-$0) }
        }
        self.init(
            host: arguments["--host"], urlPrefix: arguments["--prefix"], tag: arguments["--tag"],
            storedBefore: try time("--older-than"), usedBefore: try time("--unused-for"),
            isPinned: arguments.contains("--pinned") ? true : nil)
    }
}

extension ParsedArguments {
    /// In seconds: `90s`, `30m`, `12h`, `7d`, `2w`.
    fileprivate func age(_ option: String, _ syntax: CommandSyntax) throws(UsageError) -> Double? {
        guard let text = self[option] else { return nil }
        let units: [Character: Double] = ["s": 1, "m": 60, "h": 3600, "d": 86_400, "w": 604_800]
        guard let unit = text.last.flatMap({ units[$0] }), let number = Int(text.dropLast()), number >= 0 else {
            throw syntax.problem("\(option) wants an age, as in 7d or 12h, not '\(text)'")
        }
        return Double(number) * unit
    }
}
