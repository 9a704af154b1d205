import BowerbirdCore
import Glibc

/// A regular file, open for reading until this value goes.
struct SourceFile: ~Copyable {
    private let descriptor: Int32
    private let size: Int

    /// Between two of these the reading task looks whether it was cancelled.
    private static let sliceByteCount = 1 << 20

    init(_ path: [UInt8]) throws(LoadingError) {
        // Opening a pipe would otherwise wait for its writer.
        let flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY
        let descriptor = unsafe open(path.map(CChar.init(bitPattern:)) + [0], flags)
        guard descriptor >= 0 else { throw .fileSystem(errno) }
        do {
            size = try Self.size(ofRegular: descriptor)
        } catch {
            close(descriptor)
            throw error
        }
        self.descriptor = descriptor
    }

    deinit { close(descriptor) }

    /// What is there, up to the size at opening.
    func contents(maximumByteCount: Int) throws(LoadingError) -> EncodedImage {
        guard size <= maximumByteCount else { throw .tooLarge(maximumByteCount: maximumByteCount) }
        guard let storage = ByteStorage(capacity: size) else { throw .outOfMemory }
        var count = 0
        while count < size {
            guard !Task.isCancelled else { throw .cancelled }
            let end = min(size, count + Self.sliceByteCount)
            let slice = unsafe UnsafeMutableRawBufferPointer(rebasing: storage.bytes[count..<end])
            let read = unsafe try readSome(into: slice)
            if read == 0 { break }
            count += read
        }
        return EncodedImage(storage: storage, count: count)
    }

    private func readSome(into bytes: UnsafeMutableRawBufferPointer) throws(LoadingError) -> Int {
        while true {
            let count = unsafe read(descriptor, bytes.baseAddress, bytes.count)
            if count >= 0 { return count }
            if errno != EINTR { throw .fileSystem(errno) }
        }
    }

    private static func size(ofRegular descriptor: Int32) throws(LoadingError) -> Int {
        var facts = stat()
        guard unsafe fstat(descriptor, &facts) == 0 else { throw .fileSystem(errno) }
        switch facts.st_mode & S_IFMT {
        case S_IFREG: return Int(facts.st_size)
        case S_IFDIR: throw .isDirectory
        default: throw .file("it is no regular file")
        }
    }
}

extension LoadingError {
    /// What an `errno` of reading a file means.
    fileprivate static func fileSystem(_ code: Int32) -> LoadingError {
        switch code {
        case ENOENT, ENOTDIR: .fileNotFound
        case EISDIR: .isDirectory
        case EACCES, EPERM: .permissionDenied
        // A pipe or device that nobody serves, and a socket.
        case ENXIO, ENODEV: .file("it is no regular file")
        default: unsafe .file(String(cString: strerror(code)))
        }
    }
}
