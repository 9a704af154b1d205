// The only place where codecs meet loading.

extension ImagePipeline {
    /// The pipeline of programs that need only one: every format of this build, HTTP, files and data URLs, decoded
    /// pictures in memory and original bytes in the user's cache folder. Made when it is first used.
    public static let shared = ImagePipeline(.standard())
}

extension ImagePipeline.Configuration {
    /// What `ImagePipeline.shared` is made of, to be changed and given to a pipeline of your own.
    ///
    /// - Parameter dataCache: Where original bytes are kept. By default a `DiskCache` in the user's cache folder; nil
    ///   keeps none.
    public static func standard(dataCache: (any DataCache)? = DiskCache()) -> Self {
        Self(loader: SourceLoader(), codecs: .builtIn, imageCache: MemoryCache(), dataCache: dataCache)
    }
}
