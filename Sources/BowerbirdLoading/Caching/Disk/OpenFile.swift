import Glibc

/// A file descriptor with one owner, who closes it by letting go.
struct OpenFile: ~Copyable {
    private let descriptor: Int32

    /// A file that this makes is for the user alone.
    init(_ path: String, _ flags: Int32) throws(SystemError) {
        let opened = unsafe open(path, flags | O_CLOEXEC, 0o600)
        guard opened >= 0 else { throw .last }
        descriptor = opened
    }

    deinit { close(descriptor) }

    /// In bytes; nil for what is no plain file.
    var length: Int? {
        var facts = stat()
        guard unsafe fstat(descriptor, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else { return nil }
        return Int(facts.st_size)
    }

    /// Writes all of `bytes` behind what is there.
    func write(_ bytes: UnsafeRawBufferPointer) throws(SystemError) {
        var done = 0
        while done < bytes.count {
            let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[done...])
            done += try result(of: { unsafe Glibc.write(descriptor, rest.baseAddress, rest.count) })
        }
    }

    /// Fills `bytes` from the beginning of the file; false when the file is shorter.
    func read(into bytes: UnsafeMutableRawBufferPointer) throws(SystemError) -> Bool {
        var done = 0
        while done < bytes.count {
            let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: bytes[done...])
            let count = try result(of: { unsafe pread(descriptor, rest.baseAddress, rest.count, off_t(done)) })
            guard count > 0 else { return false }
            done += count
        }
        return true
    }

    /// Waits until all of it is on the disk.
    func sync() throws(SystemError) {
        guard fsync(descriptor) == 0 else { throw .last }
    }

    /// Takes the lock of this file against other processes, unless one of them has it.
    func tryLock() -> Bool { flock(descriptor, LOCK_EX | LOCK_NB) == 0 }

    /// The result of a call, made again when a signal came between.
    private func result(of call: () -> Int) throws(SystemError) -> Int {
        while true {
            let result = call()
            if result >= 0 { return result }
            guard errno == EINTR else { throw .last }
        }
    }
}

/// An `errno`, taken down before anything else can change it.
struct SystemError: Error {
    let number: Int32

    static var last: SystemError { SystemError(number: errno) }
}
