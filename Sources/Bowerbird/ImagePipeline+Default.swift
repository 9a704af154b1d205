import BowerbirdCore

// The only place where codecs meet loading.

extension ImagePipeline {
    /// The pipeline of programs that need only one: every format of this build, HTTP, files and data URLs, decoded
    /// pictures in memory and original bytes in the user's cache folder (`Configuration.standard()`).
    ///
    /// Made when it is first asked for, unless one of your own was put here before:
    ///
    ///     ImagePipeline.shared = ImagePipeline(configuration)
    ///
    /// Whoever has been given the one before keeps it. Any thread may read and replace it.
    public static var shared: ImagePipeline {
        get { common.withLock { $0.madeIfNeeded() } }
        set {
            // Let go of outside the lock: parts of an application's own end with it.
            _ = common.withLock { pipeline in
                defer { pipeline = newValue }
                return pipeline
            }
        }
    }

    private static let common = Lock<ImagePipeline?>(nil)
}

extension ImagePipeline? {
    /// Costs little: a pipeline starts nothing before its first request.
    fileprivate mutating func madeIfNeeded() -> ImagePipeline {
        if let pipeline = self { return pipeline }
        let made = ImagePipeline(.standard())
        self = made
        return made
    }
}

extension ImagePipeline.Configuration {
    /// What `ImagePipeline.shared` is made of, to be changed and given to a pipeline of your own.
    ///
    /// How many transfers run at once is for the pipeline alone to say (`maximumTransferCount`): its loader opens as
    /// many connections to one host as it is asked for, up to 256.
    ///
    /// - Parameter dataCache: Where original bytes are kept. By default a `DiskCache` in the user's cache folder; nil
    ///   keeps none.
    public static func standard(dataCache: (any DataCache)? = DiskCache()) -> Self {
        var http = HTTPLoader.Configuration()
        http.maximumConnectionsPerHost = 256
        let loader = SourceLoader(http: HTTPLoader(configuration: http))
        return Self(loader: loader, codecs: .builtIn, imageCache: MemoryCache(), dataCache: dataCache)
    }
}
