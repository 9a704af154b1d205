import BowerbirdCore
import Glibc

/// The files that are being written, so that none is left behind when the program is interrupted.
final class PartialFiles: Sendable {
    /// A file that has no name of its own yet.
    struct Entry: Hashable, Sendable {
        let folder: Int32
        let name: String
        /// Open for writing; closed by who began it.
        let file: Int32
    }

    fileprivate struct State {
        var entries: Set<Entry> = []
        var count = 0
    }

    private let state = Lock(State())

    /// Makes a file, under a name that nobody else uses, in the folder behind this descriptor. Throws an `errno`.
    ///
    /// It is made under the lock, so that at no time there is one that `end(exitStatus:)` does not know.
    func begin(in folder: Int32) throws(SystemError) -> Entry {
        try state.withLock { (state) throws(SystemError) in
            let entry = try state.makeFile(in: folder)
            state.entries.insert(entry)
            return entry
        }
    }

    /// The file has its own name now, or is given up and goes.
    func finish(_ entry: Entry) {
        state.withLock { state in
            state.entries.remove(entry)
            unsafe unlinkat(entry.folder, entry.name, 0)
        }
    }

    /// Ends the program, and lets nothing new begin while it does.
    func end(exitStatus: Int32) -> Never {
        state.withLock { state in
            for entry in state.entries { unsafe unlinkat(entry.folder, entry.name, 0) }
            _exit(exitStatus)
        }
    }
}

extension PartialFiles.State {
    fileprivate mutating func makeFile(in folder: Int32) throws(SystemError) -> PartialFiles.Entry {
        while true {
            count += 1
            let name = ".bowerbird-\(getpid())-\(count).part"
            let file = unsafe openat(folder, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
            if file >= 0 { return PartialFiles.Entry(folder: folder, name: name, file: file) }
            // The name of one that was left behind when a process of the same number was killed.
            guard errno == EEXIST else { throw SystemError(code: errno) }
        }
    }
}

struct SystemError: Error {
    /// An `errno`.
    let code: Int32
}
