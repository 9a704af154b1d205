import Dispatch
import Glibc

/// Deletes what was thrown away, on a queue of its own where nobody waits for it. What a killed process leaves is found by
/// the next one that opens the cache.
final class Trash: Sendable {
    private let folder: CacheFolder
    private let queue = DispatchQueue(label: "bowerbird.disk-cache.trash", qos: .utility)

    init(folder: CacheFolder) { self.folder = folder }

    /// Returns at once.
    func empty() { queue.async { [self] in emptyNow() } }

    /// Returns when all is deleted that was thrown away before.
    func isEmptied() async {
        await withCheckedContinuation { done in queue.async { done.resume() } }
    }

    func emptyNow() {
        for name in FileNames.inFolder(folder.path) where name.hasPrefix(CacheFolder.trashPrefix) {
            Self.delete("\(folder.path)/\(name)")
        }
    }

    /// A folder with all that is in it. Links are not followed. Others may be at the same work.
    private static func delete(_ path: String) {
        guard unsafe unlink(path) != 0, errno == EISDIR else { return }
        for name in FileNames.inFolder(path) { delete("\(path)/\(name)") }
        unsafe rmdir(path)
    }
}
