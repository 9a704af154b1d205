public import BowerbirdCore

extension DiskCache {
    /// What `verify` found.
    public struct Verification: Hashable, Sendable {
        /// How many entries were read.
        public var checkedCount = 0
        /// Their bodies, in bytes.
        public var checkedByteCount = 0
        /// The entries whose bytes were not those that were stored. They are removed.
        public var damaged: [CacheKey] = []
        /// The entries whose files were gone. They are removed.
        public var missing: [CacheKey] = []
        /// Files that belong to no entry. They are left: the next program to open the cache may know them, and removes
        /// those of programs that were killed.
        public var strayFileCount = 0
        /// What these take of the volume, in bytes.
        public var strayByteCount = 0
        /// False when the task was cancelled before all was read.
        public var isComplete = true

        /// Whether everything is as it should be, as far as it was read.
        public var isSound: Bool { damaged.isEmpty && missing.isEmpty && strayFileCount == 0 }
    }

    /// Reads every entry and checks that its bytes are those that were stored. Takes as long as reading all of the cache;
    /// others read and write meanwhile. It ends early when its task is cancelled.
    ///
    /// - Parameter progress: Told after each entry how many of how many are done, on no particular thread.
    public func verify(
        progress: @Sendable (_ checked: Int, _ total: Int) -> Void = { _, _ in }
    ) async -> Verification {
        await flush()
        var result = Verification()
        let rows = await catalogue.rows(Query(), limit: .max, order: .storedLastFirst)
        for start in stride(from: 0, to: rows.count, by: 256) {
            for file in await catalogue.facts(of: rows[start..<min(start + 256, rows.count)]) {
                guard let verdict = await lanes.run({ self.verdict(on: file.key) }) else { break }
                result.add(verdict, on: file)
                progress(result.checkedCount, rows.count)
            }
        }
        result.isComplete = !Task.isCancelled
        (result.strayFileCount, result.strayByteCount) = await catalogue.strayFiles()
        return result
    }

    fileprivate enum Verdict: Sendable {
        case sound, damaged, missing
        /// It has gone or come anew meanwhile.
        case gone
    }

    private func verdict(on key: CacheKey) -> Verdict {
        let diskKey = DiskKey(key.text)
        var isMissing = false
        let answer = answer(key) {
            let answer = reader.read(diskKey)
            if case .damaged(let row) = answer { isMissing = reader.isMissing(row, diskKey) }
            return answer
        }
        return switch answer {
        case .hit, .present: .sound
        case .damaged: isMissing ? .missing : .damaged
        case .miss, .unavailable, .corrupt: .gone
        }
    }
}

extension DiskCache.Verification {
    fileprivate mutating func add(_ verdict: DiskCache.Verdict, on file: DiskCache.CachedFile) {
        checkedCount += 1
        switch verdict {
        case .sound: checkedByteCount += file.byteCount
        case .damaged: damaged.append(file.key)
        case .missing: missing.append(file.key)
        case .gone: break
        }
    }
}

extension DiskReader {
    /// Whether the bytes should be in a file that is not there.
    fileprivate func isMissing(_ row: EntryRow, _ key: DiskKey) -> Bool {
        guard let generation = row.file, let store = folder.currentStore else { return false }
        let name = BodyName(digest: key.digest, generation: generation)
        return BodyFiles(folder: store.bodies).allocatedByteCount(of: name) == nil
    }
}

extension DiskCatalogue {
    /// How many files nobody names, and what they take of the volume. The files are listed before the names: what is
    /// written meanwhile has its name by then.
    fileprivate func strayFiles() -> (count: Int, byteCount: Int) {
        guard let store = folder.currentStore else { return (0, 0) }
        let bodies = BodyFiles(folder: store.bodies)
        let files = bodies.all
        guard let named = ask(nil, { connection throws(SQLiteError) in try connection.namedFiles() }) else {
            return (0, 0)
        }
        let stray = files.subtracting(named)
        return (stray.count, stray.reduce(0) { $0 + (bodies.allocatedByteCount(of: $1) ?? 0) })
    }
}

extension CatalogueConnection {
    /// The files of entries, and those that are about to come or to go.
    fileprivate func namedFiles() throws(SQLiteError) -> Set<BodyName>? {
        var names: Set<BodyName> = []
        let query = """
            SELECT file, digest FROM entries WHERE file IS NOT NULL
            UNION ALL SELECT generation, digest FROM obsolete_files
            """
        try database.prepare(query).run { row in
            if let name = row.bodyName(0) { names.insert(name) }
        }
        return names
    }
}

extension BodyFiles {
    /// The names of all files that could be ours.
    fileprivate var all: Set<BodyName> {
        Set(
            FileNames.inFolder(folder).flatMap { FileNames.inFolder("\(folder)/\($0)") }.compactMap(
                BodyName.init(fileName:)))
    }
}
