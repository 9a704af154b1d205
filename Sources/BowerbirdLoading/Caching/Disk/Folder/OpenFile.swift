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

    /// What it takes of the volume, in bytes.
    var allocatedByteCount: Int? {
        var facts = stat()
        return unsafe fstat(descriptor, &facts) == 0 ? Int(facts.st_blocks) * 512 : nil
    }

    /// Writes all of `bytes` behind what is there.
    func write(_ bytes: UnsafeRawBufferPointer) throws(SystemError) {
        var done = 0
        while done < bytes.count {
            let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[done...])
            done += try result(of: { unsafe Glibc.write(descriptor, rest.baseAddress, rest.count) })
        }
    }

    /// Fills `bytes` from `offset` on; false when the file is shorter.
    func read(into bytes: UnsafeMutableRawBufferPointer, from offset: Int = 0) throws(SystemError) -> Bool {
        var done = 0
        while done < bytes.count {
            let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: bytes[done...])
            let count = try result(of: { unsafe pread(descriptor, rest.baseAddress, rest.count, off_t(offset + done)) })
            guard count > 0 else { return false }
            done += count
        }
        return true
    }

    /// Nil when the file is shorter.
    func bytes(count: Int, from offset: Int) throws(SystemError) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        var span = bytes.mutableSpan
        let isComplete = try unsafe span.withUnsafeMutableBytes { bytes throws(SystemError) in
            try unsafe read(into: bytes, from: offset)
        }
        return isComplete ? bytes : nil
    }

    /// Cuts the file, or fills it up with zeros.
    func resize(to length: Int) throws(SystemError) {
        guard ftruncate(descriptor, off_t(length)) == 0 else { throw .last }
    }

    /// Waits until all of it is on the disk.
    func sync() throws(SystemError) {
        guard fsync(descriptor) == 0 else { throw .last }
    }

    /// Takes the lock of this file against other processes, unless one of them has it.
    func tryLock() -> Bool { flock(descriptor, LOCK_EX | LOCK_NB) == 0 }

    /// Takes the lock of the byte at `offset`, which need not exist, against everybody who opened the file by another call,
    /// in this process or in any other. It is let go with this value, also by a process that is killed.
    func tryLock(byte offset: Int64) -> Bool {
        var lock = Self.lock(ofByte: offset)
        return unsafe fcntl(descriptor, Self.setLock, &lock) == 0
    }

    /// Whether somebody who opened the file by another call has that lock. Yes where the system cannot tell.
    func isLocked(byte offset: Int64) -> Bool {
        var lock = Self.lock(ofByte: offset)
        guard unsafe fcntl(descriptor, Self.getLock, &lock) == 0 else { return true }
        return lock.l_type != Int16(F_UNLCK)
    }

    private static func lock(ofByte offset: Int64) -> flock {
        flock(l_type: Int16(F_WRLCK), l_whence: Int16(SEEK_SET), l_start: off_t(offset), l_len: 1, l_pid: 0)
    }

    // `F_OFD_GETLK` and `F_OFD_SETLK`, which Swift's Glibc module does not show.
    private static let getLock: Int32 = 36
    private static let setLock: Int32 = 37

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
