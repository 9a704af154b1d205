import CSQLite

/// The tables of a disk cache.
///
/// The facts of an entry and its bytes are two tables, because noting an access rewrites the row of the facts and must
/// not rewrite the bytes. Both have an integer key: rows found through a wide key are the slowest to write.
enum Schema {
    /// A database with another number was made by another version, and is made anew.
    static let version: Int64 = 3

    /// Makes the tables of a new database.
    static func make(in database: borrowing Database) throws(SQLiteError) {
        try database.execute(settings)
        try database.transaction(.write) { () throws(SQLiteError) in try database.execute(tables) }
    }

    /// Sets up a connection that writes. A database without tables is no new one but what is left of one.
    static func prepare(_ database: borrowing Database, _ durability: DiskCache.Durability) throws(SQLiteError) {
        try check(database)
        try database.execute(settings + durability.setting)
    }

    /// Throws `SQLITE_CORRUPT` for a database that is not of this version.
    static func check(_ database: borrowing Database) throws(SQLiteError) {
        guard try database.integer("PRAGMA user_version") == version else {
            throw SQLiteError(code: SQLITE_CORRUPT, message: "it was made by another version")
        }
    }

    /// With the log (WAL) one process writes while others read. `LogKeeper` brings it in, and cuts it off when nothing is
    /// written for a while; until then it is written over in the room that it has, up to 24 MB. Debian's SQLite overwrites what is removed with zeros unless it is told not to, which reads
    /// and writes all of it once more.
    private static let settings = """
        PRAGMA page_size = 4096;
        PRAGMA journal_mode = WAL;
        PRAGMA secure_delete = OFF;
        PRAGMA journal_size_limit = 24576000;

        """

    /// Times are microseconds since 1970 by the wall clock. Triggers keep the sums and the tables in step, whoever writes.
    ///
    /// In `entries`: `source_digest` stands for the source in lookups; both are NULL where the source is the key itself,
    /// and `url` is where it is the source (see `SourceRows`). `lifetime` is that of the entry's own expiry, and NULL
    /// where it leaves that to the cache; `expires_at` is
    /// when that comes to its end, and NULL where it does not. `allocated` is what the bytes take of the volume.
    /// `tag_count` spares the others the look into `tags`. `file` is the generation of the file with the bytes, or NULL
    /// when `blobs` has them. `received_at` is NULL for
    /// what did not come by HTTP.
    ///
    /// `obsolete_files` names the files that go: those whose row is gone (session 0), and those that the process of a
    /// session is about to write, until their rows are there.
    ///
    /// `pins` names what is to stay, by key: a pin may come before its entry.
    private static let tables = """
        CREATE TABLE entries (
            id            INTEGER PRIMARY KEY,
            digest        BLOB NOT NULL UNIQUE,
            key           TEXT NOT NULL,
            source        TEXT,
            source_digest INTEGER,
            url           TEXT,
            media_type    TEXT,
            stored_at     INTEGER NOT NULL,
            accessed_at   INTEGER NOT NULL,
            lifetime      INTEGER,
            is_sliding    INTEGER NOT NULL,
            expires_at    INTEGER,
            length        INTEGER NOT NULL,
            allocated     INTEGER NOT NULL,
            checksum      INTEGER NOT NULL,
            file          INTEGER,
            is_pinned     INTEGER NOT NULL,
            tag_count     INTEGER NOT NULL DEFAULT 0,
            user_info     BLOB,
            received_at   INTEGER,
            status        INTEGER,
            entity_tag    TEXT,
            last_modified TEXT,
            headers       TEXT,
            variants      TEXT
        );
        CREATE INDEX entries_by_access ON entries (accessed_at) WHERE is_pinned = 0;
        CREATE INDEX entries_by_source ON entries (source_digest) WHERE source_digest IS NOT NULL;
        CREATE INDEX entries_by_expiry ON entries (expires_at) WHERE expires_at IS NOT NULL;
        CREATE TABLE blobs (id INTEGER PRIMARY KEY, bytes BLOB NOT NULL);
        CREATE TABLE tags (
            tag TEXT NOT NULL, entry INTEGER NOT NULL, PRIMARY KEY (tag, entry)
        ) WITHOUT ROWID;
        CREATE INDEX tags_by_entry ON tags (entry);
        CREATE TABLE pins (
            name TEXT NOT NULL, digest BLOB NOT NULL, key TEXT NOT NULL, PRIMARY KEY (name, digest)
        ) WITHOUT ROWID;
        CREATE INDEX pins_by_digest ON pins (digest);
        CREATE TABLE totals (
            is_pinned INTEGER PRIMARY KEY, entries INTEGER NOT NULL, bytes INTEGER NOT NULL,
            allocated INTEGER NOT NULL
        );
        INSERT INTO totals VALUES (0, 0, 0, 0), (1, 0, 0, 0);
        CREATE TABLE obsolete_files (
            id INTEGER PRIMARY KEY, digest BLOB NOT NULL, generation INTEGER NOT NULL, session INTEGER NOT NULL
        );
        CREATE TRIGGER file_removed AFTER DELETE ON entries WHEN old.file IS NOT NULL BEGIN
            INSERT INTO obsolete_files (digest, generation, session) VALUES (old.digest, old.file, 0);
        END;
        CREATE TRIGGER file_replaced AFTER UPDATE OF file ON entries
        WHEN old.file IS NOT NULL AND old.file IS NOT new.file BEGIN
            INSERT INTO obsolete_files (digest, generation, session) VALUES (old.digest, old.file, 0);
        END;
        CREATE TRIGGER entry_added AFTER INSERT ON entries BEGIN
            UPDATE totals SET entries = entries + 1, bytes = bytes + new.length, allocated = allocated + new.allocated
            WHERE is_pinned = new.is_pinned;
        END;
        CREATE TRIGGER entry_removed AFTER DELETE ON entries BEGIN
            DELETE FROM blobs WHERE id = old.id;
            DELETE FROM tags WHERE entry = old.id;
            UPDATE totals SET entries = entries - 1, bytes = bytes - old.length, allocated = allocated - old.allocated
            WHERE is_pinned = old.is_pinned;
        END;
        CREATE TRIGGER entry_pinned AFTER UPDATE OF is_pinned ON entries WHEN old.is_pinned <> new.is_pinned BEGIN
            UPDATE totals SET entries = entries - 1, bytes = bytes - old.length, allocated = allocated - old.allocated
            WHERE is_pinned = old.is_pinned;
            UPDATE totals SET entries = entries + 1, bytes = bytes + new.length, allocated = allocated + new.allocated
            WHERE is_pinned = new.is_pinned;
        END;
        PRAGMA user_version = \(version);
        """
}
