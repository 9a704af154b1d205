/// The figures by which a disk cache works. Only tests use others than these.
struct DiskCacheSettings: Sendable {
    /// In bytes; nil stands for the share of the volume that `DiskStore` chooses.
    var maximumByteCount: Int?
    /// What an entry that is written down survives.
    var durability = DiskCache.Durability.process
    /// Larger bodies are files of their own: with 0 all, with `.max` none. Through the database, writing is the cheaper way up to about 100 KB and
    /// reading beyond 256 KB; 64 KB keeps the log short as well.
    var inlineByteLimit = 64 << 10
    /// More than this waiting to be written makes `store` wait.
    var stagedByteLimit = 64 << 20
    /// How many entries, and how many of their bytes, go into one transaction: enough to share its cost (they change
    /// the same pages of the indexes), few enough that other processes get a turn after some milliseconds.
    var batchCount = 256
    var batchByteCount = 4 << 20
    /// From this many pages on (4 MB) the log is brought into the database, behind everybody's back.
    var logPageCount = 1000
    /// Beyond this many (24 MB) the writer waits for that: the log grows no further.
    var logPageLimit = 6000
    /// When nothing was written for so long, the log is brought in and cut off.
    var logIdleTime: Duration = .seconds(2)
    /// How many noted accesses are worth a write of their own.
    var accessCount = 256
    /// How many reads go on at once; each has a connection, which keeps some memory.
    var readerCount = 4
    /// How long a reader takes it for granted that the folder still has the database that it has open.
    var identityAge: Duration = .milliseconds(100)
    /// For how long readers share one lock before it is given back, and from how many reads in that time on they do.
    var sharedLockTime: Duration = .milliseconds(5)
    var sharedLockReadCount = 16
    /// How long a call waits for another process. Ours hold the database for milliseconds.
    var busyTimeout: Duration = .seconds(2)
    /// Younger files may be about to be named by another process.
    var orphanAge: Duration = .seconds(3600)
}
