public import FoundationEssentials
import Glibc

/// A folder of its own that is removed, with all in it, when the last reference to it goes.
public final class TemporaryDirectory: Sendable {
    /// Absolute, without a slash at its end.
    public let path: String

    /// A new, empty folder in `TMPDIR`, or in `/tmp`.
    public init() throws {
        let parent = ProcessInfo.processInfo.environment["TMPDIR"] ?? "/tmp"
        var template = [CChar]("\(parent)/bowerbird-XXXXXX".utf8CString)
        guard unsafe mkdtemp(&template) != nil else { throw CocoaError(.fileWriteUnknown) }
        path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// Its address, with a slash at the end.
    public var url: URL { URL(filePath: path, directoryHint: .isDirectory) }

    /// The address of a file or folder in it, which need not exist.
    public func url(of name: String) -> URL { URL(filePath: "\(path)/\(name)", directoryHint: .notDirectory) }

    /// Writes a file and tells its address.
    public func write(_ bytes: [UInt8], to name: String) throws -> URL {
        let url = url(of: name)
        try Data(bytes).write(to: url)
        return url
    }
}
