import Bowerbird
import Glibc

/// The folder that files are written into. A file appears in it whole or not at all, and never in place of another unless
/// that is asked for.
final class OutputFolder: Sendable {
    /// As the user wrote it, without a slash at its end.
    let path: String
    private let descriptor: Int32
    private let partialFiles: PartialFiles

    /// Opens the folder, and makes it, and those it lies in, where they are missing.
    init(_ path: String, _ partialFiles: PartialFiles) throws(OutputError) {
        self.path = path.withoutTrailingSlashes
        self.partialFiles = partialFiles
        try Self.make(self.path)
        descriptor = unsafe open(self.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw OutputError(path: path, code: errno) }
        guard unsafe faccessat(descriptor, ".", W_OK | X_OK, AT_EACCESS) == 0 else {
            throw OutputError(path: path, code: errno)
        }
    }

    deinit { close(descriptor) }

    /// Writes a file under `name`, or under the first numbered form of it that is free, and returns its path.
    func write(_ data: EncodedImage, as name: FileName) throws(OutputError) -> String {
        let partial = try beginFile()
        defer { partialFiles.finish(partial) }
        try fill(partial, with: data)
        return "\(path)/\(try claim(name, for: partial))"
    }

    /// Writes a file under exactly this name, which is one component; a file of that name goes in the same moment.
    func replace(_ name: String, with data: EncodedImage) throws(OutputError) {
        let partial = try beginFile()
        defer { partialFiles.finish(partial) }
        try fill(partial, with: data)
        guard unsafe renameat(descriptor, partial.name, descriptor, name) == 0 else {
            throw OutputError(path: "\(path)/\(name)", code: errno)
        }
    }

    private func beginFile() throws(OutputError) -> PartialFiles.Entry {
        do { return try partialFiles.begin(in: descriptor) } catch { throw OutputError(path: path, code: error.code) }
    }

    private func fill(_ partial: PartialFiles.Entry, with data: EncodedImage) throws(OutputError) {
        let written = unsafe data.withUnsafeBytes { bytes in unsafe writeAll(bytes, to: partial.file) }
        // Some file systems find out only here that there is no room.
        let code = close(partial.file) == 0 ? written : max(written, errno)
        guard code == 0 else { throw OutputError(path: path, code: code) }
    }

    /// Gives the file its name.
    private func claim(_ name: FileName, for partial: PartialFiles.Entry) throws(OutputError) -> String {
        var number = 1
        while true {
            let candidate = name.numbered(number)
            let code = rename(partial.name, to: candidate)
            if code == 0 { return candidate }
            guard code == EEXIST else { throw OutputError(path: "\(path)/\(candidate)", code: code) }
            number += 1
        }
    }

    /// 0, or `EEXIST` where the name is taken, or another `errno`. A link, because it never replaces what is there; the
    /// old name goes with the entry of `PartialFiles`.
    private func rename(_ name: String, to newName: String) -> Int32 {
        if unsafe linkat(descriptor, name, descriptor, newName, 0) == 0 { return 0 }
        guard [EPERM, EOPNOTSUPP, ENOSYS, EMLINK].contains(errno) else { return errno }
        // A file system without links, such as that of most memory cards: look, then rename.
        if unsafe faccessat(descriptor, newName, F_OK, AT_SYMLINK_NOFOLLOW) == 0 { return EEXIST }
        return unsafe renameat(descriptor, name, descriptor, newName) == 0 ? 0 : errno
    }

    private static func make(_ path: String) throws(OutputError) {
        if unsafe mkdir(path, 0o777) == 0 || errno == EEXIST { return }
        guard errno == ENOENT, let slash = path.lastIndex(of: "/"), slash != path.startIndex else {
            throw OutputError(path: path, code: errno)
        }
        try make(String(path[..<slash]).withoutTrailingSlashes)
        guard unsafe mkdir(path, 0o777) == 0 || errno == EEXIST else { throw OutputError(path: path, code: errno) }
    }
}

/// 0, or an `errno`.
private func writeAll(_ bytes: UnsafeRawBufferPointer, to file: Int32) -> Int32 {
    var rest = unsafe bytes[...]
    while unsafe !rest.isEmpty {
        let chunk = unsafe UnsafeRawBufferPointer(rebasing: rest)
        let count = unsafe Glibc.write(file, chunk.baseAddress, chunk.count)
        if count < 0, errno != EINTR { return errno }
        unsafe rest = rest.dropFirst(max(0, count))
    }
    return 0
}

extension String {
    fileprivate var withoutTrailingSlashes: String {
        guard let last = lastIndex(where: { $0 != "/" }) else { return isEmpty ? "" : "/" }
        return String(self[...last])
    }
}
