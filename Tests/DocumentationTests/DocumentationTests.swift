import FoundationEssentials
import Testing

@Suite struct `The documentation` {
    /// Documents with Swift in them, and the file of this folder that compiles it.
    static let documents = [("README.md", "READMEExamples.swift"), ("CONTRIBUTING.md", "CONTRIBUTINGExamples.swift")]

    @Test(arguments: documents)
    func showsOnlySwiftThatCompiles(document: String, examples: String) throws {
        let blocks = try Package.text(of: document).codeBlocks("swift")
        let compiled = try Package.text(of: "Tests/DocumentationTests/\(examples)").codeLines
        #expect(!blocks.isEmpty)
        for block in blocks { #expect(compiled.contains(example: block), "\(document): \(block)") }
    }

    @Test func leadsToFilesThatAreThere() throws {
        let links = try Self.pages.flatMap { page in
            try Package.text(of: page).localLinks.map { (page, Package.path(of: $0, from: page)) }
        }
        #expect(links.count >= Self.pages.count)
        for (page, path) in links { #expect(FileManager.default.fileExists(atPath: path), "\(page) leads to \(path)") }
    }

    static let pages = [
        "README.md", "CONTRIBUTING.md", "Documentation/Requirements.md", "Documentation/Architecture.md",
        "Documentation/Decisions/README.md",
    ]
}

private enum Package {
    static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    static func text(of path: String) throws -> String {
        try String(contentsOf: folder.appending(path: path), encoding: .utf8)
    }

    /// The path of a link in a document of the package.
    static func path(of link: String, from document: String) -> String {
        folder.appending(path: document).deletingLastPathComponent().appending(path: link).path
    }
}

extension String {
    /// The lines that say something, without their indentation.
    fileprivate var codeLines: [Substring] {
        split(whereSeparator: \.isNewline).map { $0.drop { $0 == " " } }.filter { !$0.isEmpty }
    }

    /// The fenced blocks of one language.
    fileprivate func codeBlocks(_ language: String) -> [[Substring]] {
        var blocks: [[Substring]] = []
        var block: [Substring]?
        for line in codeLines {
            if line == "```", let ended = block {
                blocks.append(ended)
                block = nil
            } else if line == "```\(language)" {
                block = []
            } else {
                block?.append(line)
            }
        }
        return blocks
    }

    /// What stands between `](` and `)` and is no address of a server.
    fileprivate var localLinks: [String] {
        split(separator: "](", omittingEmptySubsequences: false).dropFirst().compactMap { rest in
            let link = rest.prefix { $0 != ")" && $0 != "#" }
            return link.isEmpty || link.contains("://") ? nil : String(link)
        }
    }
}

extension [Substring] {
    /// Whether all of an example stands here, in one piece but for its imports.
    fileprivate func contains(example: [Substring]) -> Bool {
        let isImport: (Substring) -> Bool = { $0.hasPrefix("import ") || $0.hasPrefix("public import ") }
        let body = example.filter { !isImport($0) }
        return example.filter(isImport).allSatisfy(contains) && firstRange(of: body) != nil
    }
}
