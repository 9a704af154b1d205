extension DiskCache {
    /// Where a `DiskCache` lies and how it works.
    public struct Configuration: Sendable {
        /// Made, for the user alone, where it is not there.
        public var folder: String
        /// How much is kept, and for how long. What a running cache keeps is changed by its `limits`.
        public var limits: Limits
        /// Larger bodies, in bytes, are files of their own; up to this size they lie in the database. 0 makes all of
        /// them files, `.max` none. By default 64 KB.
        public var inlineByteLimit: Int
        /// What an entry that is written down survives. By default the end of the process, and not a power cut.
        public var durability: Durability
        /// Folders of other caches, as pictures that come with a program: asked in their order for what this cache does not
        /// have. Nothing in them is ever changed, and they may lie on a medium that cannot be written to. What is removed
        /// from this cache is found there again.
        public var readOnlyFolders: [String]
        /// Whether the folder has a `CACHEDIR.TAG`, by which backup programs know that they may skip it. By default true.
        public var isMarkedAsCache: Bool

        /// The user's cache folder, and the default limits.
        public init(
            folder: String = DiskCache.defaultFolder(), limits: Limits = Limits(),
            inlineByteLimit: Int = Self.defaultInlineByteLimit, durability: Durability = .process,
            readOnlyFolders: [String] = [], isMarkedAsCache: Bool = true
        ) {
            self.folder = folder
            self.limits = limits
            self.inlineByteLimit = inlineByteLimit
            self.durability = durability
            self.readOnlyFolders = readOnlyFolders
            self.isMarkedAsCache = isMarkedAsCache
        }

        /// Through the database, writing is the cheaper way up to about 100 KB and reading beyond 256 KB; 64 KB keeps
        /// the log short as well.
        public static let defaultInlineByteLimit = 64 << 10
    }
}
