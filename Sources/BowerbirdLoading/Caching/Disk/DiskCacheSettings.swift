/// The figures by which a disk cache works: what a program may choose, and what only tests change.
struct DiskCacheSettings: Sendable {
    let limits: CurrentLimits
    /// What an entry that is written down survives.
    var durability = DiskCache.Durability.process
    var inlineByteLimit = DiskCache.Configuration.defaultInlineByteLimit
    var readOnlyFolders: [String] = []
    var isMarkedAsCache = true
    /// Whether nobody writes to the folder, and nobody may: not even the files that readers share are made there.
    var isImmutable = false
    var clock = WallClock()
    /// More than this waiting to be written makes `store` wait.
    var stagedByteLimit = 64 << 20
    /// How many entries, and how many of their bytes, go into one transaction: enough to share its cost (they change
    /// the same pages of the indexes), few enough that other processes get a turn after some milliseconds.
    var batchCount = 512
    var batchByteCount = 4 << 20
    /// From this many pages on (4 MB) the log is brought into the database, behind everybody's back.
    var logPageCount = 1000
    /// Beyond this many (24 MB) the writer waits for that: the log grows no further.
    var logPageLimit = 6000
    /// When nothing was written for so long, the log is brought in and cut off.
    var logIdleTime: Duration = .seconds(2)
    /// How many entries a trim removes in one transaction: what was stored meanwhile is written before the next.
    var trimCount = 128
    /// What happens between two steps of a trim: whoever waits for the writer gets it.
    var pauseInTrim: @Sendable () async -> Void = { await Task.yield() }
    /// How many noted accesses are worth a write of their own.
    var accessCount = 16_384
    /// How many reads go on at once; each has a connection, which keeps some memory.
    var readerCount = 4
    /// How long a reader takes it for granted that the folder still has the database that it has open.
    var identityAge: Duration = .milliseconds(100)
    /// For how long readers share one lock before it is given back, and from how many reads in that time on they do.
    var sharedLockTime: Duration = .milliseconds(5)
    var sharedLockReadCount = 16
    /// How long a call waits for another process. Ours hold the database for milliseconds.
    var busyTimeout: Duration = .seconds(2)
    /// How long a cache that cannot be used is left alone before it is tried again.
    var pause: Duration = .seconds(1)
    /// By which `pause` is measured.
    var uptime: @Sendable () -> Duration = {
        let start = ContinuousClock.now
        return { ContinuousClock.now - start }
    }()

    init(limits: DiskCache.Limits = DiskCache.Limits()) {
        self.limits = CurrentLimits(limits)
    }

    init(_ configuration: DiskCache.Configuration) {
        self.init(limits: configuration.limits)
        inlineByteLimit = configuration.inlineByteLimit
        durability = configuration.durability
        readOnlyFolders = configuration.readOnlyFolders
        isMarkedAsCache = configuration.isMarkedAsCache
    }
}
