/// The directives of `Cache-Control` that concern a private cache. Where one is given twice, the more restrictive counts;
/// a number that makes no sense is 0.
struct FreshnessDirectives {
    /// The answer must not be kept.
    private(set) var noStore = false
    /// The answer must be confirmed before each use.
    private(set) var noCache = false
    /// The answer must not be used when it is stale, whatever else is said.
    private(set) var mustRevalidate = false
    /// The file does not change while it is fresh: a reload need not ask.
    private(set) var immutable = false
    /// A cache that knows the status may keep the answer in spite of `no-store`.
    private(set) var mustUnderstand = false
    /// Somebody thought of caches: `public` or `private`.
    private(set) var namesAudience = false
    /// In seconds, like the two that follow; nil where it is not given.
    private(set) var maximumAge: Int?
    private(set) var staleWhileRevalidate: Int?
    private(set) var staleIfError: Int?

    init(_ field: String) {
        for member in HTTPField.members(of: field) { apply(Directive(member)) }
    }

    private mutating func apply(_ directive: Directive) {
        switch directive.name {
        case "no-store": noStore = true
        // With an argument it concerns the header fields that are named there, and we hand out no header fields.
        case "no-cache": noCache = noCache || directive.argument.isEmpty
        case "must-revalidate": mustRevalidate = true
        case "immutable": immutable = true
        case "must-understand": mustUnderstand = true
        case "public", "private": namesAudience = true
        case "max-age": Self.lower(&maximumAge, to: directive.seconds)
        case "stale-while-revalidate": Self.lower(&staleWhileRevalidate, to: directive.seconds)
        case "stale-if-error": Self.lower(&staleIfError, to: directive.seconds)
        default: break
        }
    }

    private static func lower(_ value: inout Int?, to seconds: Int) { value = min(value ?? seconds, seconds) }
}

/// `name`, `name=argument` or `name="argument"`.
private struct Directive {
    let name: String
    /// Without quotes; empty where there is none.
    let argument: Substring

    init(_ text: Substring) {
        let equals = text.firstIndex(of: "=") ?? text.endIndex
        name = HTTPField.trimmed(text[..<equals]).lowercased()
        var argument = HTTPField.trimmed(text[equals...].dropFirst())
        if argument.hasPrefix("\"") { argument = argument.dropFirst().prefix { $0 != "\"" } }
        self.argument = argument
    }

    var seconds: Int { HTTPField.seconds(argument) ?? 0 }
}
