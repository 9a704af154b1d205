/// The figures by which a disk cache works: what a program may choose, and what only tests change.
struct DiskCacheSettings: Sendable {
    let limits: CurrentLimits
    var inlineByteLimit = DiskCache.Configuration.defaultInlineByteLimit
    var readOnlyFolders: [String] = []
    var isMarkedAsCache = true
    /// Whether nobody writes to the folder, and nobody may: not even the files that readers share are made there.
    var isImmutable = false
    var clock = WallClock()
    /// More than this waiting to be written makes `store` wait.
    var stagedByteLimit = 64 << 20
    /// How many entries go into one transaction: enough to share its cost, few enough that other processes get a turn.
    var batchCount = 64
    /// How many entries a trim removes in one transaction: what was stored meanwhile is written before the next.
    var trimCount = 128
    /// What happens between two steps of a trim: whoever waits for the writer gets it.
    var pauseInTrim: @Sendable () async -> Void = { await Task.yield() }
    /// How many noted accesses are worth a write of their own.
    var accessCount = 256
    /// How many reads go on at once; each has a connection, which keeps some memory.
    var readerCount = 4
    /// How long a reader takes it for granted that the folder still has the database that it has open.
    var identityAge: Duration = .milliseconds(100)
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
        readOnlyFolders = configuration.readOnlyFolders
        isMarkedAsCache = configuration.isMarkedAsCache
    }
}
