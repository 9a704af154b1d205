import BowerbirdCore

extension DiskWriter {
    func pin(_ keys: [CacheKey], as name: String) -> Bool {
        writeStaged()
        var isPinned = !keys.isEmpty
        for key in keys {
            var isDone = false
            attempt { store throws(DiskFault) in isDone = try store.pin(key, as: name) }
            isPinned = isDone && isPinned
        }
        return isPinned
    }

    func unpin(_ key: CacheKey, as name: String) async {
        writeStaged()
        attempt { store throws(DiskFault) in try store.unpin(key, as: name) }
        await flush()
    }

    func unpinAll(as name: String) async {
        writeStaged()
        attempt { store throws(DiskFault) in try store.unpinAll(as: name) }
        await flush()
    }
}
