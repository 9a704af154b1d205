import Bowerbird

/// What the command line asks for.
nonisolated struct ViewerOptions: Sendable {
    /// The pages, each in its own tab; the gallery where none is named.
    var pages: [PageKind] = []
    var sources: [ImageSource] = []
    /// Where pictures of the window go; the viewer then ends by itself.
    var recordFolder: String?
    /// Whether the recording is the last one, over which contact sheet and index are made.
    var writesIndex = false
    /// Where one picture of the window goes; the viewer then ends by itself.
    var screenshotPath: String?
    /// Where original bytes are kept; nil for the user's cache folder.
    var cacheFolder: String?
    /// Whether a table of all loads is printed.
    var printsReport = false
    var wantsHelp = false

    enum PageKind: String, CaseIterable, Sendable {
        case gallery
        case edited
        case sequence
    }
}

/// A command line that makes no sense.
nonisolated struct UsageError: Error, CustomStringConvertible {
    let description: String

    init(_ reason: String) { description = reason + "; see bowerbird-viewer --help" }
}

nonisolated extension ViewerOptions {
    static let help = """
        usage: bowerbird-viewer [OPTION…] FILE|URL…

        Shows pictures in a window. A click opens one large, Escape goes back.

          --page gallery|edited|sequence   what to show; several pages make tabs (default: gallery)
          --cache DIR                      keep downloads there, not in the user's cache folder
          --report                         print where each picture came from and how long it took
          --screenshot OUT.png             write a picture of the window when everything is loaded, and end
          --record DIR                     write pictures of what happens on each page, and end
          --index                          with --record: also contact-sheet.png and index.html over DIR
          --help                           this
        """

    init(arguments: some Sequence<String>) throws {
        var rest = Array(arguments)[...]
        while let argument = rest.popFirst() {
            try take(argument, &rest)
        }
        if pages.isEmpty { pages = [.gallery] }
        if sources.isEmpty && !wantsHelp { throw UsageError("no FILE or URL is given") }
    }

    private mutating func take(_ argument: String, _ rest: inout ArraySlice<String>) throws {
        switch argument {
        case "--page": pages.append(try Self.page(named: try value(of: argument, &rest)))
        case "--cache": cacheFolder = try value(of: argument, &rest)
        case "--record": recordFolder = try value(of: argument, &rest)
        case "--screenshot": screenshotPath = try value(of: argument, &rest)
        case "--index": writesIndex = true
        case "--report": printsReport = true
        case "--help", "-h": wantsHelp = true
        case "--":
            for text in rest { sources.append(try ImageSource(text)) }
            rest = []
        case _ where argument.hasPrefix("--"): throw UsageError("there is no option \(argument)")
        default: sources.append(try ImageSource(argument))
        }
    }

    private func value(of option: String, _ rest: inout ArraySlice<String>) throws -> String {
        guard let value = rest.popFirst() else { throw UsageError("\(option) wants a value") }
        return value
    }

    private static func page(named name: String) throws -> PageKind {
        guard let page = PageKind(rawValue: name) else {
            throw UsageError("there is no page \(name): it is gallery, edited or sequence")
        }
        return page
    }
}
