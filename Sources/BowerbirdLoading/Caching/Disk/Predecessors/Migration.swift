import CSQLite

/// From the formats of earlier versions to this one.
enum Migration {
    private typealias Step = (CacheFolder, consuming Database) throws(SQLiteError) -> any Predecessor

    /// By the version of the format that is taken over. The next format adds the present one here.
    private static func step(from version: Int64) -> Step? {
        switch version {
        case 2: { (folder, database) throws(SQLiteError) in try FlatStore(folder, database) }
        default: nil
        }
    }

    /// What was there before this format; nil when there is nothing. What is of no version that is known, or damaged, is
    /// thrown away, and that is the fault.
    static func predecessor(in folder: CacheFolder, busyTimeout: Duration) throws(DiskFault) -> (any Predecessor)? {
        guard FileIdentity(ofFile: folder.flatDatabase) != nil else { return nil }
        do throws(SQLiteError) {
            let database = try Database(path: folder.flatDatabase, access: .readWrite, busyTimeout: busyTimeout)
            let version = try database.integer("PRAGMA user_version") ?? 0
            if let step = step(from: version) { return try step(folder, database) }
            throw SQLiteError(code: SQLITE_CORRUPT, message: "it has the unknown format \(version)")
        } catch {
            let fault = DiskFault(error)
            if fault.reason == .corrupt || fault.reason == .failed { folder.discardFlatStore() }
            throw fault
        }
    }
}
