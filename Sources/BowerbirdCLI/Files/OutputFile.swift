import Bowerbird
import Glibc

/// One file that a user has named, whole or not at all; what was there before is replaced.
struct OutputFile: Sendable {
    /// As the user wrote it.
    let path: String
    private let folder: OutputFolder
    private let name: String

    /// Makes the folders that it lies in where they are missing. Where the path is a link, the file that it leads to is
    /// meant. Throws for what is there and is no file.
    init(_ path: String, _ partialFiles: PartialFiles) throws(OutputError) {
        self.path = path
        let place = try Self.resolved(path)
        let slash = place.lastIndex(of: "/")
        let parent = slash.map { $0 == place.startIndex ? "/" : String(place[..<$0]) } ?? "."
        name = slash.map { String(place[place.index(after: $0)...]) } ?? place
        guard !["", ".", ".."].contains(name) else { throw OutputError(path: path, code: EISDIR) }
        folder = try OutputFolder(parent, partialFiles)
    }

    func write(_ data: EncodedImage) throws(OutputError) {
        do {
            try folder.replace(name, with: data)
        } catch {
            throw OutputError(path: path, code: error.code)
        }
    }

    private static func resolved(_ path: String) throws(OutputError) -> String {
        var facts = stat()
        guard unsafe stat(path, &facts) == 0 else { return path }
        switch facts.st_mode & S_IFMT {
        case S_IFREG: break
        case S_IFDIR: throw OutputError(path: path, code: EISDIR)
        // A device or a pipe: renaming a file onto it would destroy it.
        default: throw OutputError(path: path, code: EINVAL)
        }
        guard let place = unsafe realpath(path, nil) else { return path }
        defer { unsafe free(place) }
        return unsafe String(cString: place)
    }
}
