import BowerbirdCore

extension DiskWriter {
    func pin(_ keys: [CacheKey], as name: String) -> Bool {
        writeDown()
        var isPinned = true
        for key in keys {
            var isDone = false
            attempt { store throws(DiskFault) in isDone = try store.pin(key, as: name) }
            isPinned = isDone && isPinned
        }
        return isPinned
    }

    func unpin(_ key: CacheKey, as name: String) async {
        writeDown()
        attempt { store throws(DiskFault) in try store.unpin(key, as: name) }
        await writeStaged()
    }

    func unpinAll(as name: String) async {
        writeDown()
        attempt { store throws(DiskFault) in try store.unpinAll(as: name) }
        await writeStaged()
    }
}
