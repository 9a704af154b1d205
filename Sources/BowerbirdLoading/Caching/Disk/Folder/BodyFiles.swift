import BowerbirdCore
import Glibc

/// Which body a file has: that of the key with this digest, in one of its generations. No two writes share a generation.
struct BodyName: Hashable, Sendable {
    let digest: [UInt8]
    let generation: Int64
}

extension BodyName {
    /// One that no file has.
    init(newFor digest: [UInt8]) { self.init(digest: digest, generation: .random(in: 0 ... .max)) }

    /// Nil for a name that is none of ours.
    init?(fileName: String) {
        let parts = fileName.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, let generation = UInt64(parts[1], radix: 16),
            let digest = Self.bytes(ofHexadecimal: parts[0])
        else { return nil }
        self.init(digest: digest, generation: Int64(bitPattern: generation))
        guard self.fileName == fileName else { return nil }
    }

    var fileName: String {
        "\(DiskKey.hexadecimal(digest))-\(FileNames.hexadecimal(UInt64(bitPattern: generation)))"
    }

    private static func bytes(ofHexadecimal digits: Substring) -> [UInt8]? {
        let values = digits.utf8.compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
        guard values.count == 32, digits.utf8.count == 32 else { return nil }
        return stride(from: 0, to: 32, by: 2).map { UInt8(values[$0] << 4 | values[$0 + 1]) }
    }
}

/// The larger bodies, one file each, in folders by the first two digits of their keys' digests. A file is written once,
/// under a name that no other ever had, before the row that names it is committed; so whoever finds the row finds all of
/// the file, even after this process was killed. It is not forced to the disk: what a power cut leaves half there fails
/// its checksum and is a miss.
///
/// Behind the body come the facts of its entry (see `BodyTrailer`), for the day when the database is lost.
struct BodyFiles: Sendable {
    let folder: String

    /// Returns what it takes of the volume, in bytes. Where it cannot be written whole, it is gone again.
    ///
    /// One that waits for the disk waits for the bytes and not for the name in its folder: the file systems of Linux
    /// write the name of a new file with it (ext4, XFS, Btrfs), and where one does not, a power cut makes it a miss.
    func write(
        _ image: EncodedImage, _ facts: EntryFacts, as name: BodyName, waitsForDisk: Bool
    ) throws(DiskFault) -> Int {
        do throws(SystemError) {
            let file = try create(name)
            try fill(file, name, with: image, facts)
            if waitsForDisk { try file.sync() }
            return file.allocatedByteCount ?? image.count
        } catch {
            throw DiskFault(error, path: path(of: name))
        }
    }

    private func fill(
        _ file: borrowing OpenFile, _ name: BodyName, with image: EncodedImage, _ facts: EntryFacts
    ) throws(SystemError) {
        let trailer = BodyTrailer.bytes(of: facts)
        do throws(SystemError) {
            try unsafe image.withUnsafeBytes { bytes throws(SystemError) in try unsafe file.write(bytes) }
            try unsafe trailer.span.bytes.withUnsafeBytes { bytes throws(SystemError) in try unsafe file.write(bytes) }
        } catch {
            remove(name)
            throw error
        }
    }

    private func create(_ name: BodyName) throws(SystemError) -> OpenFile {
        let flags = O_WRONLY | O_CREAT | O_EXCL
        do throws(SystemError) {
            return try OpenFile(path(of: name), flags)
        } catch {
            guard error.number == ENOENT else { throw error }
            guard makeFolder(for: name) else { throw .last }
            return try OpenFile(path(of: name), flags)
        }
    }

    /// Makes the folder of a file, and the one above it where somebody has removed that. The store's own is not made: it
    /// may have been thrown away.
    func makeFolder(for name: BodyName) -> Bool {
        unsafe mkdir(folder, 0o700)
        return unsafe mkdir(self.folder(of: name), 0o700) == 0 || errno == EEXIST
    }

    enum Reading {
        case complete(EncodedImage)
        /// There is no such file.
        case missing
        /// The file is shorter than it should be, or cannot be read.
        case damaged
    }

    func read(_ name: BodyName, count: Int) -> Reading {
        do throws(SystemError) {
            let file = try OpenFile(path(of: name), O_RDONLY)
            guard let length = file.length, (0...length).contains(count), let storage = ByteStorage(capacity: count)
            else { return .damaged }
            let bytes = unsafe UnsafeMutableRawBufferPointer(rebasing: storage.bytes[..<count])
            guard try unsafe file.read(into: bytes) else { return .damaged }
            return .complete(EncodedImage(storage: storage, count: count))
        } catch {
            return error.number == ENOENT ? .missing : .damaged
        }
    }

    func remove(_ name: BodyName) { unsafe unlink(path(of: name)) }

    func remove(_ names: [BodyName]) {
        for name in names { remove(name) }
    }

    /// What the file takes of the volume, in bytes; nil where there is none.
    func allocatedByteCount(of name: BodyName) -> Int? {
        var facts = stat()
        return unsafe stat(path(of: name), &facts) == 0 ? Int(facts.st_blocks) * 512 : nil
    }

    func path(of name: BodyName) -> String { "\(folder(of: name))/\(name.fileName)" }

    private func folder(of name: BodyName) -> String {
        "\(folder)/\(DiskKey.hexadecimal(name.digest.prefix(1)))"
    }
}
