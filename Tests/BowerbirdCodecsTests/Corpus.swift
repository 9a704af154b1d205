import BowerbirdCore
import FoundationEssentials
import Testing

/// The public suites of test images. They live outside the project; a small part of them is in `Tests/Corpus`.
enum Corpus {
    private static let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()

    /// All of them; nil where they are not.
    static let folder: String? = {
        let named = ProcessInfo.processInfo.environment["BOWERBIRD_CORPUS"]
        let path = named ?? tests.deletingLastPathComponent().appending(path: "../shared/corpus").path
        return FileManager.default.fileExists(atPath: path) ? path : nil
    }()

    /// As much of them as there is.
    static let root = folder ?? tests.appending(path: "Corpus").path

    /// What a test that needs the suites carries.
    static let isPresent: ConditionTrait = .enabled(
        if: folder != nil, "the corpus is neither at ../shared/corpus nor where BOWERBIRD_CORPUS says")

    static func bytes(_ path: String) throws -> [UInt8] {
        Array(try Data(contentsOf: URL(filePath: root + "/" + path)))
    }

    /// The files directly in `path` whose names end with `suffix`, sorted.
    static func files(in path: String, ending suffix: String) throws -> [String] {
        try names(in: path)
            .filter { (suffix.isEmpty || $0.hasSuffix(suffix)) && !isFolder(path + "/" + $0) }.sorted().map {
                path + "/" + $0
            }
    }

    /// Every file somewhere below `path`, sorted.
    static func allFiles(under path: String) throws -> [String] {
        guard isFolder(path) else { return [] }
        return try FileManager.default.subpathsOfDirectory(atPath: root + "/" + path)
            .filter { !isFolder(path + "/" + $0) }.sorted().map { path + "/" + $0 }
    }

    /// The folders directly in `path`, sorted.
    static func folders(in path: String) throws -> [String] {
        try names(in: path)
            .sorted().map { path + "/" + $0 }.filter(isFolder)
    }

    /// None where only a part of the suites is there, and this is not in it.
    private static func names(in path: String) throws -> [String] {
        isFolder(path) ? try FileManager.default.contentsOfDirectory(atPath: root + "/" + path) : []
    }

    private static func isFolder(_ path: String) -> Bool {
        var isFolder = false
        _ = FileManager.default.fileExists(atPath: root + "/" + path, isDirectory: &isFolder)
        return isFolder
    }
}
