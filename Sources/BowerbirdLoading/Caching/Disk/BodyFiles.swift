import BowerbirdCore
import Dispatch
import Glibc

/// The larger bodies, one file each. A file is written once, under a number that no other ever had, before the row that
/// names it is committed; so whoever finds the row finds all of the file, even after this process was killed. It is not
/// forced to the disk: what a power cut leaves half there fails its checksum and is a miss.
struct BodyFiles: Sendable {
    let folder: String

    /// Returns the number of the new file. Where it cannot be written whole, it is gone again.
    func write(_ image: EncodedImage) throws(DiskFault) -> Int64 {
        let number = Int64.random(in: 0 ... .max)
        do throws(SystemError) {
            let file = try create(path(of: number))
            try fill(file, number, with: image)
        } catch {
            throw DiskFault(error, path: path(of: number))
        }
        return number
    }

    /// Waits until the files and their names are on the disk: for several at once, so that the disk has more than one to
    /// write and the file system writes its own log once for all of them.
    func sync(_ numbers: [Int64]) throws(DiskFault) {
        guard !numbers.isEmpty else { return }
        let failure = Lock<SystemError?>(nil)
        DispatchQueue.concurrentPerform(iterations: numbers.count) { index in
            do throws(SystemError) {
                try OpenFile(path(of: numbers[index]), O_RDONLY).sync()
            } catch {
                failure.withLock { $0 = error }
            }
        }
        do throws(SystemError) {
            if let failure = failure.withLock({ $0 }) { throw failure }
            try OpenFile(folder, O_RDONLY | O_DIRECTORY).sync()
        } catch {
            throw DiskFault(error, path: folder)
        }
    }

    private func fill(_ file: borrowing OpenFile, _ number: Int64, with image: EncodedImage) throws(SystemError) {
        do throws(SystemError) {
            try unsafe image.withUnsafeBytes { bytes throws(SystemError) in try unsafe file.write(bytes) }
        } catch {
            remove(number)
            throw error
        }
    }

    /// Makes the folder anew where somebody has removed it.
    private func create(_ path: String) throws(SystemError) -> OpenFile {
        let flags = O_WRONLY | O_CREAT | O_EXCL
        do throws(SystemError) {
            return try OpenFile(path, flags)
        } catch {
            guard error.number == ENOENT, unsafe mkdir(folder, 0o700) == 0 else { throw error }
            return try OpenFile(path, flags)
        }
    }

    enum Reading {
        case complete(EncodedImage)
        /// There is no such file.
        case missing
        /// The file is not as long as it should be, or cannot be read.
        case damaged
    }

    func read(_ number: Int64, count: Int) -> Reading {
        do throws(SystemError) {
            let file = try OpenFile(path(of: number), O_RDONLY)
            guard file.length == count, let storage = ByteStorage(capacity: count) else { return .damaged }
            let bytes = unsafe UnsafeMutableRawBufferPointer(rebasing: storage.bytes[..<count])
            guard try unsafe file.read(into: bytes) else { return .damaged }
            return .complete(EncodedImage(storage: storage, count: count))
        } catch {
            return error.number == ENOENT ? .missing : .damaged
        }
    }

    func remove(_ number: Int64) { unsafe unlink(path(of: number)) }

    func remove(_ numbers: [Int64]) {
        for number in numbers { remove(number) }
    }

    /// The files that nobody has written to for `age`.
    func numbers(olderThan age: Duration) -> [Int64] {
        let limit = time(nil) - Int(age / .seconds(1))
        return names.compactMap(Self.number(ofName:)).filter { number in
            var facts = stat()
            return unsafe stat(path(of: number), &facts) == 0 && facts.st_mtim.tv_sec <= limit
        }
    }

    private var names: [String] {
        guard let listing = unsafe opendir(folder) else { return [] }
        defer { unsafe closedir(listing) }
        var names: [String] = []
        while let item = unsafe readdir(listing) {
            // `d_name` ends with a zero inside the item, which lives until the next `readdir`.
            let name = unsafe UnsafeRawPointer(item).advanced(by: MemoryLayout<dirent>.offset(of: \.d_name) ?? 0)
            names.append(unsafe String(cString: name.assumingMemoryBound(to: CChar.self)))
        }
        return names
    }

    /// What the file takes of the volume, in bytes; nil where there is none.
    func allocatedByteCount(of number: Int64) -> Int? {
        var facts = stat()
        return unsafe stat(path(of: number), &facts) == 0 ? Int(facts.st_blocks) * 512 : nil
    }

    private func path(of number: Int64) -> String { "\(folder)/\(Self.name(of: number))" }

    private static func name(of number: Int64) -> String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }

    /// Nil for a name that is none of ours.
    private static func number(ofName name: String) -> Int64? {
        guard let number = Int64(name, radix: 16), number >= 0, Self.name(of: number) == name else { return nil }
        return number
    }
}
