import Glibc

/// A number by which others can tell whether the one who writes under it is still there: it holds the lock of the byte of
/// that number in a file of the store until it ends, however it ends.
struct WriterSession: ~Copyable {
    let number: Int64
    private let file: OpenFile

    init(in store: StoreFolder) throws(DiskFault) {
        let file: OpenFile
        do throws(SystemError) { file = try OpenFile(store.sessions, O_RDWR | O_CREAT) } catch {
            throw DiskFault(error, path: store.sessions)
        }
        let number = Int64.random(in: 1..<1 << 62)
        guard file.tryLock(byte: number) else { throw DiskFault(.last, path: store.sessions) }
        self.number = number
        self.file = file
    }

    /// Whether another writer has that number now.
    func isAlive(_ other: Int64) -> Bool { other > 0 && file.isLocked(byte: other) }
}
