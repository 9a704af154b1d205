/// The figures by which a disk cache works. Only tests use others than these.
struct DiskCacheSettings: Sendable {
    /// In bytes; nil stands for the share of the volume that `DiskStore` chooses.
    var maximumByteCount: Int?
    /// Larger bodies are files of their own. Through the database, writing is the cheaper way up to about 100 KB and
    /// reading beyond 256 KB; 64 KB keeps the log short as well.
    var inlineByteLimit = 64 << 10
    /// More than this waiting to be written makes `store` wait.
    var stagedByteLimit = 64 << 20
    /// How many entries go into one transaction: enough to share its cost, few enough that other processes get a turn.
    var batchCount = 64
    /// How many noted accesses are worth a write of their own.
    var accessCount = 256
    /// How many reads go on at once; each has a connection, which keeps some memory.
    var readerCount = 4
    /// How long a reader takes it for granted that the folder still has the database that it has open.
    var identityAge: Duration = .milliseconds(100)
    /// How long a call waits for another process. Ours hold the database for milliseconds.
    var busyTimeout: Duration = .seconds(2)
    /// Younger files may be about to be named by another process.
    var orphanAge: Duration = .seconds(3600)
}
