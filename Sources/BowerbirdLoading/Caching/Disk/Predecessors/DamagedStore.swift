/// A store whose database was damaged. Each of its files says itself which entry it has.
struct DamagedStore: Predecessor {
    let folder: CacheFolder
    let place: StoreFolder
    private var folders: [String]
    private var names: [String] = []

    init(_ folder: CacheFolder, _ place: StoreFolder) {
        self.folder = folder
        self.place = place
        folders = FileNames.inFolder(place.bodies).map { "\(place.bodies)/\($0)" }
    }

    mutating func takeOverSome(into store: DiskStore) throws(DiskFault) -> Bool {
        while names.isEmpty {
            guard let next = folders.popLast() else { return false }
            names = FileNames.inFolder(next).map { "\(next)/\($0)" }
        }
        let some = names.suffix(Self.stepCount)
        names.removeLast(some.count)
        try store.takeOver(some.compactMap(Self.file))
        return true
    }

    /// Enough to share the cost of a transaction, few enough to be done in some milliseconds.
    private static let stepCount = 64

    /// Nil for a file that is damaged, or under a wrong name.
    private static func file(at path: String) -> FoundFile? {
        guard let name = path.split(separator: "/").last.flatMap({ BodyName(fileName: String($0)) }),
            let facts = BodyFiles.facts(ofFile: path), DiskKey(facts.key).digest == name.digest
        else { return nil }
        return FoundFile(path: path, name: name, facts: facts)
    }

    func discard() { folder.discard(place) }
}
