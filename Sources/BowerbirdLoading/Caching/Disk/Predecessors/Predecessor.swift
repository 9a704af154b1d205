import BowerbirdCore
import Glibc

/// What an earlier store has left, taken over into the present one in small steps: an entry is a miss until its turn has
/// come. Several processes may be at the same work, and one that is killed leaves the rest to the next.
protocol Predecessor {
    /// Takes over some entries; false when there are none left.
    mutating func takeOverSome(into store: DiskStore) throws(DiskFault) -> Bool
    /// Makes trash of the rest.
    func discard()
}

/// A file with a body and, behind it, the facts of its entry.
struct FoundFile {
    let path: String
    let name: BodyName
    let facts: EntryFacts
}

extension DiskStore {
    /// Moves files here, and makes their rows. What has been stored under a key since is newer and stays.
    func takeOver(_ files: [FoundFile]) throws(DiskFault) {
        guard !files.isEmpty else { return }
        try announce(files.map(\.name))
        do throws(DiskFault) {
            // They are moved inside the transaction: whoever removes an entry finds it here or there.
            try changing { () throws(SQLiteError) in
                for file in files { try takeOver(file) }
                try forgetAnnounced()
            }
        } catch {
            bodies.remove(files.map(\.name))
            throw error
        }
    }

    private func takeOver(_ file: FoundFile) throws(SQLiteError) {
        guard try isNewest(file.facts, file.name.digest), bodies.take(file.path, as: file.name) else { return }
        let key = DiskKey(file.facts.key)
        try statements.deleteKey.run([.bytes(key.digest)])
        let allocated = bodies.allocatedByteCount(of: file.name) ?? file.facts.length
        _ = try insert(file.facts, key, file: file.name.generation, allocated)
    }

    /// Whether what is there under that key, if anything, is older. Where its bytes are in the database, it was stored
    /// since: what is taken over has files.
    private func isNewest(_ facts: EntryFacts, _ digest: [UInt8]) throws(SQLiteError) -> Bool {
        var isNewest = true
        try database.prepare("SELECT file FROM entries WHERE digest = ?").run([.bytes(digest)]) { row in
            guard let generation = row.integer(0) else { return isNewest = false }
            let other = bodies.facts(of: BodyName(digest: digest, generation: generation))
            isNewest = other.map { $0.writtenAt < facts.writtenAt } ?? true
        }
        return isNewest
    }

    /// Makes the row of an entry whose bytes are small, unless something is there under its key.
    func takeOver(_ facts: EntryFacts, _ data: EncodedImage) throws(SQLiteError) {
        let key = DiskKey(facts.key)
        var isThere = false
        try database.prepare("SELECT 1 FROM entries WHERE digest = ?").run([.bytes(key.digest)]) { _ in isThere = true }
        guard !isThere else { return }
        let row = try insert(facts, key, file: nil, Schema.allocatedByteCount(ofInline: data.count))
        try statements.insertBlob.run([.integer(row), .image(data)])
    }
}

extension BodyFiles {
    /// What stands behind the body; nil where that is damaged.
    func facts(of name: BodyName) -> EntryFacts? { Self.facts(ofFile: path(of: name)) }

    static func facts(ofFile path: String) -> EntryFacts? {
        guard let file = try? OpenFile(path, O_RDONLY) else { return nil }
        return BodyTrailer.facts(of: file)
    }

    /// Moves a file of the same volume here. False when it is not there any more.
    func take(_ path: String, as name: BodyName) -> Bool {
        let place = self.path(of: name)
        if unsafe rename(path, place) == 0 { return true }
        guard errno == ENOENT, makeFolder(for: name) else { return false }
        return unsafe rename(path, place) == 0
    }
}
