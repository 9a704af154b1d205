import BowerbirdCore
import FoundationEssentials
import Testing

/// The public suites of test images, which live outside the project.
enum Corpus {
    static let folder: String? = {
        let package = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let named = ProcessInfo.processInfo.environment["BOWERBIRD_CORPUS"]
        let path = named ?? package.appending(path: "../shared/corpus").path
        return FileManager.default.fileExists(atPath: path) ? path : nil
    }()

    /// What a test that needs the suites carries.
    static let isPresent: ConditionTrait = .enabled(
        if: folder != nil, "the corpus is neither at ../shared/corpus nor where BOWERBIRD_CORPUS says")

    static func bytes(_ path: String) throws -> [UInt8] {
        let folder = try #require(folder)
        return Array(try Data(contentsOf: URL(filePath: folder + "/" + path)))
    }

    /// The files directly in `path` whose names end with `suffix`, sorted.
    static func files(in path: String, ending suffix: String) throws -> [String] {
        let folder = try #require(folder)
        return try FileManager.default.contentsOfDirectory(atPath: folder + "/" + path)
            .filter { (suffix.isEmpty || $0.hasSuffix(suffix)) && !isFolder(path + "/" + $0) }.sorted().map { path + "/" + $0 }
    }

    /// Every file somewhere below `path`, sorted.
    static func allFiles(under path: String) throws -> [String] {
        let folder = try #require(folder)
        return try FileManager.default.subpathsOfDirectory(atPath: folder + "/" + path)
            .filter { !isFolder(path + "/" + $0) }.sorted().map { path + "/" + $0 }
    }

    /// The folders directly in `path`, sorted.
    static func folders(in path: String) throws -> [String] {
        let folder = try #require(folder)
        return try FileManager.default.contentsOfDirectory(atPath: folder + "/" + path)
            .sorted().map { path + "/" + $0 }.filter(isFolder)
    }

    private static func isFolder(_ path: String) -> Bool {
        var isFolder = false
        _ = FileManager.default.fileExists(atPath: (folder ?? "") + "/" + path, isDirectory: &isFolder)
        return isFolder
    }
}
