/// Files that go, and files that come.
///
/// `obsolete_files` is what makes sure that no file stays without a row, and without listing the folders: its name is
/// written there before a file is, and before it is unlinked. Whoever dies in between leaves the name to the next.
extension DiskStore {
    /// A transaction that may take files away from their entries; they are unlinked when it is committed.
    func changing<R>(_ body: () throws(SQLiteError) -> R) throws(DiskFault) -> R {
        let result = try transaction { () throws(SQLiteError) in
            try forgetUnlinked()
            return try body()
        }
        unlinkedFiles = []
        unlinkObsolete()
        return result
    }

    /// Notes which files are about to be written. Names of an earlier try that failed, whose files are gone, are
    /// forgotten.
    func announce(_ names: [BodyName]) throws(DiskFault) {
        guard !names.isEmpty else { return }
        try transaction { () throws(SQLiteError) in
            try forgetAnnounced()
            for name in names {
                try statements.announce.run([
                    .bytes(name.digest), .integer(name.generation), .integer(session.number),
                ])
            }
        }
    }

    /// In the transaction that has their rows.
    func forgetAnnounced() throws(SQLiteError) { try statements.forgetSession.run([.integer(session.number)]) }

    /// What others announced who are dead, and what was obsolete when they died.
    func clearUpAfterTheDead() throws(DiskFault) {
        let sessions = try translatingErrors { () throws(SQLiteError) in
            try database.prepare("SELECT DISTINCT session FROM obsolete_files").integers()
        }
        let dead = sessions.filter { !session.isAlive($0) }
        guard !dead.isEmpty else { return }
        try changing { () throws(SQLiteError) in
            let inherit = try database.prepare("UPDATE obsolete_files SET session = 0 WHERE session = ?")
            for session in dead { try inherit.run([.integer(session)]) }
        }
        try transaction { () throws(SQLiteError) in try forgetUnlinked() }
        unlinkedFiles = []
    }

    /// What cannot be read now is left to the next.
    private func unlinkObsolete() {
        try? translatingErrors { () throws(SQLiteError) in
            try statements.obsolete.run { row in
                guard let id = row.integer(0), let digest = row.bytes(1), let generation = row.integer(2) else {
                    return
                }
                bodies.remove(BodyName(digest: digest, generation: generation))
                unlinkedFiles.append((id, generation))
            }
        }
    }

    /// Others may have done it, and the number of a row may be another's by now; so the generation is compared as well.
    private func forgetUnlinked() throws(SQLiteError) {
        for file in unlinkedFiles { try statements.forgetFile.run([.integer(file.row), .integer(file.generation)]) }
    }
}

extension Statement {
    /// Runs a statement whose rows are numbers.
    func integers() throws(SQLiteError) -> [Int64] {
        var integers: [Int64] = []
        try run { row in
            if let integer = row.integer(0) { integers.append(integer) }
        }
        return integers
    }
}
