import Glibc

/// How one store follows another. All of this is called under the folder's lock, and every step leaves a folder that the
/// next process understands, should this one be killed after it.
extension CacheFolder {
    static let trashPrefix = "trash-"
    static let damagedPrefix = "damaged-"
    private static var newLinkPrefix: String { linkName + ".new-" }

    /// Makes an empty store, whole before anybody can find it, and lets the link name it.
    func beginStore(busyTimeout: Duration) throws(DiskFault) -> StoreFolder {
        let store = StoreFolder(path: "\(path)/\(Self.storePrefix)\(FileNames.random())")
        do throws(DiskFault) {
            try Self.makeFolder(store.path)
            try Self.makeFolder(store.bodies)
            try translatingErrors { () throws(SQLiteError) in
                try Schema.make(
                    in: try Database(path: store.database, access: .readWrite, busyTimeout: busyTimeout))
            }
            try point(to: store)
        } catch {
            discard(store)
            throw error
        }
        return store
    }

    /// From one moment to the next: whoever looks finds the old store or the new one.
    private func point(to store: StoreFolder) throws(DiskFault) {
        let name = String(store.path.dropFirst(path.count + 1))
        let new = "\(path)/\(Self.newLinkPrefix)\(FileNames.random())"
        guard unsafe symlink(name, new) == 0 else { throw DiskFault(.last, path: new) }
        if unsafe rename(new, link) == 0 { return }
        // A folder of that name is none of ours.
        discard(StoreFolder(path: link))
        guard unsafe rename(new, link) == 0 else { throw DiskFault(.last, path: link) }
    }

    /// Gives a store, or what else lies in its way, a name under which it will be deleted.
    func discard(_ store: StoreFolder) {
        unsafe rename(store.path, "\(path)/\(Self.trashPrefix)\(FileNames.random())")
    }

    /// Gives a store with a damaged database a name under which its files will be taken over. The link is left naming
    /// nothing.
    func setAside(_ store: StoreFolder) {
        unsafe rename(store.path, "\(path)/\(Self.damagedPrefix)\(FileNames.random())")
    }

    /// The stores that were set aside and whose files are not all taken over.
    var damagedStores: [StoreFolder] {
        FileNames.inFolder(path).filter { $0.hasPrefix(Self.damagedPrefix) }.map { StoreFolder(path: "\(path)/\($0)") }
    }

    /// Makes trash of what a killed process left half done: stores that the link does not name, links that never took
    /// their place.
    func discardLeftovers() {
        let current = FileNames.target(ofLink: link)
        for name in FileNames.inFolder(path) {
            if name.hasPrefix(Self.newLinkPrefix) {
                unsafe unlink("\(path)/\(name)")
            } else if name.hasPrefix(Self.storePrefix), name != current {
                discard(StoreFolder(path: "\(path)/\(name)"))
            }
        }
    }
}
